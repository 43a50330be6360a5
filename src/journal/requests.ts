import { keepBody } from './bodies.js'
import { type ExchangeFilter, fits, userIdIn } from './exchange.js'
import { emptySlot, pack, type Slot, unpack } from './packed.js'
import type { Recording, Sent } from './recording.js'
import { Reliance } from './reliance.js'
import { Ring } from './ring.js'

export const DEFAULT_REQUEST_LOG = 1_000
export const LARGEST_REQUEST_LOG = 100_000

/** The newest exchanges of one world. */
export class RequestLog {
  /** Counted whether exchanges are kept or not. */
  readonly reliance = new Reliance()
  readonly #ring: Ring<Slot>
  #count = 0

  /** A log of size 0 keeps nothing. */
  constructor(size: number) {
    this.#ring = new Ring(size)
  }

  /** Takes in an exchange that has ended; `sent` is undefined when it had no answer. */
  add(recording: Recording, sent: Sent | undefined): void {
    recording.n = ++this.#count
    recording.user_id = userIdIn(recording.value)
    if (typeof recording.body === 'string') {
      recording.body = keepBody(recording.body, recording.value)
    }
    if (sent) {
      recording.status = sent.status
      recording.answerHeaders = sent.headers
      recording.answer = keepBody(sent.text)
    }
    const slot = this.#ring.leaving ?? emptySlot()
    pack(recording, slot)
    this.#ring.add(slot)
  }

  /** Those that a filter lets through, oldest first. */
  list(filter: ExchangeFilter = {}): Recording[] {
    return this.#all().filter((recording) => fits(recording, filter))
  }

  find(id: string): Recording | undefined {
    return this.#all().find((recording) => recording.id === id)
  }

  #all(): Recording[] {
    return this.#ring.all().map(unpack)
  }

  /** Forgets all, and tells how many there were. Numbers go on. */
  clear(): number {
    const { size } = this.#ring
    this.#ring.clear()
    return size
  }

  /** As it was before the first exchange. */
  reset(): void {
    this.clear()
    this.#count = 0
    this.reliance.reset()
  }
}
