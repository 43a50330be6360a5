import type { Payout, Tables } from '../domain/schema.js'
import { isUnclear } from '../history/delivered.js'
import { buildLineage } from '../history/lineage.js'
import type { LogRecord } from '../history/log-record.js'
import { type CertainPayment, findPaidTwice, isPaidTwice, toBill } from '../history/paid-twice.js'
import { showExchange } from '../history/views.js'
import { forEachChange } from '../kernel/command-record.js'
import { accumulate } from './accumulate.js'
import { findClientId } from './client-id.js'
import { oncePerState } from './once-per-state.js'
import type { View } from './view.js'

/** With all payouts of the bill, oldest first. */
export type RepeatedPayment = CertainPayment & { readonly payouts: readonly Payout[] }

const addTo = (ids: Set<string>, { payouts }: Tables, { customer_payout_id }: Payout): void => {
  const id = customer_payout_id.toLowerCase()
  if (payouts.count('customer_id', id) > 1) ids.add(id)
}

/** The ids of clients that several own payouts of a world have. */
const readRepeatedIds = accumulate(
  ({ sandbox, live, tables }) => {
    const ids = new Set<string>()
    const first = sandbox.verificationInput(live, live.world).firstOwn('payouts')
    for (const payout of tables.payouts.newestFirst()) {
      if (payout.n < first) break
      addTo(ids, tables, payout)
    }
    return ids
  },
  (ids, entry, { tables }) =>
    forEachChange(entry, 'payouts', (_, payout) => payout && addTo(ids, tables, payout as Payout)),
)

/** Payouts that may pay a bill twice: under one id, or made by a request of the log beside one with a lost answer. */
const findCandidates = (view: View, log: readonly LogRecord[]): Payout[] => {
  const { payouts } = view.tables
  const ids = payouts.isUnique('customer_id') ? [] : [...readRepeatedIds(view)]
  const found = new Set(ids.flatMap((it) => payouts.list('customer_id', it)))
  const payoutsOf = (it: LogRecord): Payout[] => {
    const client = findClientId(it)
    return client?.noun === 'payout' ? payouts.list('customer_id', client.id) : []
  }
  const bills = new Set(
    log
      .filter((it) => !it.pending && isUnclear(it))
      .flatMap(payoutsOf)
      .map(toBill),
  )
  if (bills.size > 0)
    for (const it of log.flatMap(payoutsOf)) if (bills.has(toBill(it))) found.add(it)
  return [...found].sort((a, b) => a.n - b.n)
}

/** Payments that repeat another one, the oldest first: what verdicts find, without those that may be wanted. */
const readRepeats = oncePerState((view: View): readonly RepeatedPayment[] => {
  const { requests, journal } = view.live
  const isUnique = view.tables.payouts.isUnique('customer_id')
  if (isUnique && !requests.hasUnclear()) return []
  const log = requests.recent().reverse()
  const payouts = findCandidates(view, log)
  const ids = new Set(payouts.map(({ id }) => id))
  const clientIds = new Set(payouts.map((it) => it.customer_payout_id.toLowerCase()))
  // Only requests about these payouts count, so that no other body is parsed.
  const isAbout = (it: LogRecord): boolean =>
    clientIds.has(findClientId(it)?.id ?? '') ||
    it.shown.split(', ').some((record) => ids.has(record.split(' ', 1)[0] ?? ''))
  const exchanges = () => log.filter(isAbout).map(showExchange)
  const { twice } = findPaidTwice(payouts, exchanges, () => buildLineage(journal.all()))
  const certain = twice.filter(isPaidTwice)
  const bills = joinPayments(certain)
  return certain.map((it) => ({ ...it, payouts: bills.get(it.of) ?? [] }))
})

/** Oldest first, by each payout that pays the bill. */
const joinPayments = (pairs: readonly CertainPayment[]): ReadonlyMap<Payout, readonly Payout[]> => {
  const bills = new Map<Payout, Payout[]>()
  for (const { of, payout } of pairs) {
    const bill = bills.get(of) ?? [of]
    const joined = bills.get(payout) ?? [payout]
    if (joined !== bill) bill.push(...joined)
    for (const it of [of, ...joined]) bills.set(it, bill)
  }
  for (const bill of new Set(bills.values())) bill.sort((a, b) => a.n - b.n)
  return bills
}

/** The first repeat of each bill that was paid more than once. */
export const readSecondPayments = (view: View): readonly RepeatedPayment[] => {
  const repeats = readRepeats(view).toReversed()
  return [...new Map(repeats.map((it) => [it.payouts, it])).values()].reverse()
}

/** By the id of each payout of a pair: the pair in which it is the second payment, else the first. */
const readPairs = oncePerState((view: View): ReadonlyMap<string, RepeatedPayment> => {
  const pairs = readRepeats(view).toReversed()
  return new Map([
    ...pairs.map((it) => [it.of.id, it] as const),
    ...pairs.map((it) => [it.payout.id, it] as const),
  ])
})

export const findPair = (view: View, { id }: Payout): RepeatedPayment | undefined =>
  readPairs(view).get(id)

/** A payout with the values of a failed one, if possible after it. */
export const findEqualPayment = (tables: Tables, failed: Payout): Payout | undefined => {
  const bill = toBill(failed)
  const equal = tables.payouts
    .list('user', failed.user_id)
    .filter((it) => it.status !== 'PAYOUT_FAILED' && toBill(it) === bill)
  return equal.find(({ n }) => n > failed.n) ?? equal[0]
}
