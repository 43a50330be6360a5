import type { LedgerRecord, Movement, Posting } from '../domain/balance-index.js'
import { formatBalance } from '../domain/ledger.js'
import { type Decimal, ZERO } from '../domain/money.js'
import type { Tables } from '../domain/schema.js'
import type { World } from '../domain/world.js'
import { forEachChange } from '../kernel/command-record.js'
import type { Entry } from '../kernel/entry.js'
import { buildLineage } from './lineage.js'
import type { MemoryJournal } from './memory-journal.js'

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

/** Of a world: its journal, and the entries of the fixtures. */
interface History {
  readonly journal: MemoryJournal
  readonly beginning: readonly Entry[]
}

type Present = Pick<World, 'tables' | 'count'>

/** The statement of a user's balance and wallets, oldest first. */
export const readStatement = (
  world: Present,
  history: History,
  user_id: string,
): StatementRow[] => {
  const { tables } = world
  const wallets = tables.wallets.list('user', user_id).map(({ id }) => `wallet:${id}`)
  const rows = [`user:${user_id}`, ...wallets].flatMap((account) => {
    const assets = [...tables.balances.of(account).keys()]
    return assets.flatMap((asset) => [...walkBack(world, history, account, asset)].reverse())
  })
  return rows.sort((a, b) => (a.entry ?? 0) - (b.entry ?? 0))
}

/** The rows of one account in one asset, newest first, from the present or an earlier entry. A reader may stop early. */
export function* walkBack(
  world: Present,
  history: History,
  account: string,
  asset: string,
  { seq, balance }: Partial<Moment> = {},
): Generator<StatementRow> {
  const { tables } = world
  let rest = balance ?? tables.balances.of(account).get(asset)?.amount ?? ZERO
  const isOwn = (it: Posting) =>
    it.asset === asset && (isWithin(it.to, account) || isWithin(it.from, account))
  for (const found of findPostings(world, history, isOwn)) {
    if (seq !== undefined && found.entry.seq > seq) continue
    for (const movement of toMovements(account, asset, found).reverse()) {
      yield toRow(tables, account, movement, rest)
      rest = rest.minus(movement.amount)
    }
  }
  if (!rest.eq(ZERO)) yield toRow(tables, account, { asset, amount: rest }, rest)
}

/** The balance after an entry. */
interface Moment {
  readonly seq: number
  readonly balance: Decimal
}

export type StatementRow = ReturnType<typeof toRow>

interface Change {
  readonly asset: string
  readonly amount: Decimal
  readonly fee?: Decimal | undefined
  readonly entry?: Entry
  readonly subject?: string
}

interface EntryPostings {
  readonly entry: Entry
  readonly subject: string
  readonly postings: readonly Posting[]
}

/** `user` holds the accounts of all users. */
const isWithin = (account: string, whole: string): boolean =>
  account.startsWith(whole) && (account.length === whole.length || account[whole.length] === ':')

/** The postings of the entries that lead to the present state, newest entry first. */
function* findPostings(
  { count }: Present,
  { journal, beginning }: History,
  fits: (posting: Posting) => boolean,
): Generator<EntryPostings> {
  const life = buildLineage(journal.all())
  let before = count
  for (const entry of life.toReversed()) {
    // The history of a forked world's source is not in the journal.
    if (entry.command === 'world.fork') return
    if (entry.command !== 'snapshot.restore') before--
    yield* postingsOf(entry, (it) => it.count === before && fits(it))
  }
  if (life[0]?.command !== 'world.begin') return
  for (const entry of beginning.toReversed()) yield* postingsOf(entry, fits)
}

/** The newest first. */
const postingsOf = (entry: Entry, fits: (movement: Movement) => boolean): EntryPostings[] => {
  const found = new Map<string, EntryPostings>()
  forEachChange(entry, 'ledger', (subject, record) => {
    const postings = (record as LedgerRecord | null)?.movements.filter(fits) ?? []
    if (postings.length > 0) found.set(subject, { entry, subject, postings })
  })
  return [...found.values()].reverse()
}

/** A fee is a part of the movement that it belongs to. */
const toMovements = (
  account: string,
  asset: string,
  { entry, subject, postings }: EntryPostings,
): Change[] => {
  const found = new Map<boolean, Change>()
  for (const { from, to, asset: moved, amount } of postings) {
    const isIn = isWithin(to, account)
    if (moved !== asset || !(isIn || isWithin(from, account))) continue
    const known = found.get(isIn) ?? { asset, amount: ZERO, entry, subject }
    const isFee = [from, to].some((it) => it === 'fees' || it.startsWith('rail:'))
    found.set(isIn, {
      ...known,
      amount: isIn ? known.amount.plus(amount) : known.amount.minus(amount),
      fee: isFee ? (known.fee ?? ZERO).plus(amount) : known.fee,
    })
  }
  return [...found.values()]
}

const toRow = (tables: Tables, account: string, movement: Change, balance: Decimal) => {
  const { asset, amount, fee, entry, subject = '' } = movement
  const [noun = '', id = ''] = subject.split(':')
  const [kind, owner = ''] = account.split(':')
  return {
    at: entry?.at ?? null,
    entry: entry?.seq ?? null,
    what: nameMovement(noun, id, kind === 'user' || kind === 'wallet' ? amount : undefined),
    payout_id: noun === 'payout' ? id : null,
    transfer_id: noun === 'transfer' ? id : null,
    wallet_id: kind === 'wallet' ? owner : null,
    currency: asset.split('@')[0] ?? '',
    amount: formatBalance(tables, asset, amount),
    fee: fee ? formatBalance(tables, asset, fee) : null,
    balance: formatBalance(tables, asset, balance),
  }
}

/** Money that returns to a user has a name of its own. */
const nameMovement = (noun: string, id: string, amount?: Decimal): (typeof MOVEMENTS)[number] => {
  if (noun === 'credit') return id.startsWith('fixture-') ? 'opening' : 'credit'
  if (noun === 'deposit') return noun
  if (noun !== 'payout' && noun !== 'transfer') return 'brought forward'
  return amount?.gt(ZERO) ? `${noun} returned` : noun
}
