import * as z from 'zod'
import type { PageRequest } from '../domain/user-history.js'
import { documented } from './provenance.js'

export const pagination = z
  .object({
    page: documented(z.int(), 'Number of this page, zero-based', 0),
    size: documented(z.int(), 'Items per page', 5),
    total_pages: documented(z.int(), 'Number of pages', 1),
    total_elements: documented(z.int(), 'Number of items in total', 1),
  })
  .meta({ id: 'Pagination' })

const PAGE = `a whole number from 0 to ${Number.MAX_SAFE_INTEGER}`

/** The response repeats the number, so JSON has to carry it exactly. */
export const pageNumber = z.int(PAGE).min(0, PAGE)

export const toPagination = (
  { page, size }: PageRequest,
  total_elements: number,
  total_pages = Math.ceil(total_elements / size),
): z.input<typeof pagination> => ({
  page,
  size,
  total_pages,
  total_elements,
})
