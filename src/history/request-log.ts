import { AssumptionUsage } from '../assumptions/usage.js'
import { findShown } from '../contract/shown.js'
import { runToEnd } from '../kernel/run-to-end.js'
import { Ring } from '../lib/ring-buffer.js'
import { captureBody } from './bodies.js'
import { isUnclear } from './delivered.js'
import { captureResponseHeaders } from './headers.js'
import {
  causedAny,
  decode,
  emptySlot,
  encode,
  endedUnclear,
  isInSlot,
  placeOf,
  type Slot,
  statusIn,
} from './log-codec.js'
import type { JsonResponse, LogRecord } from './log-record.js'
import type { Redact } from './redact.js'
import { type ExchangeFilter, matchesFilter, userIdIn } from './views.js'

export const DEFAULT_REQUEST_LOG = 1_000
export const MAX_REQUEST_LOG = 100_000

/** The exchanges of all worlds, for several processes. */
export interface RequestStore {
  /**
   * Stores an exchange soon, and may delete all but the newest `count`. A failure loses it. After an unclear one the world
   * may have a problem.
   */
  add(world: string, body: string, count: number, wasUnclear: boolean): void
  /**
   * Reads the newest exchanges, oldest first: those that may have followed a known one, or all if it is gone. All
   * processes have stored what they answered before.
   */
  read(of: LoggedWorlds, count: number, known?: StoredExchange): Promise<readonly StoredExchange[]>
  clear(world: string): Promise<void>
}

/** A world, all worlds of some tenants, or all. */
export type LoggedWorlds = string | readonly string[] | undefined

/** Numbers grow, with gaps. They begin again after a crash of the store. */
export interface StoredExchange {
  readonly n: number
  readonly at: string
  /** As JSON. */
  readonly body: string
}

/** The newest exchanges of one world. With a store, those of all processes, as of the last update. */
export class RequestLog {
  /** Counts all exchanges, kept or not; with a store, those that are listed. */
  usage = new AssumptionUsage()
  readonly #store: RequestStore | undefined
  readonly #of: LoggedWorlds
  /** By number. One more than are listed shows that others were evicted. */
  #stored: ReadonlyMap<number, Slot> = new Map()
  #known: StoredExchange | undefined
  #ring: Ring<Slot>
  /** Requests in progress and their slots; no slot since the log was cleared. */
  readonly #pending = new Map<LogRecord, Slot | undefined>()
  #count = 0
  /** The entry that began the world. The exchanges before it wait for an undo of the reset. */
  #begin = 0
  /** The place of the newest evicted exchange. */
  #evictedPlace = -1
  #evictedCount = 0
  #revision = 0
  /**
   * Exchanges that `recent` returned last, by number and place: those since the last reset, and those before it, whose
   * numbers begin again after each reset. Many worlds are looked at once, so memory may take them back.
   */
  #recent: WeakRef<ReadonlyMap<string, LogRecord>>[] = []

  /** A log of size 0 keeps nothing. */
  constructor(size: number, store?: RequestStore, of?: LoggedWorlds) {
    this.#ring = new Ring(size)
    this.#store = store
    this.#of = of
  }

  /** Hides the exchanges before an entry, and shows those after it. */
  beginAt(entry: number): void {
    if (entry === this.#begin) return
    this.#begin = entry
    this.#recent = []
    this.#revision++
    this.#evictedCount = this.#evictedPlace < entry ? 0 : this.#ring.oldest
    this.#countUsage()
    if (!this.#store) this.#renumber()
  }

  #renumber(): void {
    this.#count = this.#evictedCount
    for (const { numbers } of this.#shown()) numbers[0] = ++this.#count
    for (const [logRecord, slot] of this.#pending) logRecord.n = slot?.numbers[0] ?? logRecord.n
  }

  #countUsage(): void {
    this.usage = new AssumptionUsage()
    for (const { assumed, at = 0 } of this.list()) this.usage.countAssumed(assumed, at)
  }

  /** Lists what all processes have stored, then what is pending in this one. */
  async update(): Promise<void> {
    if (!this.#store) return
    const { capacity } = this.#ring
    const [known, before] = [this.#known, this.#stored]
    const found = await this.#store.read(this.#of, capacity + 1, known)
    const follows = found.some(({ n, at }) => n === known?.n && at === known.at)
    const slots = new Map(follows ? before : [])
    for (const it of found) if (!slots.has(it.n)) slots.set(it.n, parseExchange(it))
    if (follows && slots.size === before.size) return
    if (!follows) this.#recent = []
    this.#revision++
    this.#known = found.at(-1)
    // An exchange may become visible after those that follow it.
    this.#stored = new Map([...slots].sort(([a], [b]) => a - b).slice(-capacity - 1))
    this.#ring = new Ring(capacity)
    this.#evictedCount = 0
    this.#evictedPlace = -1
    this.#count = this.#known?.n ?? 0
    for (const slot of this.#stored.values()) this.#addSlot(slot)
    this.#countUsage()
    for (const [logRecord, slot] of this.#pending) {
      if (!slot) continue
      logRecord.n = ++this.#count
      slot.numbers[0] = logRecord.n
      this.#addSlot(slot)
    }
  }

  /** Stores a finished exchange without secrets. `sent` is undefined if there was no response. */
  add(logRecord: LogRecord, sent: JsonResponse | undefined, redact: Redact): void {
    this.#revision++
    const isPending = this.#pending.size > 0 && this.#pending.has(logRecord)
    if (!isPending) logRecord.n = ++this.#count
    logRecord.pending = false
    logRecord.user_id = userIdIn(logRecord.value)
    const { body } = logRecord
    if (typeof body === 'string') logRecord.body = captureBody(body, redact)
    if (sent) {
      logRecord.status = sent.status
      logRecord.answerHeaders = captureResponseHeaders(sent.headers, redact)
      logRecord.answer = captureBody(sent.text, redact)
      logRecord.garbled = sent.garbled === true
      if (!logRecord.garbled && logRecord.method !== 'HEAD')
        logRecord.shown = findShown(sent.body).join(', ')
    }
    const slot = isPending ? this.#pending.get(logRecord) : undefined
    if (isPending) this.#pending.delete(logRecord)
    if (this.#store) {
      const body = formatExchange(logRecord)
      this.#store.add(String(this.#of), body, this.#ring.capacity + 1, isUnclear(logRecord))
    } else if (!slot) this.#append(logRecord)
    else if (isOwnSlot(logRecord, slot)) encode(logRecord, slot)
  }

  /** Lists a waiting request until `add` completes it. */
  addPending(logRecord: LogRecord, redact: Redact): void {
    if (this.#pending.has(logRecord)) {
      this.updatePending(logRecord, redact)
      return
    }
    this.#revision++
    logRecord.n = ++this.#count
    logRecord.pending = true
    this.#pending.set(logRecord, this.#append(toPending(logRecord, redact)))
  }

  /** Updates a waiting request. */
  updatePending(logRecord: LogRecord, redact: Redact): void {
    this.#revision++
    const slot = this.#pending.get(logRecord)
    if (slot && isOwnSlot(logRecord, slot)) encode(toPending(logRecord, redact), slot)
  }

  #append(logRecord: LogRecord): Slot {
    this.#evict()
    const slot = (!this.#store && this.#ring.leaving) || emptySlot()
    encode(logRecord, slot)
    this.#ring.add(slot)
    return slot
  }

  #addSlot(slot: Slot): void {
    this.#evict()
    this.#ring.add(slot)
  }

  #evict(): void {
    const { leaving } = this.#ring
    if (!leaving) return
    this.#evictedPlace = placeOf(leaving)
    if (this.#isShown(leaving)) this.#evictedCount++
  }

  #isShown(slot: Slot): boolean {
    return placeOf(slot) >= this.#begin
  }

  #shown(): Slot[] {
    const slots = this.#ring.all()
    return this.#begin === 0 ? slots : slots.filter((it) => this.#isShown(it))
  }

  /** With a store, the newest exchange of the last update. */
  get known(): StoredExchange | undefined {
    return this.#known
  }

  /** All exchanges, oldest first. */
  list(): LogRecord[] {
    return this.#shown().map(decode)
  }

  /**
   * Matching exchanges that contain a text, oldest first, decoded one at a time; undefined for each other
   * one, so that long work can pause there. Exchanges that are evicted or added meanwhile are skipped.
   */
  *walk(filter: ExchangeFilter = {}, text = ''): Generator<LogRecord | undefined> {
    const ring = this.#ring
    const end = ring.added
    for (let n = ring.oldest; n < end; n++) {
      n = Math.max(n, ring.oldest)
      yield n < end ? this.#matching(ring.at(n - ring.oldest), filter, text) : undefined
    }
  }

  /** The same, newest first. */
  *walkBack(filter: ExchangeFilter = {}, text = ''): Generator<LogRecord | undefined> {
    const ring = this.#ring
    for (let n = ring.added - 1; n >= ring.oldest; n--)
      yield this.#matching(ring.at(n - ring.oldest), filter, text)
  }

  /** One page of the matching exchanges, newest first, and the number of all. */
  *page(
    filter: ExchangeFilter,
    { page, size }: { readonly page: number; readonly size: number },
  ): Generator<void, { readonly found: readonly LogRecord[]; readonly total: number }> {
    const isAll = Object.values(filter).every((it) => it === undefined)
    const found: LogRecord[] = []
    let total = 0
    for (const logRecord of this.walkBack(filter)) {
      yield
      if (!logRecord) continue
      if (total++ >= page * size && found.length < size) found.push(logRecord)
      if (isAll && found.length === size) break
    }
    return { found, total: isAll ? this.size : total }
  }

  find(id: string, filter?: ExchangeFilter): LogRecord | undefined {
    for (const logRecord of this.walkBack(filter, id)) if (logRecord?.id === id) return logRecord
    return undefined
  }

  /** Before the last reset too. */
  findAny(id: string): LogRecord | undefined {
    return this.find(id) ?? this.find(id, { beforeReset: true })
  }

  /** Matching exchanges that contain a text, newest first, at most `most` of them. */
  *take(
    filter: ExchangeFilter,
    from: number,
    most: number,
    text?: string,
  ): Generator<void, LogRecord[]> {
    const found: LogRecord[] = []
    let place = 0
    for (const logRecord of this.walkBack(filter, text)) {
      yield
      if (!logRecord || place++ < from) continue
      found.push(logRecord)
      if (found.length === most) break
    }
    return found
  }

  /** Matching exchanges, newest first. */
  newest(filter: ExchangeFilter, from: number, most: number): LogRecord[] {
    return runToEnd(this.take(filter, from, most))
  }

  /** The newest exchanges, newest first. A reader who comes again pays for those since, and for old ones. */
  recent(most = Number.POSITIVE_INFINITY, beforeReset = false): LogRecord[] {
    const found: LogRecord[] = []
    if (beforeReset && this.#begin === 0) return found
    const known = this.#recent[Number(beforeReset)]?.deref()
    const ended = new Map<string, LogRecord>()
    for (let place = this.#ring.size - 1; place >= 0 && found.length < most; place--) {
      const slot = this.#ring.at(place) as Slot
      if (this.#isShown(slot) === beforeReset) continue
      const logRecord = known?.get(`${slot.numbers[0]} ${placeOf(slot)}`) ?? decode(slot)
      found.push(logRecord)
      if (!logRecord.pending && found.length <= DEFAULT_REQUEST_LOG)
        ended.set(`${logRecord.n} ${logRecord.to}`, logRecord)
    }
    this.#recent[Number(beforeReset)] = new WeakRef(ended)
    return found
  }

  /** Whether one of them ended so that the client cannot know its outcome. */
  hasUnclear(): boolean {
    return this.#shown().some(endedUnclear)
  }

  /** How many exchanges failed, by status; 0 without a response. */
  countFailed(): ReadonlyMap<number, number> {
    const counts = new Map<number, number>()
    for (const slot of this.#shown()) {
      const status = statusIn(slot)
      if (status === undefined || (status > 0 && status < 400)) continue
      counts.set(status, (counts.get(status) ?? 0) + 1)
    }
    return counts
  }

  /** The exchange in a slot, if it matches. */
  #matching(slot: Slot | undefined, filter: ExchangeFilter, text: string): LogRecord | undefined {
    const { about, beforeReset = false } = filter
    if (!slot || this.#isShown(slot) === beforeReset) return undefined
    if (text !== '' && !isInSlot(slot, text)) return undefined
    if (about && !causedAny(slot, about.entries) && !isInSlot(slot, about.id)) return undefined
    const logRecord = decode(slot)
    return matchesFilter(logRecord, filter) ? logRecord : undefined
  }

  /** The exchanges since the last reset, listed or evicted. */
  get count(): number {
    return this.size + this.#evictedCount
  }

  /** Grows with each change, also where `count` does not: when a waiting request ends, and when the log is cleared. */
  get revision(): number {
    return this.#revision
  }

  get size(): number {
    return this.#begin === 0 ? this.#ring.size : this.#shown().length
  }

  /** The exchanges that it lists, before the last reset too: so many does `clear` remove. */
  get kept(): number {
    return this.#ring.size
  }

  /** Exchanges evicted since the last reset, or since the log was cleared. */
  get evictedCount(): number {
    return this.#evictedCount
  }

  /** Returns the number of removed exchanges. Numbering continues. */
  async clear(): Promise<number> {
    await this.update()
    const { size } = this.#ring
    await this.#store?.clear(String(this.#of))
    this.#revision++
    this.#ring.clear()
    for (const logRecord of this.#pending.keys()) this.#pending.set(logRecord, undefined)
    this.#evictedCount = 0
    this.#evictedPlace = -1
    return size
  }
}

/** One character beyond Latin-1, such as that of a masked key, makes a string four times as slow to send. */
const formatExchange = ({ headers, operation, ...rest }: LogRecord): string =>
  JSON.stringify({
    ...rest,
    headers: encodeURIComponent(headers),
    operation: operation && { id: operation.id, path: operation.path },
    value: undefined,
  })

const parseExchange = ({ n, body }: StoredExchange): Slot => {
  const slot = emptySlot()
  const { headers, ...rest } = JSON.parse(body)
  encode(
    { garbled: false, shown: '', outcome: '', ...rest, headers: decodeURIComponent(headers), n },
    slot,
  )
  return slot
}

/** False once the slot was evicted: a newer exchange is in it. */
const isOwnSlot = ({ n }: LogRecord, { numbers }: Slot): boolean => numbers[0] === n

/** Without secrets. The original keeps its body until the end of the operation. */
const toPending = (logRecord: LogRecord, redact: Redact): LogRecord => {
  const { body, value } = logRecord
  return {
    ...logRecord,
    user_id: userIdIn(value),
    body: typeof body === 'string' ? captureBody(body, redact) : body,
  }
}
