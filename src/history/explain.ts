import { forEachChange } from '../kernel/command-record.js'
import type { DomainEvent, Entry } from '../kernel/entry.js'
import { type Instant, toIso } from '../kernel/time.js'
import type { Timer } from '../kernel/timer-records.js'
import { buildLineage } from './lineage.js'

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
export interface WhyEntry {
  readonly entry: Entry
  /** Its events about the record. Others only set a timer of a later entry. */
  readonly events: readonly DomainEvent[]
  readonly isAbout: boolean
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
  const about = new Set(
    [...beginning, ...life].filter((entry) => isAbout(entry, setBy.get(entry), noun, id)),
  )
  const chain = withSetters(about, setBy)
  const explained = chain.map((entry): WhyEntry => {
    const setter = setBy.get(entry)
    const because = setter?.entry.seq ?? null
    return { entry, events: eventsAbout(entry, setter, id), isAbout: about.has(entry), because }
  })
  const isWhole =
    life[0]?.command === 'world.begin' ||
    (startsWithCreation(about, noun, id) && chain.every((it) => isShown(it, setBy)))
  const from = (isWhole ? explained[0]?.entry : life[0]) ?? life[0]
  return { complete: isWhole, begins_at: from?.at ?? toIso(now), entries: explained }
}

/** The entries that a request caused. */
export const explainRequest = (
  entries: readonly Entry[],
  {
    at,
    from,
    to,
  }: { readonly at: Instant | undefined; readonly from: number; readonly to: number },
  now: Instant,
): Why => {
  const own = entries.filter(({ seq }) => seq >= from && seq <= to)
  const complete = own.length === to - from + 1
  const explained = own.map((entry) => ({
    entry,
    events: entry.events,
    isAbout: true,
    because: null,
  }))
  return { complete, begins_at: toIso(at ?? now), entries: explained }
}

/** The entry that set a timer, and the record that the timer is about. */
interface Setter {
  readonly entry: Entry
  readonly subject: string
}

const findSetters = (life: readonly Entry[]): ReadonlyMap<Entry, Setter> => {
  const timers = new Map<string, Setter>()
  const setBy = new Map<Entry, Setter>()
  for (const entry of life) {
    const setter = entry.cause.kind === 'timer' ? timers.get(entry.cause.timer) : undefined
    if (setter) setBy.set(entry, setter)
    forEachChange(entry, 'timers', (id, timer) => {
      if (timer) timers.set(id, { entry, subject: (timer as Timer).plan.subject })
    })
  }
  return setBy
}

/** Includes events that a rule for the record emitted. */
const mentions = (event: DomainEvent, id: string): boolean =>
  event.id === id || event.subject === id || event.cause?.subject === id

/** The numbers of the entries with an event about a record. */
export const findEntriesAbout = (entries: readonly Entry[], id: string): number[] =>
  entries.filter(({ events }) => events.some((it) => mentions(it, id))).map(({ seq }) => seq)

const eventsAbout = (
  { events }: Entry,
  setter: Setter | undefined,
  id: string,
): readonly DomainEvent[] =>
  setter?.subject === id ? events : events.filter((event) => mentions(event, id))

/** True if the entry changed the record, emitted an event about it, or refused a change. */
const isAbout = (entry: Entry, setter: Setter | undefined, noun: Noun, id: string): boolean =>
  entry.refused
    ? (entry.input as { id?: unknown } | undefined)?.id === id
    : hasChanged(entry, noun, id) || eventsAbout(entry, setter, id).length > 0

const hasChanged = (entry: Entry, noun: Noun, id: string): boolean => {
  let isChanged = false
  forEachChange(entry, noun, (it) => {
    isChanged ||= it === id
  })
  return isChanged
}

const withSetters = (about: Iterable<Entry>, setBy: ReadonlyMap<Entry, Setter>): Entry[] => {
  const chain = new Set<Entry>()
  for (const entry of about) {
    let at: Entry | undefined = entry
    while (at && !chain.has(at)) {
      chain.add(at)
      at = setBy.get(at)?.entry
    }
  }
  return [...chain].sort((a, b) => a.seq - b.seq)
}

/** Whether the oldest entry created the record. Fixtures emit no events. */
const startsWithCreation = ([first]: Iterable<Entry>, noun: Noun, id: string): boolean => {
  if (!first) return false
  const { events, changes } = first
  return (
    events.some(({ type }) => type === nouns[noun]) &&
    changes.some((change) => change.table === noun && change.id === id)
  )
}

const isShown = (entry: Entry, setBy: ReadonlyMap<Entry, Setter>): boolean =>
  entry.cause.kind !== 'timer' || setBy.has(entry)
