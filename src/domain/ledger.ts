import type { Posting } from './balance-index.js'
import type { Decimal } from './decimal.js'
import { isZero } from './money.js'
import type { Tables, Tx } from './schema.js'

/** Where a transfer's or payout's money is between its source and its destination. */
export const TRANSIT = 'transit'

/** Where crypto is kept that nobody expects, of tokens that nobody knows too. */
export const UNMATCHED = 'unmatched'

/** Where the money of failed transfers waits for a decision (transfer.failed_funds). */
export const HELD = 'held'

/** The account that a movement of this subject names: transit is each subject's own. */
export const accountOf = (subject: string, account: string): string =>
  account === TRANSIT ? `${TRANSIT}:${subject.slice(subject.indexOf(':') + 1)}` : account

/** Moves money on behalf of a subject. Movements of zero are left out. */
export const post = (tx: Tx, subject: string, postings: readonly Posting[]): void => {
  const moving = postings.every(isNonZero) ? postings : postings.filter(isNonZero)
  if (moving.length === 0) return
  const known = tx.tables.ledger.get(subject)
  if (known) {
    // Joined, not spread: a list that was spread into keeps room for more, and this one stays for good.
    tx.replace('ledger', known, { ...known, movements: known.movements.concat(moving) })
  } else {
    tx.add('ledger', { id: subject, n: tx.tables.ledger.next, movements: moving })
  }
}

export const isNonZero = ({ amount }: Posting): boolean => !isZero(amount)

/** Movements back: with those that they reverse they net to zero on every account. */
export const reversed = (postings: readonly Posting[]): Posting[] =>
  postings.map(({ from, to, asset, amount }) => ({ from: to, to: from, asset, amount }))

/** What an account holds of an asset; undefined when none was ever there. */
export const balanceOf = (tables: Tables, account: string, asset: string): Decimal | undefined =>
  tables.balances.of(account).get(asset)?.amount
