import { Big } from './big.js'
import { decimalsOf } from './currencies.js'
import { broken } from './kernel/refusal.js'
import {
  type Amount,
  hasExcess,
  isTooLarge,
  isZero,
  plus,
  readAmount,
  round,
  scaled,
} from './money.js'
import type { Tx } from './world.js'

/** What it takes to work out the terms of a payout: the tables, and how open questions are read. */
export type Terms = Pick<Tx, 'tables' | 'reading'>

/** The amount of a payout in as many decimals as its currency has. */
export const payoutAmount = (tx: Terms, text: string, currency: string): Amount => {
  const decimals = decimalsOf(currency)
  const amount = withoutExcess(tx, text, decimals)
  if (amount !== text && isZero(amount)) {
    throw broken('amount', `${text} came, which is rounded to ${amount}; it must be above zero`)
  }
  const read = readAmount(amount, decimals, currency)
  if (read.startsWith('0') && tx.reading('payout.amount_limits') === 'one_unit') {
    throw broken('amount', `${text} came; accepted: from 1 ${currency}`)
  }
  return read
}

/** The amount as it is read when it has more decimals than its currency (payout.amount_scale). */
export const withoutExcess = (tx: Terms, text: string, decimals: number): string => {
  const isRounded = hasExcess(text, decimals) && tx.reading('payout.amount_scale') === 'rounded'
  const amount = isRounded ? scaled(text, decimals) : text
  // Refused in every reading, but how large an amount may be is a guess all the same.
  if (isTooLarge(amount, decimals)) tx.reading('payout.amount_limits')
  return amount
}

export interface Fee {
  readonly amount: Amount
  readonly fee: Amount
  readonly currency: string
  readonly deducted: boolean
  /** What leaves the balance. */
  readonly total: Big
}

export const inWords = ({ amount, fee, currency, deducted, total }: Fee): string =>
  deducted
    ? `${amount} ${currency} came`
    : `${amount} and the fee of ${fee} make ${round(total, decimalsOf(currency))} ${currency}`

/** Who bears the fee; refuses an amount of which nothing would be left. */
export const feeOf = (tx: Terms, amount: Amount, fee: Amount, currency: string): Fee => {
  if (tx.reading('payout.fee') === 'on_top') {
    return { amount, fee, currency, deducted: false, total: plus(amount, fee) }
  }
  const total = new Big(amount)
  if (total.gt(fee)) return { amount, fee, currency, deducted: true, total }
  throw broken('amount', `${amount} came; the fee of ${fee} ${currency} would leave nothing of it`)
}
