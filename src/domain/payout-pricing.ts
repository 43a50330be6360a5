import { invalidInput } from '../kernel/refusal.js'
import { assetDecimals } from './currencies.js'
import {
  type Amount,
  Decimal,
  hasExcess,
  isTooLarge,
  isZero,
  parseAmount,
  plus,
  round,
  scaled,
} from './money.js'
import type { Tx } from './schema.js'

export type PricingContext = Pick<Tx, 'tables' | 'useReading'>

export const payoutAmount = (tx: PricingContext, text: string, currency: string): Amount => {
  const decimals = assetDecimals(currency)
  const amount = roundToScale(tx, text, decimals)
  if (amount !== text && isZero(amount)) {
    throw invalidInput('amount', text, `an amount above zero when rounded to ${currency}`)
  }
  const read = parseAmount(amount, decimals, currency)
  if (read.startsWith('0') && tx.useReading('payout.amount_limits') === 'one_unit') {
    throw invalidInput('amount', text, `at least 1 ${currency}`)
  }
  return read
}

/** Rounds an amount with too many decimals, or leaves it to be refused (payout.amount_scale). */
export const roundToScale = (tx: PricingContext, text: string, decimals: number): string => {
  const isRounded = hasExcess(text, decimals) && tx.useReading('payout.amount_scale') === 'rounded'
  const amount = isRounded ? scaled(text, decimals) : text
  // Every reading refuses the amount, but its limit is still an assumption.
  if (isTooLarge(amount, decimals)) tx.useReading('payout.amount_limits')
  return amount
}

export interface Fee {
  readonly amount: Amount
  readonly fee: Amount
  readonly currency: string
  readonly deducted: boolean
  readonly total: Decimal
}

export const describeFee = ({ amount, fee, currency, deducted, total }: Fee): string =>
  deducted
    ? `the amount is ${amount} ${currency}`
    : `${amount} and the fee of ${fee} make ${round(total, assetDecimals(currency))} ${currency}`

/** Refuses an amount that the fee would use up (payout.fee). */
export const computeFee = (
  tx: PricingContext,
  amount: Amount,
  fee: Amount,
  currency: string,
): Fee => {
  if (tx.useReading('payout.fee') === 'on_top') {
    return { amount, fee, currency, deducted: false, total: plus(amount, fee) }
  }
  const total = new Decimal(amount)
  if (total.gt(fee)) return { amount, fee, currency, deducted: true, total }
  throw invalidInput('amount', amount, `more than the fee of ${fee} ${currency}`)
}
