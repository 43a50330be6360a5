import Big from 'big.js'
import { Layered } from './kernel/layered.js'
import { type Derived, layout, type Row } from './kernel/table.js'
import { type Amount, isZero, negated, ZERO } from './money.js'
import type { Tables, Tx } from './world.js'

/**
 * One side of a movement of money. Accounts: `user:<id>`, `wallet:<id>`, `transit:<transfer or payout>`,
 * `rail:<rail>`, `fees`, `conversion`, `unmatched`, `outside`. Assets: an ISO 4217 code, or
 * `<TOKEN>@<chain>`.
 */
export interface Posting {
  readonly account: string
  readonly asset: string
  readonly amount: Amount
}

/** All postings about one subject, such as `transfer:<id>`, oldest first; only ever added to. */
export interface LedgerRecord extends Row {
  readonly postings: readonly Posting[]
}

/** Posts a balanced set: per asset the amounts sum to zero. Sides of zero are left out. */
export const post = (tx: Tx, subject: string, postings: readonly Posting[]): void => {
  const moving = postings.filter((posting) => !isZero(posting.amount))
  if (moving.length === 0) return
  assertBalanced(subject, moving)
  const before = tx.tables.ledger.get(subject)
  tx.put('ledger', {
    id: subject,
    n: before?.n ?? tx.tables.ledger.next,
    postings: before ? [...before.postings, ...moving] : moving,
  })
}

/** Posts the opposite of all that was posted about the subject: it nets to zero on every account. */
export const reverse = (tx: Tx, subject: string): void => {
  const posted = tx.tables.ledger.get(subject)?.postings ?? []
  post(tx, subject, opposite(posted))
}

export const opposite = (postings: readonly Posting[]): Posting[] =>
  postings.map((posting) => ({ ...posting, amount: negated(posting.amount) }))

/** What one account holds of one asset; undefined when nothing was ever posted there. */
export const balanceOf = (tables: Tables, account: string, asset: string): Big | undefined =>
  tables.balances.of(account).get(asset)?.amount

const assertBalanced = (subject: string, postings: readonly Posting[]): void => {
  const sums = new Map<string, Big>()
  for (const { asset, amount } of postings) {
    sums.set(asset, (sums.get(asset) ?? ZERO).plus(amount))
  }
  for (const [asset, sum] of sums) {
    if (!sum.eq(0)) throw new Error(`postings of ${subject} leave ${sum} ${asset} over`)
  }
}

interface Sum {
  readonly amount: Big
  /** How many postings it sums: a balance of zero is not the same as no balance. */
  readonly postings: number
}

type Sums = Map<string, Sum>
const NONE: ReadonlyMap<string, Sum> = new Map()

/** Accounts whose sums are asked for: users', wallets', and all wallets' together as `wallet`. */
const KEPT = /^(?:user|(wallet)):/

/** Sums of postings by account. */
export class Balances implements Derived<LedgerRecord> {
  private readonly sums: Layered<Sums>

  constructor(base?: Balances) {
    this.sums = new Layered(base?.sums)
  }

  /** Sums by asset of one user or wallet, or of all wallets. */
  of(account: string): ReadonlyMap<string, Sum> {
    return this.sums.get(account) ?? NONE
  }

  change(before: LedgerRecord | undefined, after: LedgerRecord | undefined): void {
    const known = before?.postings ?? []
    const now = after?.postings ?? []
    for (let i = known.length; i < now.length; i++) this.#add(now[i], 1)
    for (let i = now.length; i < known.length; i++) this.#add(known[i], -1)
  }

  #add(posting: Posting | undefined, sign: 1 | -1): void {
    const kept = posting && KEPT.exec(posting.account)
    if (!kept) return
    const amount = new Big(posting.amount)
    this.#addTo(posting.account, posting.asset, amount, sign)
    if (kept[1]) this.#addTo(kept[1], posting.asset, amount, sign)
  }

  #addTo(account: string, asset: string, amount: Big, sign: 1 | -1): void {
    const sums = this.#writable(account)
    const { amount: sum = ZERO, postings = 0 } = sums.get(asset) ?? {}
    if (postings + sign === 0) sums.delete(asset)
    else {
      sums.set(asset, {
        amount: sign > 0 ? sum.plus(amount) : sum.minus(amount),
        postings: postings + sign,
      })
    }
  }

  #writable(account: string): Sums {
    const sums = this.sums.get(account)
    if (sums && this.sums.owns(account)) return sums
    const own: Sums = new Map(sums)
    this.sums.set(account, own)
    return own
  }
}

export const ledgerLayout = layout<LedgerRecord>()({})
