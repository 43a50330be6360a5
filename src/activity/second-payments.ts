import type { Payout, Tables } from '../domain/schema.js'
import { isUnclear } from '../history/delivered.js'
import { buildLineage } from '../history/lineage.js'
import type { LogRecord } from '../history/log-record.js'
import { type CertainPayment, findPaidTwice, isPaidTwice, toBill } from '../history/paid-twice.js'
import { showExchange } from '../history/views.js'
import { forEachChange } from '../kernel/command-record.js'
import { accumulate } from './accumulate.js'
import { findClientId } from './client-id.js'
import { isResetUndone, listRequests } from './histories.js'
import { oncePerState } from './once-per-state.js'
import type { View } from './view.js'

interface Bills {
  /** The own payouts of a world by bill. A bill with one payout has only its id. */
  readonly ids: Map<string, string | Set<string>>
  /** Payouts with the id of the client and the bill of another one. */
  readonly sameId: Set<string>
}

const addTo = ({ ids, sameId }: Bills, { payouts }: Tables, payout: Payout): void => {
  const bill = toBill(payout)
  const before = ids.get(bill)
  if (before === undefined) ids.set(bill, payout.id)
  else if (typeof before !== 'string') before.add(payout.id)
  else if (before !== payout.id) ids.set(bill, new Set([before, payout.id]))
  const same = payouts.list('customer_id', payout.customer_payout_id.toLowerCase())
  if (same.length > 1) for (const it of same) if (toBill(it) === bill) sameId.add(it.id)
}

const readBills = accumulate(
  ({ sandbox, live, tables }): Bills => {
    const bills: Bills = { ids: new Map(), sameId: new Set() }
    const first = sandbox.verificationInput(live, live.world).firstOwn('payouts')
    for (const payout of tables.payouts.newestFirst()) {
      if (payout.n < first) break
      addTo(bills, tables, payout)
    }
    return bills
  },
  (bills, entry, { tables }) =>
    forEachChange(
      entry,
      'payouts',
      (_, payout) => payout && addTo(bills, tables, payout as Payout),
    ),
)

/** Payouts that may pay a bill twice: under one id, or made by a request of the log beside one with a lost answer. */
const findCandidates = (view: View, log: readonly LogRecord[]): Payout[] => {
  const { payouts } = view.tables
  const { ids, sameId } = readBills(view)
  const found = new Set(sameId)
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
  const repeated = [...bills].filter((bill) => typeof ids.get(bill) === 'object')
  if (repeated.length > 0) {
    for (const it of log.flatMap(payoutsOf)) if (repeated.includes(toBill(it))) found.add(it.id)
  }
  return [...found].flatMap((id) => payouts.get(id) ?? []).sort((a, b) => a.n - b.n)
}

/** Bills that were paid twice, the oldest first: what verdicts find, without those that may be wanted. */
export const readSecondPayments = oncePerState((view: View): readonly CertainPayment[] => {
  const { requests, journal } = view.live
  if (readBills(view).sameId.size === 0 && !requests.hasUnclear() && !isResetUndone(view)) return []
  const log = listRequests(view)
  const payouts = findCandidates(view, log)
  const ids = new Set(payouts.map(({ id }) => id))
  const clientIds = new Set(payouts.map((it) => it.customer_payout_id.toLowerCase()))
  // Only requests about these payouts count, so that no other body is parsed.
  const isAbout = (it: LogRecord): boolean =>
    clientIds.has(findClientId(it)?.id ?? '') ||
    it.shown.split(', ').some((record) => ids.has(record.split(' ', 1)[0] ?? ''))
  const exchanges = () => log.filter(isAbout).map(showExchange)
  const { twice } = findPaidTwice(payouts, exchanges, () => buildLineage(journal.all()))
  return twice.filter(isPaidTwice)
})

/** By the id of each payout of a pair: the pair in which it is the second payment, else the first. */
const readPairs = oncePerState((view: View): ReadonlyMap<string, CertainPayment> => {
  const pairs = readSecondPayments(view).toReversed()
  return new Map([
    ...pairs.map((it) => [it.of.id, it] as const),
    ...pairs.map((it) => [it.payout.id, it] as const),
  ])
})

export const findPair = (view: View, { id }: Payout): CertainPayment | undefined =>
  readPairs(view).get(id)

/** A payout with the values of a failed one, if possible after it. */
export const findEqualPayment = (tables: Tables, failed: Payout): Payout | undefined => {
  const bill = toBill(failed)
  const equal = tables.payouts
    .list('user', failed.user_id)
    .filter((it) => it.status !== 'PAYOUT_FAILED' && toBill(it) === bill)
  return equal.find(({ n }) => n > failed.n) ?? equal[0]
}
