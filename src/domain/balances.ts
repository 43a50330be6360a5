import { notFound, ruleViolation } from '../kernel/refusal.js'
import { assetDecimals } from './currencies.js'
import { getBalance, post } from './ledger.js'
import { type Amount, type Decimal, parseAmount, round } from './money.js'
import type { Tables, Tx } from './schema.js'
import { getUser } from './users.js'

/** A sum of postings, never a stored figure. */
export interface FiatBalance {
  readonly currency: string
  readonly amount: Amount
}

export interface Credit {
  readonly user_id: string
  readonly currency: string
  readonly amount: string
}

/** Returns the balance after the credit. */
export const creditBalance = (tx: Tx, input: Credit): FiatBalance => {
  const user = getUser(tx.tables, input.user_id)
  const decimals = assetDecimals(input.currency)
  const amount = parseAmount(input.amount, decimals, input.currency)
  const credit = tx.uuid()
  post(tx, `credit:${credit}`, [
    { from: 'outside', to: `user:${user.id}`, asset: input.currency, amount },
  ])
  tx.emit({ type: 'balance.credited', id: user.id, credit, currency: input.currency, amount })
  const after = availableBalance(tx, user.id, input.currency)
  return { currency: input.currency, amount: round(after, decimals) }
}

export const fiatBalances = (tables: Tables, user_id: string): FiatBalance[] =>
  [...tables.balances.of(`user:${user_id}`)]
    .map(([currency, { amount }]) => ({ currency, amount: round(amount, assetDecimals(currency)) }))
    .sort((a, b) => (a.currency < b.currency ? -1 : 1))

/** Refuses a currency in which the user never had money (payout.balance). */
export const availableBalance = (
  tx: Tx,
  user_id: string,
  currency: string,
  amount: Decimal | null | undefined = getBalance(tx.tables, `user:${user_id}`, currency),
): Decimal => {
  if (amount) return amount
  const message = `user ${user_id} has no balance in ${currency}`
  throw tx.useReading('payout.balance') === 'invalid'
    ? ruleViolation('currency', message)
    : notFound('currency', message)
}
