import { PAYOUT_STATUSES, type Payout, TRANSFER_STATUSES, type Transfer } from '../domain/schema.js'
import { compareByDue, type Timer } from '../kernel/timer-records.js'
import { isDone, isFailed, planSentence, UNDER_WAY } from './record-sentences.js'
import { findPayments } from './search.js'
import { readSecondPayments } from './second-payments.js'
import type { View } from './view.js'

export type Payment = Payout | Transfer

export const isPayout = (it: Payment): it is Payout => 'rail_fee' in it

export const PAYMENT_KINDS = ['payouts', 'transfers'] as const

export const STATUSES: readonly string[] = [...new Set([...PAYOUT_STATUSES, ...TRANSFER_STATUSES])]

/** The statuses of each filter. Two of them choose among their records once more. */
export const FILTERS: Readonly<Record<string, readonly string[]>> = {
  under_way: UNDER_WAY,
  waiting: UNDER_WAY,
  processed: STATUSES.filter(isDone),
  failed: STATUSES.filter((it) => it.endsWith('FAILED')),
  cancelled: STATUSES.filter((it) => isFailed(it) && !it.endsWith('FAILED')),
  paid_twice: STATUSES,
}

export interface PaymentQuery {
  readonly kind?: (typeof PAYMENT_KINDS)[number] | undefined
  /** A filter, or a status of the API. */
  readonly status?: string | undefined
  readonly user_id?: string | undefined
  readonly text?: string | undefined
}

/** Payouts, transfers or both: those of a query, and how many each filter would find. */
export const readPayments = (view: View, query: PaymentQuery) => {
  const { tables } = view
  const { now } = view.live.world
  const { kind, status, user_id, text } = query
  const kinds = PAYMENT_KINDS.filter((it) => kind === undefined || it === kind)
  const timers = nextTimers(view)
  const planOf = ({ id, status }: Payment) => planSentence(timers.get(id), now, status)
  const planned = [...timers].flatMap(([id, timer]) => {
    const payment = kinds.map((it) => tables[it].get(id)).find((it) => it !== undefined)
    return payment && planOf(payment)
      ? [{ timer, isMoving: UNDER_WAY.includes(payment.status) }]
      : []
  })
  const [moving, returning] = [true, false].map((is) =>
    planned.filter(({ isMoving }) => isMoving === is).map(({ timer }) => timer),
  ) as [Timer[], Timer[]]
  const count = (statuses: readonly string[]): number =>
    statuses
      .flatMap((status) => kinds.map((it) => tables[it].count('status', status)))
      .reduce((a, b) => a + b, 0)
  const waiting = count(UNDER_WAY) - moving.length
  const twice = new Set(readSecondPayments(view).flatMap((it) => it.payouts.map(({ id }) => id)))
  const countOf = (filter: string): number => {
    if (filter === 'waiting') return waiting
    if (filter !== 'paid_twice') return count(FILTERS[filter] ?? [filter])
    return kind === 'transfers' ? 0 : twice.size
  }
  const total = count(STATUSES)
  const statuses = status === undefined ? STATUSES : (FILTERS[status] ?? [status])
  // To find most payments by their ids costs more than to look at all.
  const isMost = 2 * count(statuses) > total
  const isAny = statuses === STATUSES
  function* records(): Generator<Payment> {
    for (const kind of kinds) {
      const table = tables[kind]
      // Newest first, which is nearly the order of the list.
      const found: Iterable<Payment> =
        user_id !== undefined
          ? table.list('user', user_id).reverse()
          : isMost && text !== undefined
            ? findPayments(view, kind, [text])
            : isMost
              ? table.newestFirst()
              : statuses.flatMap<Payment>((it) => table.list('status', it).reverse())
      for (const it of found) {
        if (!isAny && !statuses.includes(it.status)) continue
        if (status === 'paid_twice' && !twice.has(it.id)) continue
        if (status !== 'waiting' || planOf(it) === undefined) yield it
      }
    }
  }
  return { records, total, countOf, moving, waiting, returning, twice, planOf }
}

/** The next timer of each record, in the order in which they are due. */
const nextTimers = ({ tables }: View): ReadonlyMap<string, Timer> => {
  const next = new Map<string, Timer>()
  for (const timer of [...tables.timers.values()].sort(compareByDue)) {
    if (!next.has(timer.plan.subject)) next.set(timer.plan.subject, timer)
  }
  return next
}
