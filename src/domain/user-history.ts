import type { Readings } from '../assumptions/use.js'
import { Refusal } from '../kernel/refusal.js'
import type { Row } from '../kernel/row.js'
import type { Table } from '../kernel/table.js'
import type { Offramp, Tables, Transfer, User } from './schema.js'
import { getUser } from './users.js'

export interface PageRequest {
  /** Starts at 0. */
  readonly page: number
  readonly size: number
}

interface ListPage<R> {
  readonly count: number
  readonly totalPages: number
  readonly records: readonly R[]
}

interface PageSource<R> {
  readonly count: number
  readonly newestFirst: (page: PageRequest) => readonly R[]
  readonly oldestFirst: (page: PageRequest) => readonly R[]
}

const tableSource = <R extends Row>(
  table: Table<R, 'all' | 'user'>,
  id: string,
): PageSource<R> => ({
  count: table.count('user', id),
  newestFirst: ({ page, size }) => table.page('user', id, page, size),
  oldestFirst: (page) => slice(table.list('user', id), page),
})

/** `all` has the oldest record first. */
const listSource = <R>(all: readonly R[]): PageSource<R> => ({
  count: all.length,
  newestFirst: (page) => slice(all.toReversed(), page),
  oldestFirst: (page) => slice(all, page),
})

const slice = <R>(list: readonly R[], { page, size }: PageRequest): R[] =>
  list.slice(page * size, (page + 1) * size)

const readPage = <R>(
  readings: Readings,
  page: PageRequest,
  { count, newestFirst, oldestFirst }: PageSource<R>,
): ListPage<R> => {
  const totalPages = Math.ceil(count / page.size)
  if (page.page > 0 && page.page >= totalPages && readings.audit.pages === 'not_found') {
    const expected = totalPages < 2 ? '0' : `0 to ${totalPages - 1}`
    throw new Refusal('unknown', { field: 'page', received: page.page, expected })
  }
  const isOldestFirst = count > 1 && readings.list.order === 'oldest_first'
  return { count, totalPages, records: (isOldestFirst ? oldestFirst : newestFirst)(page) }
}

/** Refuses an unknown user, unless its history is an empty list (resource.unknown). */
const assertHistoryUser = (tables: Tables, readings: Readings, id: string): void => {
  if (!tables.users.get(id) && readings.resource.unknown !== 'empty') getUser(tables, id)
}

/** A page of a user's transfers; those of offramps may be left out (transfer_audit.offramps). */
export const listTransfers = (
  tables: Tables,
  readings: Readings,
  user_id: string,
  page: PageRequest,
): ListPage<Transfer> => {
  assertHistoryUser(tables, readings, user_id)
  const { transfers } = tables
  const hasOfframps = tables.offramps.count('user', user_id) > 0
  const all =
    hasOfframps && readings.transfer_audit.offramps === 'left_out'
      ? listSource(transfers.list('user', user_id).filter(({ kind }) => kind !== 'offramp'))
      : tableSource(transfers, user_id)
  return readPage(readings, page, all)
}

/** A page of a user's offramps. */
export const listOfframps = (
  tables: Tables,
  readings: Readings,
  user_id: string,
  page: PageRequest,
): ListPage<Offramp> => {
  assertHistoryUser(tables, readings, user_id)
  return readPage(readings, page, tableSource(tables.offramps, user_id))
}

/** All users of the account; a page of them under one reading (users.list). */
export const listUsers = (
  { users }: Tables,
  readings: Readings,
  page: PageRequest,
): ListPage<User> => {
  const all = users.list('all', '')
  const whole = { page: 0, size: Math.max(all.length, 1) }
  return readPage(readings, readings.users.list === 'array' ? whole : page, listSource(all))
}
