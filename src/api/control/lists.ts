import * as z from 'zod'
import { pageNumber, pagination, toPagination } from '../../contract/pagination.js'
import { type Selection, selectPage } from '../../domain/selection.js'
import { badRequest } from '../../http/operation/api-error.js'
import { ok, type Reply } from '../../http/operation/operation.js'
import type { Row } from '../../kernel/row.js'
import type { Table } from '../../kernel/table.js'
import { wholeNumber } from '../../lib/yaml/strict.js'
import { userId } from './names.js'

const DEFAULT_SIZE = 50
const MAX_SIZE = 1_000

export const sizeSchema = (description: string) =>
  wholeNumber(1, MAX_SIZE).default(DEFAULT_SIZE).meta({ description })

export const pageQuery = z.object({
  page: pageNumber.default(0).meta({ description: 'Page number, from 0' }),
  size: sizeSchema('Items per page'),
})

export const userFilter = { user_id: userId().optional() }

export const listSchema = (item: z.ZodType, id: string) =>
  z.object({ items: z.array(item), pagination }).meta({ id })

/** Maximum length of a page in characters of JSON. */
export const MAX_PAGE = 32 * 1024 * 1024

/** Refuses a page that is too long for a string, or would block other requests for long. */
export const withinPage = <T>(items: readonly T[]): readonly T[] => {
  let length = 0
  for (const item of items) {
    length += JSON.stringify(item).length
    if (length > MAX_PAGE) {
      throw badRequest(
        `Invalid size: got ${items.length} items of more than ${MAX_PAGE} characters together. ` +
          'Expected a page that is shorter. Ask for a smaller size.',
      )
    }
  }
  return items
}

/** One page of a table, the newest first. */
export const listPage = <R extends Row, Index extends string>(
  table: Table<R, Index>,
  selection: Selection<R, Index>,
  query: { page: number; size: number },
  show: (record: R) => unknown,
): Reply => {
  const { records, total } = selectPage(table, selection, query)
  return ok({ items: withinPage(records.map(show)), pagination: toPagination(query, total) })
}

export const toPage = <T>(
  all: readonly T[],
  query: { page: number; size: number },
  show: (item: T) => unknown,
) => ({
  items: withinPage(all.slice(query.page * query.size, (query.page + 1) * query.size).map(show)),
  pagination: toPagination(query, all.length),
})
