import { forEachChange, forEachWrittenRow } from '../kernel/command-record.js'
import type { DomainEvent, Entry } from '../kernel/entry.js'
import { type Instant, toIso } from '../kernel/time.js'
import type { Timer } from '../kernel/timer-records.js'

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

export const isNoun = (table: string): table is Noun => Object.hasOwn(nouns, table)

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

/** The entries that lead to the present state, and which of them are about a record. Takes new ones one by one. */
export class RecordHistories {
  readonly #life: Entry[] = []
  /** By number. */
  readonly #places = new Map<number, number>()
  readonly #timers = new Map<string, Setter>()
  readonly #setBy = new Map<Entry, Setter>()
  readonly #byId = new Map<string, Entry[]>()

  constructor(lineage: readonly Entry[]) {
    for (const entry of lineage) this.add(entry)
  }

  get size(): number {
    return this.#life.length
  }

  has(seq: number): boolean {
    return this.#places.has(seq)
  }

  /** The number of the entry before another one. */
  before(seq: number): number | undefined {
    return this.#life[(this.#places.get(seq) ?? 0) - 1]?.seq
  }

  add(entry: Entry): void {
    this.#places.set(entry.seq, this.#life.push(entry) - 1)
    const setter = entry.cause.kind === 'timer' ? this.#timers.get(entry.cause.timer) : undefined
    if (setter) this.#setBy.set(entry, setter)
    for (const id of idsIn(entry, setter)) {
      const known = this.#byId.get(id)
      if (known) known.push(entry)
      else this.#byId.set(id, [entry])
    }
    forEachChange(entry, 'timers', (id, timer) => {
      if (timer) this.#timers.set(id, { entry, subject: (timer as Timer).plan.subject })
    })
  }

  /**
   * The entries about a record, oldest first, and those that set the timers behind them. `beginning` is the start of the
   * world, `now` its time. Entries before `oldest` are evicted.
   */
  explain(beginning: readonly Entry[], noun: Noun, id: string, now: Instant, oldest = 0): Why {
    const setterOf = (entry: Entry): Setter | undefined => {
      const setter = this.#setBy.get(entry)
      return setter && setter.entry.seq >= oldest ? setter : undefined
    }
    const own = (this.#byId.get(id) ?? []).filter(({ seq }) => seq >= oldest)
    const about = new Set(
      [...beginning, ...own].filter((entry) => isAbout(entry, setterOf(entry), noun, id)),
    )
    const explained = withSetters(about, setterOf).map((entry): WhyEntry => {
      const setter = setterOf(entry)
      const because = setter?.entry.seq ?? null
      return { entry, events: eventsAbout(entry, setter, id), isAbout: about.has(entry), because }
    })
    const first = this.#life.find(({ seq }) => seq >= oldest)
    const isWhole =
      first?.command === 'world.begin' ||
      (startsWithCreation(about, noun, id) &&
        explained.every(({ entry }) => entry.cause.kind !== 'timer' || setterOf(entry)))
    const from = (isWhole ? explained[0]?.entry : first) ?? first
    return { complete: isWhole, begins_at: from?.at ?? toIso(now), entries: explained }
  }
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

/** The records that an entry may be about. */
const idsIn = (entry: Entry, setter: Setter | undefined): ReadonlySet<string> => {
  const ids = new Set<string | undefined>([setter?.subject])
  forEachWrittenRow(entry, (table, id) => {
    if (isNoun(table)) ids.add(id)
  })
  if (entry.refused) ids.add((entry.input as { id?: string } | undefined)?.id)
  for (const { id, subject, cause } of entry.events)
    ids
      .add(id)
      .add(subject as string | undefined)
      .add(cause?.subject)
  ids.delete(undefined)
  return ids as Set<string>
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

const withSetters = (
  about: Iterable<Entry>,
  setterOf: (entry: Entry) => Setter | undefined,
): Entry[] => {
  const chain = new Set<Entry>()
  for (const entry of about) {
    let at: Entry | undefined = entry
    while (at && !chain.has(at)) {
      chain.add(at)
      at = setterOf(at)?.entry
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
