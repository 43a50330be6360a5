import { type Later, soon } from '../clock.js'
import type { Entry } from '../world/kernel/entry.js'
import type { MemoryJournal } from './memory.js'
import { Reader } from './reader.js'
import type { Subscriber } from './subscriber.js'
import { Ticker } from './ticker.js'

const HEARTBEAT_MS = 15_000

/** What goes on as long as somebody reads. */
export interface Company {
  start(): void
  /** Entries came. */
  follow(): void
  stop(): void
}

const ALL = Number.POSITIVE_INFINITY

const encoder = new TextEncoder()

/**
 * Shows a journal to readers as it grows, as server-sent events. Readers take from the journal itself,
 * each at its own pace and outside of the request that made an entry; one that is left behind by all
 * that the journal keeps is dropped.
 */
export class Feed {
  readonly #journal: MemoryJournal
  readonly #company: Company
  readonly #later: Later
  readonly #shown: () => number
  readonly #readers = new Set<Subscriber>()
  /** Each entry as it is sent, written out once for all readers and forgotten when the last one leaves. */
  #frames = new WeakMap<Entry, Uint8Array>()
  #isWaking = false
  #stopHeart: (() => void) | undefined

  /** `shown` tells the newest entry that readers may see. */
  constructor(journal: MemoryJournal, company: Company, later: Later, shown = () => ALL) {
    this.#journal = journal
    this.#company = company
    this.#later = later
    this.#shown = shown
  }

  /** How many read. */
  get size(): number {
    return this.#readers.size
  }

  /** A new reader of what follows a number. */
  open(after: number): ReadableStream<Uint8Array> {
    const reader: Reader = new Reader(this.#journal, after, {
      frame: (entry) => this.#frame(entry),
      shown: this.#shown,
      left: () => this.#leave(reader),
    })
    return this.#join(reader)
  }

  /** A new stream that only tells how far things have come, as `look` says; `hello` goes before. */
  openTicks(look: () => object, hello: object): ReadableStream<Uint8Array> {
    const left = () => this.#leave(ticker)
    const ticker: Ticker = new Ticker(look, hello, { later: this.#later, left })
    return this.#join(ticker)
  }

  #join(reader: Subscriber): ReadableStream<Uint8Array> {
    this.#readers.add(reader)
    if (this.#readers.size === 1) {
      this.#beat()
      this.#company.start()
    }
    return reader.body
  }

  /** Entries came: readers get them once the request that made them is done. */
  notice(): void {
    if (this.#isWaking || this.#readers.size === 0) return
    this.#isWaking = true
    soon(() => {
      this.#isWaking = false
      for (const reader of [...this.#readers]) reader.wake()
      if (this.#readers.size > 0) this.#company.follow()
    })
  }

  /** Ends all streams, and tells why. */
  end(reason: string): void {
    for (const reader of [...this.#readers]) reader.end('end', { reason })
  }

  /** A sign of life for connections that hear nothing else. */
  #beat(): void {
    this.#stopHeart = this.#later(HEARTBEAT_MS, () => {
      for (const reader of this.#readers) reader.beat()
      this.#beat()
    })
  }

  #leave(reader: Subscriber): void {
    if (!this.#readers.delete(reader) || this.#readers.size > 0) return
    this.#stopHeart?.()
    this.#frames = new WeakMap()
    this.#company.stop()
  }

  #frame(entry: Entry): Uint8Array {
    let frame = this.#frames.get(entry)
    if (!frame) {
      frame = encoder.encode(`id: ${entry.seq}\nevent: entry\ndata: ${JSON.stringify(entry)}\n\n`)
      this.#frames.set(entry, frame)
    }
    return frame
  }
}
