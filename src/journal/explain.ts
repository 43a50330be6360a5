import type { DomainEvent, Entry } from '../kernel/entry.js'
import { type Instant, toIso } from '../kernel/time.js'
import { describeCause, describeEntry } from './describe-entry.js'
import { buildLineage } from './lineage.js'
import { type FindCreator, findCreatorAmong } from './repeats.js'

/** Records with a history, and the event that creates each. */
export const nouns = {
  users: 'user.created',
  consents: 'consent.created',
  accounts: 'account.registered',
  wallets: 'wallet.created',
  instructions: 'offramp.initiated',
  offramps: 'deposit.received',
  transfers: 'transfer.created',
  payouts: 'payout.created',
  deposits: 'deposit.received',
  api_keys: 'api_key.created',
} as const
export type Noun = keyof typeof nouns

/** One entry of a record's history. */
export type WhyEntry = Pick<Entry, 'seq' | 'at' | 'command' | 'cause' | 'events' | 'refused'> & {
  readonly sentence: string
  /** The entry that set the timer, for an entry of a timer. */
  readonly because: number | null
}

export interface Why {
  /** Whether the history has no gap. */
  readonly complete: boolean
  /** Time of the oldest kept entry; the world's now if the journal is empty, as after a restart. */
  readonly begins_at: string
  readonly entries: readonly WhyEntry[]
}

/**
 * The entries about a record, oldest first, and those that set the timers behind them. `entries` is
 * the journal, `beginning` the start of the world, `now` the world's time.
 */
export const findCauses = (
  entries: readonly Entry[],
  beginning: readonly Entry[],
  noun: Noun,
  id: string,
  now: Instant,
): Why => {
  const life = buildLineage(entries)
  const setBy = findSetters(life)
  const about = new Set([...beginning, ...life].filter((entry) => isAbout(entry, noun, id)))
  const chain = withSetters(about, setBy)
  const findMaker = findCreatorAmong(about)
  const explained = chain.map((entry) =>
    toWhyEntry(entry, id, about.has(entry), setBy.get(entry), findMaker),
  )
  const isWhole =
    life[0]?.command === 'world.begin' ||
    (isMade(about, noun, id) && chain.every((it) => isShown(it, setBy)))
  const from = (isWhole ? explained[0] : life[0]) ?? life[0]
  return { complete: isWhole, begins_at: from?.at ?? toIso(now), entries: explained }
}

/** The entry that set the timer, for each entry of a timer. */
const findSetters = (life: readonly Entry[]): ReadonlyMap<Entry, Entry> => {
  const timers = new Map<string, Entry>()
  const setBy = new Map<Entry, Entry>()
  for (const entry of life) {
    const setter = entry.cause.kind === 'timer' ? timers.get(entry.cause.timer) : undefined
    if (setter) setBy.set(entry, setter)
    for (const { table, id, record } of entry.changes) {
      if (table === 'timers' && record) timers.set(id, entry)
    }
  }
  return setBy
}

/** An event about the record, or about a rule that left it unchanged. */
const mentions = (event: DomainEvent, id: string): boolean =>
  event.id === id || event.subject === id

/** An entry that changed the record, emitted an event about it, or refused to change it. */
const isAbout = ({ refused, input, changes, events }: Entry, noun: Noun, id: string): boolean =>
  refused
    ? (input as { id?: unknown } | undefined)?.id === id
    : changes.some((change) => change.table === noun && change.id === id) ||
      events.some((event) => mentions(event, id))

const withSetters = (about: Iterable<Entry>, setBy: ReadonlyMap<Entry, Entry>): Entry[] => {
  const chain = new Set<Entry>()
  for (const entry of about) {
    let at: Entry | undefined = entry
    while (at && !chain.has(at)) {
      chain.add(at)
      at = setBy.get(at)
    }
  }
  return [...chain].sort((a, b) => a.seq - b.seq)
}

/** Whether the oldest entry created the record. Fixtures emit no events. */
const isMade = ([first]: Iterable<Entry>, noun: Noun, id: string): boolean => {
  if (!first) return false
  const { events, changes } = first
  return (
    events.some(({ type }) => type === nouns[noun]) &&
    changes.some((change) => change.table === noun && change.id === id)
  )
}

const isShown = (entry: Entry, setBy: ReadonlyMap<Entry, Entry>): boolean =>
  entry.cause.kind !== 'timer' || setBy.has(entry)

const toWhyEntry = (
  entry: Entry,
  id: string,
  isAbout: boolean,
  setter: Entry | undefined,
  findMaker: FindCreator,
): WhyEntry => {
  const { seq, at, command, cause, refused } = entry
  const events: readonly DomainEvent[] = entry.events.filter((event) => mentions(event, id))
  const sentence = isAbout
    ? describeEntry(entry, events, findMaker)
    : `${command} ${describeCause(cause)} set off what follows`
  const because = setter?.seq ?? null
  return { seq, at, command, cause, events, sentence, because, ...(refused && { refused }) }
}
