import type { Readings } from '../../assumptions/use.js'
import { type Page, toPagination } from '../../contract/pagination.js'
import { toAsset } from '../../domain/chains.js'
import { hasDepositsRoutedBy } from '../../domain/deposits.js'
import {
  isBelowFee,
  type Offramp,
  ROUTING_READINGS,
  type Tables,
  type Transfer,
} from '../../domain/schema.js'
import { isRounded } from '../../domain/transfers.js'
import { resolveUser } from '../../domain/users.js'
import { ok, type Reply } from '../../http/operation.js'
import { notFound } from '../../kernel/refusal.js'
import type { Row } from '../../kernel/row.js'
import type { Table } from '../../kernel/table.js'

/** What an audit lists: how many there are, and one page of them in either order. */
export interface Listed<R> {
  readonly count: number
  readonly newestFirst: (page: Page) => readonly R[]
  readonly oldestFirst: (page: Page) => readonly R[]
}

/** What a table lists for a user. */
export const pageSource = <R extends Row>(
  table: Table<R, 'all' | 'user'>,
  id: string,
): Listed<R> => ({
  count: table.count('user', id),
  newestFirst: ({ page, size }) => table.page('user', id, page, size),
  oldestFirst: ({ page, size }) => table.list('user', id).slice(page * size, (page + 1) * size),
})

/** What a list at hand holds, which has the oldest first. */
export const toListed = <R>(all: readonly R[]): Listed<R> => {
  const slice = (list: readonly R[], { page, size }: Page) =>
    list.slice(page * size, (page + 1) * size)
  return {
    count: all.length,
    newestFirst: (page) => slice(all.toReversed(), page),
    oldestFirst: (page) => slice(all, page),
  }
}

/** One page of what there is for a user. */
export const auditPage = <R>(
  readings: Readings,
  user_id: string,
  page: Page,
  { count, newestFirst, oldestFirst }: Listed<R>,
  show: (record: R) => object,
): Reply => {
  const pagination = paginate(readings, page, count)
  const isOneWay = count < 2 || isPast(page, count)
  const isNewestFirst = isOneWay || readings.use('list.order') === 'newest_first'
  const records = (isNewestFirst ? newestFirst : oldestFirst)(page)
  return ok({ user_id, transactions: records.map(show), pagination })
}

/** Where a page stands among so many items; one after the last may be refused. */
export const paginate = (readings: Readings, page: Page, count: number) => {
  if (page.page > 0 && isPast(page, count)) assertShown(readings, page, count)
  const pagination = toPagination(page, count)
  const hasPage = count === 0 && readings.use('audit.pages') === 'one_page'
  return hasPage ? { ...pagination, total_pages: 1 } : pagination
}

export const isPast = ({ page, size }: Page, count: number): boolean => page * size >= count

/** Refuses a page after the last, where it is not read as an empty one. Of nothing page 0 is the last. */
const assertShown = (readings: Readings, { page, size }: Page, count: number): void => {
  if (readings.use('audit.pages') !== 'not_found') return
  const last = Math.max(Math.ceil(count / size) - 1, 0)
  throw notFound('page', `${page} came; accepted: ${last === 0 ? '0' : `0 to ${last}`}`)
}

/** Refuses an unknown user, unless its audit is an empty list (resource.unknown). */
export const assertUser = (tables: Tables, readings: Readings, id: string): void => {
  if (tables.users.get(id) || readings.use('resource.unknown') === 'empty') return
  resolveUser(tables, id, readings.asReader)
}

/** Notes what a transfer as it is now rests on: its rounding, a return after its payment, its deposit. */
export const recordTransferAssumptions = (
  tables: Tables,
  readings: Readings,
  transfer: Transfer,
): void => {
  if (isRounded(transfer)) readings.record('conversion.rounding', transfer.rounding ?? 'half_even')
  if (transfer.rate_fixed) readings.record('conversion.rate_fixed', transfer.rate_fixed)
  if (isReturned(transfer)) readings.record('transfer.transitions', 'sandbox')
  recordDepositAssumptions(tables, readings, transfer)
}

const isReturned = ({ status, reached }: Transfer): boolean =>
  status === 'FAILED' && reached.PAYMENT_PROCESSED !== undefined

/** Notes what it rests on that a deposit became this transfer. */
export const recordDepositAssumptions = (
  tables: Tables,
  readings: Readings,
  transfer: Transfer,
): void => {
  if (isBelowFee(transfer)) readings.record('offramp.below_fee', 'failed')
  const offramp = tables.offramps.first('transfer', transfer.id)
  if (!offramp) return
  if (!wasExpected(tables, offramp, transfer)) readings.record('offramp.other_token', 'converted')
  const { inactive_user, beyond_limits } = offramp
  if (inactive_user) readings.record('deposit.inactive_user', inactive_user)
  if (beyond_limits) readings.record('deposit.limits', 'any')
}

/** Notes what it rests on which deposits of a user are listed, on this page or another. */
export const recordListAssumptions = (
  tables: Tables,
  readings: Readings,
  user_id: string,
): void => {
  if (tables.transfers.count('below_fee', user_id) > 0)
    readings.record('offramp.below_fee', 'failed')
  if (tables.offramps.count('beyond_limits', user_id) > 0) readings.record('deposit.limits', 'any')
  for (const id of ROUTING_READINGS) {
    if (hasDepositsRoutedBy(tables, user_id, id)) readings.record(id, 'unmatched')
  }
}

const wasExpected = (
  tables: Tables,
  { instruction_id }: Offramp,
  { source_asset }: Transfer,
): boolean => {
  const expected = tables.instructions.get(instruction_id)
  return !expected || toAsset(expected.crypto, expected.chain) === source_asset
}
