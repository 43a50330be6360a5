import type { Redact } from '../redact.js'
import { Ring } from '../ring.js'
import { keepBody } from './bodies.js'
import { type ExchangeFilter, fits, userIdIn } from './exchange.js'
import { redactHeaders } from './headers.js'
import { emptySlot, pack, type Slot, unpack } from './packed.js'
import type { Recording, Sent } from './recording.js'
import { Reliance } from './reliance.js'

export const DEFAULT_REQUEST_LOG = 1_000
export const LARGEST_REQUEST_LOG = 100_000

/** The newest exchanges of one world. */
export class RequestLog {
  /** Counted whether exchanges are kept or not. */
  readonly reliance = new Reliance()
  readonly #ring: Ring<Slot>
  /** Requests that are not answered yet, and their slots; without one since the log was cleared. */
  readonly #pending = new Map<Recording, Slot | undefined>()
  #count = 0
  #added = 0
  #gone = 0

  /** A log of size 0 keeps nothing. */
  constructor(size: number) {
    this.#ring = new Ring(size)
  }

  /** Takes in an exchange that has ended, without secrets; `sent` is undefined when it had no answer. */
  add(recording: Recording, sent: Sent | undefined, redact: Redact): void {
    const isPending = this.#pending.size > 0 && this.#pending.has(recording)
    if (!isPending) recording.n = ++this.#count
    recording.pending = false
    recording.user_id = userIdIn(recording.value)
    const { body, value } = recording
    if (typeof body === 'string') {
      recording.body = keepBody(body, value, redact)
    }
    if (sent) {
      recording.status = sent.status
      recording.answerHeaders = redactHeaders(sent.headers, redact)
      recording.answer = keepBody(sent.text, undefined, redact)
    }
    const slot = isPending ? this.#pending.get(recording) : undefined
    if (isPending) this.#pending.delete(recording)
    if (!slot) this.#append(recording)
    else if (isSlotOf(recording, slot)) pack(recording, slot)
  }

  /** Numbers a request that has to wait for its answer, and lists it until `add` completes it. */
  addPending(recording: Recording, redact: Redact): void {
    if (this.#pending.has(recording)) {
      this.updatePending(recording, redact)
      return
    }
    recording.n = ++this.#count
    recording.pending = true
    this.#pending.set(recording, this.#append(pendingOf(recording, redact)))
  }

  /** Shows what has happened to a request while it waits. */
  updatePending(recording: Recording, redact: Redact): void {
    const slot = this.#pending.get(recording)
    if (slot && isSlotOf(recording, slot)) pack(pendingOf(recording, redact), slot)
  }

  #append(recording: Recording): Slot {
    const { leaving } = this.#ring
    if (leaving) this.#gone++
    const slot = leaving ?? emptySlot()
    pack(recording, slot)
    this.#ring.add(slot)
    this.#added++
    return slot
  }

  /** Those that a filter lets through, oldest first. */
  list(filter: ExchangeFilter = {}): Recording[] {
    return this.#all().filter((recording) => fits(recording, filter))
  }

  /**
   * Those that a filter lets through and that hold a text, oldest first, each read when it is asked for. An
   * exchange that goes meanwhile is left out, and one that comes meanwhile too.
   */
  *walk(filter: ExchangeFilter = {}, text = ''): Generator<Recording> {
    const end = this.#added
    for (let next = 0; next < end; next++) {
      const oldest = this.#added - this.#ring.size
      next = Math.max(next, oldest)
      const slot = next < end ? this.#ring.at(next - oldest) : undefined
      if (!slot?.texts.subarray(0, slot.used).includes(text)) continue
      const recording = unpack(slot)
      if (fits(recording, filter)) yield recording
    }
  }

  /** How many a filter lets through. */
  total(filter: ExchangeFilter): number {
    if (Object.values(filter).every((it) => it === undefined)) return this.size
    let total = 0
    for (const _ of this.walk(filter)) total++
    return total
  }

  find(id: string): Recording | undefined {
    return this.mentioning(id, 1, (recording) => recording.id === id)[0]
  }

  /** Those that a filter lets through, the newest first, at most `most` of them from a place on. */
  newest(filter: ExchangeFilter, from: number, most: number): Recording[] {
    const found: Recording[] = []
    let place = 0
    for (const slot of this.#newestFirst()) {
      const recording = unpack(slot)
      if (!fits(recording, filter) || place++ < from) continue
      found.push(recording)
      if (found.length === most) break
    }
    return found
  }

  /** Those that hold a text anywhere, the newest first. */
  mentioning(
    text: string,
    most: number,
    isOne: (recording: Recording) => boolean = () => true,
  ): Recording[] {
    const found: Recording[] = []
    for (const slot of this.#newestFirst()) {
      if (found.length === most) break
      if (!slot.texts.subarray(0, slot.used).includes(text)) continue
      const recording = unpack(slot)
      if (isOne(recording)) found.push(recording)
    }
    return found
  }

  /** How many exchanges there were since the start or the last reset. */
  get count(): number {
    return this.#count
  }

  /** How many are kept. */
  get size(): number {
    return this.#ring.size
  }

  /** How many have made room for others since all was forgotten last. */
  get gone(): number {
    return this.#gone
  }

  *#newestFirst(): Generator<Slot> {
    for (let place = this.#ring.size - 1; place >= 0; place--) {
      const slot = this.#ring.at(place)
      if (slot) yield slot
    }
  }

  #all(): Recording[] {
    return this.#ring.all().map(unpack)
  }

  /** Forgets all, and tells how many there were. Numbers go on. */
  clear(): number {
    const { size } = this.#ring
    this.#ring.clear()
    for (const recording of this.#pending.keys()) this.#pending.set(recording, undefined)
    this.#gone = 0
    return size
  }
}

/** False once the slot was evicted: a newer exchange is in it. */
const isSlotOf = ({ n }: Recording, { numbers }: Slot): boolean => numbers[0] === n

/** A pending request without secrets; the recording itself keeps its body for the operation's end. */
const pendingOf = (recording: Recording, redact: Redact): Recording => {
  const { body, value } = recording
  return {
    ...recording,
    user_id: userIdIn(value),
    body: typeof body === 'string' ? keepBody(body, value, redact) : body,
  }
}
