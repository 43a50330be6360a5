import type { Entry } from '../kernel/entry.js'
import { nextTick, type Schedule } from '../lib/machine-clock.js'
import { EntryStream } from './entry-stream.js'
import type { MemoryJournal } from './memory-journal.js'
import type { SseStream } from './sse.js'
import { TickStream } from './tick-stream.js'

const HEARTBEAT_MS = 15_000

/** Work that runs only while there are subscribers. */
export interface Activity {
  start(): void
  follow(): void
  stop(): void
}

const ALL = Number.POSITIVE_INFINITY

const encoder = new TextEncoder()

/**
 * Server-sent events of a journal. Each subscriber reads from the journal at its own pace, outside
 * of the request that made an entry. One that falls behind the oldest kept entry is disconnected.
 */
export class Subscriptions {
  readonly #journal: MemoryJournal
  readonly #activity: Activity
  readonly #schedule: Schedule
  readonly #visibleUpTo: () => number
  readonly #readers = new Set<SseStream>()
  /** Encoded entries, shared by all subscribers and dropped with the last one. */
  #frames = new WeakMap<Entry, Uint8Array>()
  #isWaking = false
  #stopHeartbeat: (() => void) | undefined

  /** `visibleUpTo` returns the number of the newest entry that subscribers may see. */
  constructor(
    journal: MemoryJournal,
    activity: Activity,
    schedule: Schedule,
    visibleUpTo = () => ALL,
  ) {
    this.#journal = journal
    this.#activity = activity
    this.#schedule = schedule
    this.#visibleUpTo = visibleUpTo
  }

  get size(): number {
    return this.#readers.size
  }

  /** Streams the entries after a number. */
  open(after: number): ReadableStream<Uint8Array> {
    const reader: EntryStream = new EntryStream(this.#journal, after, {
      frame: (entry) => this.#frame(entry),
      visibleUpTo: this.#visibleUpTo,
      onClose: () => this.#leave(reader),
    })
    return this.#join(reader)
  }

  /** Streams only the progress that `look` returns; `hello` is sent first. */
  openTicks(look: () => object, hello: object): ReadableStream<Uint8Array> {
    const reader: TickStream = new TickStream(look, hello, this.#schedule, () =>
      this.#leave(reader),
    )
    return this.#join(reader)
  }

  #join(reader: SseStream): ReadableStream<Uint8Array> {
    this.#readers.add(reader)
    if (this.#readers.size === 1) {
      this.#heartbeat()
      this.#activity.start()
    }
    return reader.body
  }

  /** Wakes the subscribers after the current request is done. */
  notify(): void {
    if (this.#isWaking || this.#readers.size === 0) return
    this.#isWaking = true
    nextTick(() => {
      this.#isWaking = false
      for (const reader of [...this.#readers]) reader.wake()
      if (this.#readers.size > 0) this.#activity.follow()
    })
  }

  end(reason: string): void {
    for (const reader of [...this.#readers]) reader.end('end', { reason })
  }

  /** Keeps idle connections alive. */
  #heartbeat(): void {
    this.#stopHeartbeat = this.#schedule(HEARTBEAT_MS, () => {
      for (const reader of this.#readers) reader.beat()
      this.#heartbeat()
    })
  }

  #leave(reader: SseStream): void {
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
