import type { Row } from '../kernel/row.js'
import type { Table } from '../kernel/table.js'

/** An index lookup. `also` filters its records by the remaining conditions. */
export interface Selection<R extends Row, Index extends string> {
  readonly index: Index
  readonly key: string
  readonly also?: (record: R) => boolean
}

export const ALL = { index: 'all', key: '' } as const

export const byUser = (user_id: string | undefined) =>
  user_id ? ({ index: 'user', key: user_id } as const) : ALL

/** Uses the index of the user if there is one: a user has fewer records than a status. */
export const byUserAndStatus = <R extends Row & { readonly status: string }>(filters: {
  user_id?: string | undefined
  status?: R['status'] | undefined
}): Selection<R, 'all' | 'user' | 'status'> => {
  const { user_id, status } = filters
  if (!user_id) return { index: status ? 'status' : 'all', key: status ?? '' }
  const also = status ? { also: (record: R) => record.status === status } : {}
  return { index: 'user', key: user_id, ...also }
}

/** Returns one page, newest first, and the number of all selected records. */
export const selectPage = <R extends Row, Index extends string>(
  table: Table<R, Index>,
  { index, key, also }: Selection<R, Index>,
  { page, size }: { readonly page: number; readonly size: number },
): { records: R[]; total: number } => {
  if (!also) return { records: table.page(index, key, page, size), total: table.count(index, key) }
  const all = table.list(index, key).filter(also).reverse()
  return { records: all.slice(page * size, (page + 1) * size), total: all.length }
}
