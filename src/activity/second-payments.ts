import type { Payout, Tables } from '../domain/schema.js'
import { buildLineage } from '../history/lineage.js'
import { type CertainPayment, findPaidTwice, isPaidTwice, toBill } from '../history/paid-twice.js'
import { showExchange } from '../history/views.js'
import { forEachChange } from '../kernel/command-record.js'
import { accumulate } from './accumulate.js'
import { findClientId } from './client-id.js'
import { oncePerState } from './once-per-state.js'
import type { View } from './view.js'

/** The own payouts of a world by bill. A bill with one payout has only its id. */
interface Bills {
  readonly ids: Map<string, string | Set<string>>
  readonly repeated: Set<ReadonlySet<string>>
}

const addTo = ({ ids, repeated }: Bills, payout: Payout): void => {
  const bill = toBill(payout)
  const before = ids.get(bill)
  if (before === undefined) ids.set(bill, payout.id)
  else if (typeof before !== 'string') before.add(payout.id)
  else if (before !== payout.id) {
    const both = new Set([before, payout.id])
    ids.set(bill, both)
    repeated.add(both)
  }
}

const readBills = accumulate(
  ({ sandbox, live, tables }): Bills => {
    const bills: Bills = { ids: new Map(), repeated: new Set() }
    const first = sandbox.verificationInput(live, live.world).firstOwn('payouts')
    for (const payout of tables.payouts.newestFirst()) {
      if (payout.n < first) break
      addTo(bills, payout)
    }
    return bills
  },
  (bills, entry) =>
    forEachChange(entry, 'payouts', (_, payout) => payout && addTo(bills, payout as Payout)),
)

/** Bills that were paid twice, the oldest first: what verdicts find, without those that may be wanted. */
export const readSecondPayments = oncePerState((view: View): readonly CertainPayment[] => {
  const { live, tables } = view
  const ids = new Set([...readBills(view).repeated].flatMap((it) => [...it]))
  const payouts = [...ids].flatMap((id) => tables.payouts.get(id) ?? []).sort((a, b) => a.n - b.n)
  if (payouts.length === 0) return []
  const clientIds = new Set(payouts.map((it) => it.customer_payout_id.toLowerCase()))
  // Only requests about these payouts count, so that no other body is parsed.
  const exchanges = () =>
    live.requests
      .list()
      .filter(
        (it) =>
          clientIds.has(findClientId(it)?.id ?? '') ||
          it.shown.split(', ').some((record) => ids.has(record.split(' ', 1)[0] ?? '')),
      )
      .map(showExchange)
  return findPaidTwice(payouts, exchanges, () => buildLineage(live.journal.all())).twice.filter(
    isPaidTwice,
  )
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

/** The payout that pays the bill of a failed one after it. */
export const findRepayment = (tables: Tables, failed: Payout): Payout | undefined => {
  const bill = toBill(failed)
  return tables.payouts
    .list('user', failed.user_id)
    .find((it) => it.n > failed.n && it.status !== 'PAYOUT_FAILED' && toBill(it) === bill)
}
