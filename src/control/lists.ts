import * as z from 'zod'
import { pagination, showPagination } from '../contract/audit.js'
import { uuid } from '../contract/fields.js'
import { ok, type Reply } from '../http/operation.js'
import type { Row, Table } from '../world/kernel/table.js'

const DEFAULT_SIZE = 50
const LARGEST_SIZE = 1_000
const SIZE = `a whole number from 1 to ${LARGEST_SIZE}`

export const sizeOf = (description: string) =>
  z.int(SIZE).min(1, SIZE).max(LARGEST_SIZE, SIZE).default(DEFAULT_SIZE).meta({ description })

/** What every list of the control face takes. */
export const pageQuery = z.object({
  page: z.int('a whole number from 0').min(0, 'a whole number from 0').default(0).meta({
    description: 'Page number, from 0',
  }),
  size: sizeOf('Items per page'),
})

export const userFilter = { user_id: uuid().optional().meta({ description: 'Only of this user' }) }

export const listOf = (item: z.ZodType, id: string) =>
  z.object({ items: z.array(item), pagination }).meta({ id })

/** The narrowest index that a list's filters allow, and what is left to check on each record. */
export interface Selection<R extends Row, Index extends string> {
  readonly index: Index
  readonly key: string
  readonly also?: (record: R) => boolean
}

/** How a list is narrowed by user, by status, or by both. */
export const byUserAndStatus = <R extends Row & { readonly status: string }>(filters: {
  user_id?: string | undefined
  status?: R['status'] | undefined
}): Selection<R, 'all' | 'user' | 'status'> => {
  const { user_id, status } = filters
  if (!user_id) return { index: status ? 'status' : 'all', key: status ?? '' }
  const also = status ? { also: (record: R) => record.status === status } : {}
  return { index: 'user', key: user_id, ...also }
}

/** One page of a table, the newest first. */
export const listPage = <R extends Row, Index extends string>(
  table: Table<R, Index>,
  { index, key, also }: Selection<R, Index>,
  query: { page: number; size: number },
  show: (record: R) => unknown,
): Reply => {
  const { page, size } = query
  if (!also) {
    const items = table.page(index, key, page, size).map(show)
    return ok({ items, pagination: showPagination(query, table.count(index, key)) })
  }
  return ok(pageOf(table.list(index, key).filter(also).reverse(), query, show))
}

/** One page of a short list that is at hand. */
export const pageOf = <T>(
  all: readonly T[],
  query: { page: number; size: number },
  show: (item: T) => unknown,
) => ({
  items: all.slice(query.page * query.size, (query.page + 1) * query.size).map(show),
  pagination: showPagination(query, all.length),
})
