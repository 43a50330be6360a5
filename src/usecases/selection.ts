import type { Row } from '../kernel/row.js'
import type { Table } from '../kernel/table.js'

/** The narrowest index that a list's filters allow, and what is left to check on each record. */
export interface Selection<R extends Row, Index extends string> {
  readonly index: Index
  readonly key: string
  readonly also?: (record: R) => boolean
}

/** A list that is not narrowed. */
export const ALL = { index: 'all', key: '' } as const

/** How a list is narrowed by user. */
export const byUser = (user_id: string | undefined) =>
  user_id ? ({ index: 'user', key: user_id } as const) : ALL

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

/** One page of what is selected, the newest first, and how many there are in all. */
export const selectPage = <R extends Row, Index extends string>(
  table: Table<R, Index>,
  { index, key, also }: Selection<R, Index>,
  { page, size }: { readonly page: number; readonly size: number },
): { records: R[]; total: number } => {
  if (!also) return { records: table.page(index, key, page, size), total: table.count(index, key) }
  const all = table.list(index, key).filter(also).reverse()
  return { records: all.slice(page * size, (page + 1) * size), total: all.length }
}
