import { OverlayMap, type Start } from '../kernel/overlay-map.js'
import type { Row } from '../kernel/row.js'
import type { DerivedIndex } from '../kernel/secondary-index.js'
import { type Amount, type Decimal, ZERO } from './money.js'

/**
 * A pair of postings: an amount leaves one account and enters another, so the sum is always zero.
 * Accounts: `user:<id>`, `wallet:<id>`, `transit` (one per subject, see accountOf), `rail:<rail>`,
 * `fees`, `conversion`, `unmatched`, `held`, `outside`. Assets: an ISO 4217 code, or
 * `<TOKEN>@<chain>`.
 */
export interface Posting {
  readonly from: string
  readonly to: string
  readonly asset: string
  readonly amount: Amount
}

/** A posting in the ledger. */
export interface Movement extends Posting {
  /** Entries of the world before the one that posted it. A fork continues them. Movements of an earlier build lack it. */
  readonly count?: number
}

/** The postings of one subject, such as `transfer:<id>`, oldest first. They are only appended. */
export interface LedgerRecord extends Row {
  readonly movements: readonly Movement[]
  /** A reading of an earlier build moved the money, so its record does not demand these postings. */
  readonly adjusted?: true
}

const isSamePosting = (a: Posting | undefined, b: Posting | undefined): boolean =>
  a === b ||
  (a?.from === b?.from && a?.to === b?.to && a?.asset === b?.asset && a?.amount === b?.amount)

interface Sum {
  readonly amount: Decimal
  /** A balance of zero differs from no balance. */
  readonly movements: number
}

type Sums = Map<string, Sum>

const NONE: ReadonlyMap<string, Sum> = new Map()

export const ALL_WALLETS = 'wallet'

const isUser = (account: string) => account.startsWith('user:')

const isWallet = (account: string) => account.startsWith('wallet:')

/** Running balances of users, of wallets, and of all wallets together. */
export class Balances implements DerivedIndex<LedgerRecord> {
  private readonly sums: OverlayMap<Sums>

  constructor(from?: Balances, start?: Start) {
    this.sums = new OverlayMap(from?.sums, start, (sums) => new Map(sums))
  }

  /** Whether this layer counted a posting. */
  get hasOwn(): boolean {
    return this.sums.hasOwn
  }

  of(account: string): ReadonlyMap<string, Sum> {
    return this.sums.get(account) ?? NONE
  }

  /** Undo of a reset can replace a record by another one with the same subject. */
  change(before: LedgerRecord | undefined, after: LedgerRecord | undefined): void {
    const [known, now] = [before?.movements ?? [], after?.movements ?? []]
    let same = 0
    while (same < known.length && same < now.length && isSamePosting(known[same], now[same])) same++
    for (let i = same; i < now.length; i++) this.#count(now[i], 1)
    for (let i = same; i < known.length; i++) this.#count(known[i], -1)
  }

  #count(posting: Posting | undefined, count: 1 | -1): void {
    if (!posting) return
    this.#countSide(posting.from, posting, count > 0 ? 'minus' : 'plus', count)
    this.#countSide(posting.to, posting, count > 0 ? 'plus' : 'minus', count)
  }

  #countSide(account: string, { asset, amount }: Posting, how: 'plus' | 'minus', count: number) {
    if (isWallet(account)) this.#add(ALL_WALLETS, asset, amount, how, count)
    else if (!isUser(account)) return
    this.#add(account, asset, amount, how, count)
  }

  #add(account: string, asset: string, amount: Amount, how: 'plus' | 'minus', count: number): void {
    const sums = this.#writable(account)
    const sum = sums.get(asset)
    const movements = (sum?.movements ?? 0) + count
    if (movements === 0) sums.delete(asset)
    else sums.set(asset, { amount: (sum?.amount ?? ZERO)[how](amount), movements })
  }

  #writable(account: string): Sums {
    const sums = this.sums.get(account)
    if (sums && this.sums.owns(account)) return sums
    const own: Sums = new Map(sums)
    this.sums.set(account, own)
    return own
  }
}
