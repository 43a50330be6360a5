import { notFound, ruleViolation } from '../kernel/refusal.js'
import type { Posting } from './balance-index.js'
import { getBalance } from './ledger.js'
import { type Amount, Decimal, isZero, round, ZERO } from './money.js'
import { findRate, rateBetween } from './rails.js'
import type { Custody, Draw, Tables, Token, Tx } from './schema.js'

interface Holding {
  readonly wallet_id: string
  readonly token: Token
  readonly amount: Decimal
  readonly rate: Amount
}

/** Holdings with an exchange rate, oldest wallet first. */
const listHoldings = (tables: Tables, user_id: string, currency: string): Holding[] =>
  tables.wallets.list('user', user_id).flatMap(({ id: wallet_id }) =>
    [...tables.balances.of(`wallet:${wallet_id}`)].flatMap(([asset, { amount }]) => {
      const token = tables.tokens.get(asset)
      if (!token || !findRate(tables, token.symbol, currency)) return []
      return { wallet_id, token, amount, rate: rateBetween(tables, token.symbol, currency) }
    }),
  )

const valueOfHoldings = (
  tables: Tables,
  user_id: string,
  currency: string,
): Decimal | undefined => {
  const holdings = listHoldings(tables, user_id, currency)
  if (holdings.length === 0) return undefined
  return holdings.reduce((sum, { amount, rate }) => sum.plus(amount.times(rate)), ZERO)
}

/** Fiat, or what the crypto in custody is worth (payout.source). Refuses if there never was any (payout.balance). */
export const availableBalance = (tx: Tx, user_id: string, currency: string): Decimal => {
  const { tables, readings } = tx
  const balance =
    readings.payout.source === 'fiat'
      ? getBalance(tables, `user:${user_id}`, currency)
      : valueOfHoldings(tables, user_id, currency)
  if (balance) return balance
  const message = `user ${user_id} has no balance in ${currency}`
  throw readings.payout.balance === 'invalid'
    ? ruleViolation('currency', message)
    : notFound('currency', message)
}

/** The crypto that pays these amounts in the currency of the payout. */
export const drawCustody = (
  tables: Tables,
  user_id: string,
  currency: string,
  { amount, fee }: { readonly amount: Amount; readonly fee: Amount },
): Custody => {
  let rest = listHoldings(tables, user_id, currency)
  const draw = (part: Amount): Draw[] => {
    const drawn = drawFrom(rest, new Decimal(part))
    rest = rest.map((it, place) => ({ ...it, amount: it.amount.minus(drawn[place]?.amount ?? 0) }))
    return drawn.filter((it) => !isZero(it.amount))
  }
  return { amount: draw(amount), fee: draw(fee) }
}

/** Draws from each holding in turn, rounded up. */
const drawFrom = (holdings: readonly Holding[], total: Decimal): Draw[] => {
  let due = total
  return holdings.map(({ wallet_id, token, amount: held, rate }) => {
    const needed = due.gt(0) ? round(due.div(rate), token.decimals, Decimal.roundUp) : '0'
    const amount = held.lt(needed) ? round(held, token.decimals) : needed
    due = held.lt(needed) ? due.minus(held.times(rate)) : ZERO
    return { wallet_id, asset: token.id, amount }
  })
}

export const custodyPostings = (draws: readonly Draw[]): Posting[] =>
  draws.map(({ wallet_id, asset, amount }) => ({
    from: `wallet:${wallet_id}`,
    to: 'conversion',
    asset,
    amount,
  }))
