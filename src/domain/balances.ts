import { assetDecimals } from './currencies.js'
import { getBalance, post } from './ledger.js'
import { type Amount, parseAmount, round, ZERO } from './money.js'
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
  const after = getBalance(tx.tables, `user:${user.id}`, input.currency) ?? ZERO
  return { currency: input.currency, amount: round(after, decimals) }
}

export const fiatBalances = (tables: Tables, user_id: string): FiatBalance[] =>
  [...tables.balances.of(`user:${user_id}`)]
    .map(([currency, { amount }]) => ({ currency, amount: round(amount, assetDecimals(currency)) }))
    .sort((a, b) => (a.currency < b.currency ? -1 : 1))
