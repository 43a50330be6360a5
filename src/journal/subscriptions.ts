import type { Entry } from '../kernel/entry.js'
import { nextTick, type Schedule } from '../lib/machine-clock.js'
import { EntryStream } from './entry-stream.js'
import type { MemoryJournal } from './memory-journal.js'
import type { Subscriber } from './sse.js'
import { TickStream } from './tick-stream.js'

const HEARTBEAT_MS = 15_000

/** What goes on as long as somebody reads. */
export interface Activity {
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
export class Subscriptions {
  readonly #journal: MemoryJournal
  readonly #activity: Activity
  readonly #schedule: Schedule
  readonly #visibleUpTo: () => number
  readonly #readers = new Set<Subscriber>()
  /** Each entry as it is sent, written out once for all readers and forgotten when the last one leaves. */
  #frames = new WeakMap<Entry, Uint8Array>()
  #isWaking = false
  #stopHeartbeat: (() => void) | undefined

  /** `shown` tells the newest entry that readers may see. */
  constructor(journal: MemoryJournal, company: Activity, later: Schedule, shown = () => ALL) {
    this.#journal = journal
    this.#activity = company
    this.#schedule = later
    this.#visibleUpTo = shown
  }

  /** How many read. */
  get size(): number {
    return this.#readers.size
  }

  /** A new reader of what follows a number. */
  open(after: number): ReadableStream<Uint8Array> {
    const reader: EntryStream = new EntryStream(this.#journal, after, {
      frame: (entry) => this.#frame(entry),
      visibleUpTo: this.#visibleUpTo,
      onClose: () => this.#leave(reader),
    })
    return this.#join(reader)
  }

  /** A new stream that only tells how far things have come, as `look` says; `hello` goes before. */
  openTicks(look: () => object, hello: object): ReadableStream<Uint8Array> {
    const left = () => this.#leave(ticker)
    const ticker: TickStream = new TickStream(look, hello, { later: this.#schedule, left })
    return this.#join(ticker)
  }

  #join(reader: Subscriber): ReadableStream<Uint8Array> {
    this.#readers.add(reader)
    if (this.#readers.size === 1) {
      this.#heartbeat()
      this.#activity.start()
    }
    return reader.body
  }

  /** Entries came: readers get them once the request that made them is done. */
  notify(): void {
    if (this.#isWaking || this.#readers.size === 0) return
    this.#isWaking = true
    nextTick(() => {
      this.#isWaking = false
      for (const reader of [...this.#readers]) reader.wake()
      if (this.#readers.size > 0) this.#activity.follow()
    })
  }

  /** Ends all streams, and tells why. */
  end(reason: string): void {
    for (const reader of [...this.#readers]) reader.end('end', { reason })
  }

  /** A sign of life for connections that hear nothing else. */
  #heartbeat(): void {
    this.#stopHeartbeat = this.#schedule(HEARTBEAT_MS, () => {
      for (const reader of this.#readers) reader.beat()
      this.#heartbeat()
    })
  }

  #leave(reader: Subscriber): void {
    if (!this.#readers.delete(reader) || this.#readers.size > 0) return
    this.#stopHeartbeat?.()
    this.#frames = new WeakMap()
    this.#activity.stop()
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
