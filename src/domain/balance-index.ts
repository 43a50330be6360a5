import { OverlayMap, type Start } from '../kernel/overlay-map.js'
import type { Row } from '../kernel/row.js'
import type { DerivedIndex } from '../kernel/secondary-index.js'
import type { Decimal } from './decimal.js'
import { type Amount, ZERO } from './money.js'

/**
 * An amount that leaves one account and enters another: a pair of postings that sums to zero by its
 * shape. Accounts: `user:<id>`, `wallet:<id>`, `transit` (the subject's own, see accountOf), `rail:<rail>`,
 * `fees`, `conversion`, `unmatched`, `held`, `outside`. Assets: an ISO 4217 code, or `<TOKEN>@<chain>`.
 */
export interface Posting {
  readonly from: string
  readonly to: string
  readonly asset: string
  /** Above zero. */
  readonly amount: Amount
}

/** All movements about one subject, such as `transfer:<id>`, oldest first; only ever added to. */
export interface LedgerRecord extends Row {
  readonly movements: readonly Posting[]
}

const isSamePosting = (a: Posting | undefined, b: Posting | undefined): boolean =>
  a === b ||
  (a?.from === b?.from && a?.to === b?.to && a?.asset === b?.asset && a?.amount === b?.amount)

/** What an account holds of one asset. */
interface Sum {
  readonly amount: Decimal
  /** How many movements it sums: a balance of zero is not the same as no balance. */
  readonly movements: number
}

type Sums = Map<string, Sum>

const NONE: ReadonlyMap<string, Sum> = new Map()

/** The account of all wallets together. */
export const ALL_WALLETS = 'wallet'

const isUser = (account: string) => account.startsWith('user:')

const isWallet = (account: string) => account.startsWith('wallet:')

/** Sums of movements, for the accounts whose sums are asked for: users', wallets', all wallets'. */
export class Balances implements DerivedIndex<LedgerRecord> {
  private readonly sums: OverlayMap<Sums>

  constructor(from?: Balances, start?: Start) {
    this.sums = new OverlayMap(from?.sums, start, (sums) => new Map(sums))
  }

  /** Sums by asset of one user or wallet, or of all wallets. */
  of(account: string): ReadonlyMap<string, Sum> {
    return this.sums.get(account) ?? NONE
  }

  /** By undoing a reset, one record may take the place of another about the same subject. */
  change(before: LedgerRecord | undefined, after: LedgerRecord | undefined): void {
    const [known, now] = [before?.movements ?? [], after?.movements ?? []]
    let same = 0
    while (same < known.length && same < now.length && isSamePosting(known[same], now[same])) same++
    for (let i = same; i < now.length; i++) this.#count(now[i], 1)
    for (let i = same; i < known.length; i++) this.#count(known[i], -1)
  }

  /** Counts a movement in, or, when an entry is undone, out again. */
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
