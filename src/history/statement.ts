import type { LedgerRecord, Posting } from '../domain/balance-index.js'
import { formatBalance } from '../domain/ledger.js'
import { type Amount, type Decimal, ZERO } from '../domain/money.js'
import type { Tables } from '../domain/schema.js'
import { forEachChange } from '../kernel/command-record.js'
import type { Entry } from '../kernel/entry.js'
import { buildLineage } from './lineage.js'

export const MOVEMENTS = [
  'opening',
  'brought forward',
  'credit',
  'deposit',
  'payout',
  'payout returned',
  'transfer',
  'transfer returned',
] as const

/** One movement of an account: what one entry posted in one direction, its fee included. */
export interface StatementRow {
  /** Null with `brought forward`: the journal no longer has what came before. */
  readonly at: string | null
  readonly entry: number | null
  readonly what: (typeof MOVEMENTS)[number]
  readonly payout_id: string | null
  readonly transfer_id: string | null
  readonly deposit_id: string | null
  readonly wallet_id: string | null
  readonly currency: string
  readonly chain: string | null
  /** Below zero for money that leaves. */
  readonly amount: Amount
  /** The part of the amount that is a fee. */
  readonly fee: Amount | null
  readonly balance: Amount
}

/** The statement of a user's balance and wallets, oldest first. `entries` is the journal, `beginning` the fixtures'. */
export const readStatement = (
  tables: Tables,
  entries: readonly Entry[],
  beginning: readonly Entry[],
  user_id: string,
): StatementRow[] => {
  const wallets = tables.wallets.list('user', user_id).map(({ id }) => `wallet:${id}`)
  const rows = [`user:${user_id}`, ...wallets].flatMap((account) => {
    const postings = findPostings(entries, beginning, account)
    const assets = [...tables.balances.of(account).keys()]
    return assets.flatMap((asset) => [...walkBack(tables, account, asset, postings)].reverse())
  })
  return rows.sort((a, b) => (a.entry ?? 0) - (b.entry ?? 0))
}

/** The rows of one account in one asset, newest first. A reader may stop early. */
export function* walkBack(
  tables: Tables,
  account: string,
  asset: string,
  postings: readonly EntryPostings[],
  now = tables.balances.of(account).get(asset)?.amount ?? ZERO,
): Generator<StatementRow> {
  const format = (decimal: Decimal) => formatBalance(tables, asset, decimal)
  let balance = now
  for (let i = postings.length - 1; i >= 0; i--) {
    for (const movement of toMovements(account, postings[i] as EntryPostings).reverse()) {
      if (movement.asset !== asset) continue
      yield toRow(movement, balance, format)
      balance = balance.minus(movement.amount)
    }
  }
  if (!balance.eq(ZERO)) yield toRow({ account, asset, amount: balance }, balance, format)
}

interface Movement {
  readonly account: string
  readonly asset: string
  readonly amount: Decimal
  readonly fee?: Decimal
  readonly entry?: Entry
  readonly subject?: string
}

export interface EntryPostings {
  readonly entry: Entry
  readonly subject: string
  readonly postings: Posting[]
}

/** `user` holds the accounts of all users. */
const isWithin = (account: string, whole: string): boolean =>
  account === whole || account.startsWith(`${whole}:`)

/** The postings of an account, or of all of one kind, in the entries that lead to the present state, oldest first. */
export const findPostings = (
  entries: readonly Entry[],
  beginning: readonly Entry[],
  account: string,
  asset?: string,
): EntryPostings[] => {
  const fits = (it: Posting) =>
    (isWithin(it.from, account) || isWithin(it.to, account)) &&
    (asset === undefined || it.asset === asset)
  const life = buildLineage(entries)
  const isWhole = life[0]?.command === 'world.begin'
  // The history of the forked world is not in the journal.
  const own = life.slice(life.findLastIndex(({ command }) => command === 'world.fork') + 1)
  const counts = new Map<string, number>()
  const found: EntryPostings[] = []
  for (const entry of [...(isWhole ? beginning : []), ...own]) {
    forEachChange(entry, 'ledger', (subject, record) => {
      if (!record) return
      const { movements: all } = record as LedgerRecord
      const known = counts.get(subject) ?? (isWhole ? 0 : knownBefore(entry, all.length))
      counts.set(subject, all.length)
      const postings = all.filter((it, i) => i >= known && fits(it))
      const last = found.at(-1)
      if (last?.entry === entry && last.subject === subject) last.postings.push(...postings)
      else if (postings.length > 0) found.push({ entry, subject, postings })
    })
  }
  return found
}

/** If the journal no longer holds the creation, the entry is a reversal, which doubles the postings. */
const knownBefore = ({ command }: Entry, length: number): number =>
  /\.(create|credit|receive)$/.test(command) ? 0 : Math.ceil(length / 2)

const isFee = ({ from, to }: Posting): boolean =>
  [from, to].some((account) => account === 'fees' || account.startsWith('rail:'))

const toMovements = (account: string, { entry, subject, postings }: EntryPostings): Movement[] => {
  const found = new Map<string, Movement>()
  for (const posting of postings) {
    const { to, asset } = posting
    const isIn = isWithin(to, account)
    const key = `${asset} ${isIn}`
    const known = found.get(key) ?? { account, asset, amount: ZERO, entry, subject }
    const amount = isIn ? known.amount.plus(posting.amount) : known.amount.minus(posting.amount)
    const fee = isFee(posting) ? { fee: (known.fee ?? ZERO).plus(posting.amount) } : {}
    found.set(key, { ...known, amount, ...fee })
  }
  return [...found.values()]
}

const toRow = (
  { account, asset, amount, fee, entry, subject = '' }: Movement,
  balance: Decimal,
  format: (amount: Decimal) => Amount,
): StatementRow => {
  const [noun = '', id = ''] = subject.split(':')
  const [kind, owner = ''] = account.split(':')
  const [currency = '', chain] = asset.split('@')
  return {
    at: entry?.at ?? null,
    entry: entry?.seq ?? null,
    what: nameMovement(noun, id, kind === 'user' || kind === 'wallet' ? amount : undefined),
    payout_id: noun === 'payout' ? id : null,
    transfer_id: noun === 'transfer' ? id : null,
    deposit_id: noun === 'deposit' ? id : null,
    wallet_id: kind === 'wallet' ? owner : null,
    currency,
    chain: chain ?? null,
    amount: format(amount),
    fee: fee ? format(fee) : null,
    balance: format(balance),
  }
}

/** Money that returns to a user has a name of its own. */
const nameMovement = (noun: string, id: string, amount?: Decimal): StatementRow['what'] => {
  if (noun === 'credit') return id.startsWith('fixture-') ? 'opening' : 'credit'
  if (noun === 'deposit') return noun
  if (noun !== 'payout' && noun !== 'transfer') return 'brought forward'
  return amount?.gt(ZERO) ? `${noun} returned` : noun
}
