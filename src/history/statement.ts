import type { LedgerRecord, Posting } from '../domain/balance-index.js'
import { formatBalance } from '../domain/ledger.js'
import { type Decimal, ZERO } from '../domain/money.js'
import type { Tables } from '../domain/schema.js'
import { forEachChange, type VisitChange } from '../kernel/command-record.js'
import type { Entry } from '../kernel/entry.js'
import type { Row } from '../kernel/row.js'
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

/** The statement of a user's balance and wallets, oldest first. */
export const readStatement = (
  tables: Tables,
  history: History,
  user_id: string,
): StatementRow[] => {
  const wallets = tables.wallets.list('user', user_id).map(({ id }) => `wallet:${id}`)
  const rows = [`user:${user_id}`, ...wallets].flatMap((account) => {
    const assets = [...tables.balances.of(account).keys()]
    return assets.flatMap((asset) => [...walkBack(tables, history, account, asset)].reverse())
  })
  return rows.sort((a, b) => (a.entry ?? 0) - (b.entry ?? 0))
}

/** The rows of one account in one asset, newest first, from the present or an earlier entry. A reader may stop early. */
export function* walkBack(
  tables: Tables,
  history: History,
  account: string,
  asset: string,
  { seq, balance = tables.balances.of(account).get(asset)?.amount ?? ZERO }: Partial<Moment> = {},
): Generator<StatementRow> {
  let rest = balance
  const isOwn = (it: Posting) =>
    it.asset === asset && (isWithin(it.to, account) || isWithin(it.from, account))
  for (const found of findPostings(history, isOwn)) {
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

interface Movement {
  readonly asset: string
  readonly amount: Decimal
  readonly fee?: Decimal | undefined
  readonly entry?: Entry
  readonly subject?: string
}

interface EntryPostings {
  readonly entry: Entry
  readonly subject: string
  readonly postings: Posting[]
}

/** `user` holds the accounts of all users. */
const isWithin = (account: string, whole: string): boolean =>
  account.startsWith(whole) && (account.length === whole.length || account[whole.length] === ':')

/** The postings of the entries that lead to the present state, newest entry first. */
function* findPostings(
  { journal, beginning }: History,
  fits: (posting: Posting) => boolean,
): Generator<EntryPostings> {
  const life = buildLineage(journal.all())
  const isWhole = life[0]?.command === 'world.begin'
  // The history of a forked world's source is not in the journal.
  const own = life.slice(life.findLastIndex(({ command }) => command === 'world.fork') + 1)
  const entries = [...(isWhole ? beginning : []), ...own]
  let counts: ReturnType<typeof countMovements> | undefined
  let i = entries.length
  let found: EntryPostings[] = []
  const addPostings: VisitChange = (subject, record, before) => {
    if (!record) return
    const entry = entries[i] as Entry
    const { movements } = record as LedgerRecord
    if (before === undefined) counts ??= countMovements(entries.slice(0, i + 1))
    const counted = counts?.get(subject)
    counted?.pop()
    if (!movements.some(fits)) return
    const known =
      before !== undefined
        ? countIn(before)
        : (counted?.at(-1) ?? (isWhole ? 0 : knownBefore(entry, movements.length)))
    const postings = movements.filter((it, place) => place >= known && fits(it))
    const last = found.at(-1)
    if (last?.subject === subject) last.postings.push(...postings)
    else if (postings.length > 0) found.push({ entry, subject, postings })
  }
  while (i-- > 0) {
    forEachChange(entries[i] as Entry, 'ledger', addPostings)
    if (found.length === 0) continue
    yield* found.reverse()
    found = []
  }
}

const countIn = (record: Row | null): number =>
  (record as LedgerRecord | null)?.movements.length ?? 0

/** The movements of each subject after each of its entries, for entries that do not have the record before. */
const countMovements = (entries: readonly Entry[]): ReadonlyMap<string, number[]> => {
  const counts = new Map<string, number[]>()
  for (const entry of entries) {
    forEachChange(entry, 'ledger', (subject, record) => {
      if (!record) return
      const counted = counts.get(subject)
      if (counted) counted.push(countIn(record))
      else counts.set(subject, [countIn(record)])
    })
  }
  return counts
}

/** If the journal no longer holds the creation, the entry is a reversal, which doubles the postings. */
const knownBefore = ({ command }: Entry, length: number): number =>
  /\.(create|credit|receive)$/.test(command) ? 0 : Math.ceil(length / 2)

/** A fee is a part of the movement that it belongs to. */
const toMovements = (
  account: string,
  asset: string,
  { entry, subject, postings }: EntryPostings,
): Movement[] => {
  const found = new Map<boolean, Movement>()
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

const toRow = (tables: Tables, account: string, movement: Movement, balance: Decimal) => {
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
