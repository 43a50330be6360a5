import type { Payout } from '../domain/schema.js'
import {
  type CertainPayment,
  isPaidTwice,
  KINDS,
  type SecondPayment,
} from '../history/paid-twice.js'
import { formatDuration, formatMoney } from './format.js'
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

/** `paid twice: 99.99 USD, 7 ms after the answer was lost, with a new id` */
export const describePaidTwice = ({ payout, kind, after_ms }: SecondPayment): string => {
  const sum = formatMoney(payout.amount, payout.currency)
  const when = after_ms === null ? KINDS[kind] : `${formatDuration(after_ms)} ${KINDS[kind]}`
  return `paid twice: ${sum}, ${when}${kind === 'same_id' ? '' : ', with a new id'}`
}
