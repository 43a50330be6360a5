import type { Posting } from './balance-index.js'
import { fiatDecimals } from './currencies.js'
import { type Amount, type Decimal, isZero, round } from './money.js'
import type { Tables, Tx } from './schema.js'

/** Money between source and destination of a transfer or payout. */
export const TRANSIT = 'transit'

/** Crypto that no address expects, of any token. */
export const UNMATCHED = 'unmatched'

/** Each subject has a transit account of its own. */
export const resolveAccount = (subject: string, account: string): string =>
  account === TRANSIT ? `${TRANSIT}:${subject.slice(subject.indexOf(':') + 1)}` : account

/** Omits postings of zero. */
export const post = (tx: Tx, subject: string, postings: readonly Posting[]): void => {
  const { count } = tx
  const moving = postings
    .filter(isNonZero)
    .map(({ from, to, asset, amount }) => ({ from, to, asset, amount, count }))
  if (moving.length === 0) return
  const known = tx.tables.ledger.get(subject)
  if (known) {
    // concat, because a list built by spread reserves more memory, and this one is permanent.
    tx.replace('ledger', known, { ...known, movements: known.movements.concat(moving) })
  } else {
    tx.add('ledger', { id: subject, n: tx.tables.ledger.next, movements: moving })
  }
}

export const isNonZero = ({ amount }: Posting): boolean => !isZero(amount)

export const reversePostings = (postings: readonly Posting[]): Posting[] =>
  postings.map(({ from, to, asset, amount }) => ({ from: to, to: from, asset, amount }))

/** Undefined if the account never had any of the asset. */
export const getBalance = (tables: Tables, account: string, asset: string): Decimal | undefined =>
  tables.balances.of(account).get(asset)?.amount

/** With all decimals of the asset, if it is known. */
export const formatBalance = ({ tokens }: Tables, asset: string, amount: Decimal): Amount => {
  const decimals = fiatDecimals(asset) ?? tokens.get(asset)?.decimals
  return decimals === undefined ? amount.toFixed() : round(amount, decimals)
}
