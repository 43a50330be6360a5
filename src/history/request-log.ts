import { AssumptionUsage } from '../assumptions/usage.js'
import { runToEnd } from '../kernel/run-to-end.js'
import { Ring } from '../lib/ring-buffer.js'
import { captureBody } from './bodies.js'
import { captureResponseHeaders } from './headers.js'
import { causedAny, decode, emptySlot, encode, isInSlot, type Slot, statusIn } from './log-codec.js'
import type { JsonResponse, LogRecord } from './log-record.js'
import type { Redact } from './redact.js'
import { type ExchangeFilter, matchesFilter, userIdIn } from './views.js'

export const DEFAULT_REQUEST_LOG = 1_000
export const MAX_REQUEST_LOG = 100_000

/** The newest exchanges of one world. */
export class RequestLog {
  /** Counts all exchanges, kept or not. */
  readonly usage = new AssumptionUsage()
  readonly #ring: Ring<Slot>
  /** Requests in progress and their slots; no slot since the log was cleared. */
  readonly #pending = new Map<LogRecord, Slot | undefined>()
  #count = 0
  #added = 0
  #evictedCount = 0

  /** A log of size 0 keeps nothing. */
  constructor(size: number) {
    this.#ring = new Ring(size)
  }

  /** Stores a finished exchange without secrets. `sent` is undefined if there was no response. */
  add(logRecord: LogRecord, sent: JsonResponse | undefined, redact: Redact): void {
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
    }
    const slot = isPending ? this.#pending.get(logRecord) : undefined
    if (isPending) this.#pending.delete(logRecord)
    if (!slot) this.#append(logRecord)
    else if (isOwnSlot(logRecord, slot)) encode(logRecord, slot)
  }

  /** Lists a waiting request until `add` completes it. */
  addPending(logRecord: LogRecord, redact: Redact): void {
    if (this.#pending.has(logRecord)) {
      this.updatePending(logRecord, redact)
      return
    }
    logRecord.n = ++this.#count
    logRecord.pending = true
    this.#pending.set(logRecord, this.#append(toPending(logRecord, redact)))
  }

  /** Updates a waiting request. */
  updatePending(logRecord: LogRecord, redact: Redact): void {
    const slot = this.#pending.get(logRecord)
    if (slot && isOwnSlot(logRecord, slot)) encode(toPending(logRecord, redact), slot)
  }

  #append(logRecord: LogRecord): Slot {
    const { leaving } = this.#ring
    if (leaving) this.#evictedCount++
    const slot = leaving ?? emptySlot()
    encode(logRecord, slot)
    this.#ring.add(slot)
    this.#added++
    return slot
  }

  /** All exchanges, oldest first. */
  list(): LogRecord[] {
    return this.#ring.all().map(decode)
  }

  /**
   * Matching exchanges that contain a text, oldest first, decoded one at a time; undefined for each other
   * one, so that long work can pause there. Exchanges that are evicted or added meanwhile are skipped.
   */
  *walk(filter: ExchangeFilter = {}, text = ''): Generator<LogRecord | undefined> {
    const end = this.#added
    for (let n = this.#oldest; n < end; n++) {
      n = Math.max(n, this.#oldest)
      yield n < end ? this.#matching(n, filter, text) : undefined
    }
  }

  /** The same, newest first. */
  *walkBack(filter: ExchangeFilter = {}, text = ''): Generator<LogRecord | undefined> {
    for (let n = this.#added - 1; n >= this.#oldest; n--) yield this.#matching(n, filter, text)
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

  find(id: string): LogRecord | undefined {
    for (const logRecord of this.walkBack({}, id)) if (logRecord?.id === id) return logRecord
    return undefined
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

  /** How many exchanges failed, by status; 0 without a response. */
  countFailed(): ReadonlyMap<number, number> {
    const counts = new Map<number, number>()
    for (let i = 0; i < this.#ring.size; i++) {
      const slot = this.#ring.at(i)
      const status = slot && statusIn(slot)
      if (status === undefined || (status > 0 && status < 400)) continue
      counts.set(status, (counts.get(status) ?? 0) + 1)
    }
    return counts
  }

  get #oldest(): number {
    return this.#added - this.#ring.size
  }

  /** The exchange of this number, if it matches. */
  #matching(n: number, filter: ExchangeFilter, text: string): LogRecord | undefined {
    const slot = this.#ring.at(n - this.#oldest)
    const { about } = filter
    if (!slot || (text !== '' && !isInSlot(slot, text))) return undefined
    if (about && !causedAny(slot, about.entries) && !isInSlot(slot, about.id)) return undefined
    const logRecord = decode(slot)
    return matchesFilter(logRecord, filter) ? logRecord : undefined
  }

  get count(): number {
    return this.#count
  }

  get size(): number {
    return this.#ring.size
  }

  /** Exchanges evicted since the log was cleared. */
  get evictedCount(): number {
    return this.#evictedCount
  }

  /** Returns the number of removed exchanges. Numbering continues. */
  clear(): number {
    const { size } = this.#ring
    this.#ring.clear()
    for (const logRecord of this.#pending.keys()) this.#pending.set(logRecord, undefined)
    this.#evictedCount = 0
    return size
  }
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
