import type { Readings } from '../assumptions/use.js'
import { Refusal } from '../kernel/refusal.js'
import type { Row } from '../kernel/row.js'
import type { Table } from '../kernel/table.js'
import { listFromInitiation, type OfframpListing, pendingAddresses } from './offramps.js'
import type { Tables, Transfer, User } from './schema.js'
import { recordListAssumptions, recordTransferAssumptions } from './transfer-assumptions.js'
import { getTransfer } from './transfers.js'
import { isSparse, resolveUser } from './users.js'

export interface PageRequest {
  /** Starts at 0. */
  readonly page: number
  readonly size: number
}

export interface ListPage<R> {
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

const isPast = ({ page, size }: PageRequest, count: number): boolean => page * size >= count

const readPage = <R>(
  readings: Readings,
  page: PageRequest,
  { count, newestFirst, oldestFirst }: PageSource<R>,
): ListPage<R> => {
  const totalPages = countPages(readings, page, count)
  // Fewer than two records have no order.
  const isOrdered = count >= 2 && !isPast(page, count)
  const isNewestFirst = !isOrdered || readings.use('list.order') === 'newest_first'
  return { count, totalPages, records: (isNewestFirst ? newestFirst : oldestFirst)(page) }
}

/** Refuses a page after the last one, where that is not an empty page (audit.pages). */
const countPages = (readings: Readings, page: PageRequest, count: number): number => {
  const totalPages = Math.ceil(count / page.size)
  const isMissing = page.page > 0 && isPast(page, count)
  if (isMissing && readings.use('audit.pages') === 'not_found') {
    const last = Math.max(totalPages - 1, 0)
    const expected = last === 0 ? '0' : `0 to ${last}`
    throw new Refusal('unknown', { field: 'page', received: page.page, expected })
  }
  return count === 0 && readings.use('audit.pages') === 'one_page' ? 1 : totalPages
}

/** Refuses an unknown user, unless its history is an empty list (resource.unknown). */
const assertHistoryUser = (tables: Tables, readings: Readings, id: string): void => {
  if (tables.users.get(id) || readings.use('resource.unknown') === 'empty') return
  resolveUser(tables, id, readings.asReader)
}

/** A page of a user's transfers; those of offramps may be left out (transfer_audit.offramps). */
export const listTransfers = (
  tables: Tables,
  readings: Readings,
  user_id: string,
  page: PageRequest,
): ListPage<Transfer> => {
  assertHistoryUser(tables, readings, user_id)
  const list = readPage(readings, page, transferSource(tables, readings, user_id))
  for (const transfer of list.records) recordTransferAssumptions(tables, readings, transfer)
  return list
}

const transferSource = (
  tables: Tables,
  readings: Readings,
  user_id: string,
): PageSource<Transfer> => {
  const { offramps, transfers } = tables
  if (readings.peek('transfer_audit.offramps') === 'listed') {
    recordListAssumptions(tables, readings, user_id)
  }
  const hasOfframps = offramps.count('user', user_id) > 0
  if (!hasOfframps || readings.use('transfer_audit.offramps') === 'listed') {
    return tableSource(transfers, user_id)
  }
  return listSource(transfers.list('user', user_id).filter(({ kind }) => kind !== 'offramp'))
}

/** A page of a user's offramps, since their deposits or since their initiation (offramp.listed). */
export const listOfframps = (
  tables: Tables,
  readings: Readings,
  user_id: string,
  page: PageRequest,
): ListPage<OfframpListing> => {
  assertHistoryUser(tables, readings, user_id)
  recordListAssumptions(tables, readings, user_id)
  const list = isListedEarly(tables, readings, user_id, page)
    ? readPage(readings, page, listSource(listFromInitiation(tables, user_id)))
    : listFromDeposit(tables, readings, user_id, page)
  for (const { offramp } of list.records) {
    if (!offramp) continue
    recordTransferAssumptions(tables, readings, getTransfer(tables, offramp.transfer_id))
  }
  return list
}

const listFromDeposit = (
  tables: Tables,
  readings: Readings,
  user_id: string,
  page: PageRequest,
): ListPage<OfframpListing> => {
  const { records, ...rest } = readPage(readings, page, tableSource(tables.offramps, user_id))
  return { ...rest, records: records.map((offramp) => ({ initiation: offramp, offramp })) }
}

const isListedEarly = (
  tables: Tables,
  readings: Readings,
  user_id: string,
  page: PageRequest,
): boolean =>
  (!isPast(page, tables.offramps.count('user', user_id)) ||
    pendingAddresses(tables, user_id).length > 0) &&
  readings.use('offramp.listed') === 'on_initiate'

/** All users of the account, or one page of them (users.list). */
export const listUsers = (
  { users }: Tables,
  readings: Readings,
  page: PageRequest,
): ListPage<User> | { readonly records: readonly User[] } => {
  const all = users.list('all', '')
  if (all.length > 1 && readings.use('list.order') === 'newest_first') all.reverse()
  const list =
    readings.use('users.list') === 'array'
      ? { records: all }
      : {
          count: all.length,
          totalPages: countPages(readings, page, all.length),
          records: slice(all, page),
        }
  if (list.records.some(isSparse)) readings.record('user.required', 'minimal')
  return list
}
