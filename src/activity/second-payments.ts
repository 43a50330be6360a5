import type { Payout, Tables } from '../domain/schema.js'
import { type CertainPayment, isPaidTwice, toBill } from '../history/paid-twice.js'
import { oncePerState } from './once-per-state.js'
import type { View } from './view.js'

/** Bills that were paid twice, the oldest first: what verdicts find, without those that may be wanted. */
export const readSecondPayments = oncePerState(({ sandbox, live }: View) =>
  sandbox.verificationInput(live, live.world).paidTwice().twice.filter(isPaidTwice),
)

/** The pair of a payout, which is the first or the second payment of its bill. */
export const findPair = (view: View, { id }: Payout): CertainPayment | undefined => {
  const pairs = readSecondPayments(view)
  return pairs.find(({ payout }) => payout.id === id) ?? pairs.find(({ of }) => of.id === id)
}

/** The payout that pays the bill of a failed one after it. */
export const findRepayment = (tables: Tables, failed: Payout): Payout | undefined => {
  const bill = toBill(failed)
  return tables.payouts
    .list('user', failed.user_id)
    .find((it) => it.n > failed.n && it.status !== 'PAYOUT_FAILED' && toBill(it) === bill)
}
