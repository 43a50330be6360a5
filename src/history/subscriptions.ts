import { nextTick, type Schedule } from '../lib/machine-clock.js'
import type { LogRecord } from './log-record.js'
import type { MemoryJournal } from './memory-journal.js'
import { SseStream, type Wake } from './sse.js'

const HEARTBEAT_MS = 15_000
/** Requests per chunk of a stream. */
const MAX_BATCH = 64
/** Requests that wait for a reader. */
const MAX_WAITING = 1_000
/** Work that runs only while there are subscribers. */
export interface Activity {
  start(): void
  follow(): void
  stop(): void
}

/** A request that ended, and the world of its log. */
export interface EndedRequest {
  readonly logRecord: LogRecord
  readonly world: {
    readonly id: string
    readonly tenant: string | undefined
    readonly journal: MemoryJournal
  }
}

/**
 * Server-sent events about a world. Each subscriber reads at its own pace, outside of the request that made the news. One
 * that falls too far behind is disconnected.
 */
export class Subscriptions {
  readonly #activity: Activity
  readonly #schedule: Schedule
  readonly #readers = new Set<SseStream>()
  readonly #queues = new Map<SseStream, EndedRequest[]>()
  /** Number of the last ticks: all readers that are ready get theirs at once, then rest. */
  wave = 0
  #isWave = false
  #isResting = false
  #isWaking = false
  #stopHeartbeat: (() => void) | undefined

  constructor(activity: Activity, schedule: Schedule) {
    this.#activity = activity
    this.#schedule = schedule
  }

  get size(): number {
    return this.#readers.size
  }

  /** Streams the requests that `publish` receives from now on. `show` returns an empty text to skip one. */
  openRequests(show: (request: EndedRequest) => string): ReadableStream<Uint8Array> {
    const queue: EndedRequest[] = []
    const reader = this.#join('', (reader) => {
      if (queue.length > MAX_WAITING) {
        const reason = `the reader was too slow: more than ${MAX_WAITING} requests waited for it`
        reader.end('dropped', { reason })
      }
      while (reader.isReady && queue.length > 0) {
        const text = queue.splice(0, MAX_BATCH).map(show).join('')
        if (text !== '') reader.send(text)
      }
    })
    this.#queues.set(reader, queue)
    return reader.body
  }

  publish(request: EndedRequest): void {
    for (const queue of this.#queues.values()) queue.push(request)
    this.notify()
  }

  /** Streams only the progress that `look` returns; `hello` is sent first. `rest` returns the milliseconds until the next. */
  openTicks(look: () => object, hello: object, rest: () => number): ReadableStream<Uint8Array> {
    const greeting = `event: hello\ndata: ${JSON.stringify({ ...hello, ...look() })}\n`
    return this.#join(greeting, this.#ticksOf(look, rest)).body
  }

  #join(greeting: string, wake: Wake): SseStream {
    const reader = new SseStream(greeting, wake, (closed) => this.#leave(closed))
    this.#readers.add(reader)
    if (this.#readers.size === 1) {
      this.#heartbeat()
      this.#activity.start()
    }
    return reader
  }

  #ticksOf(look: () => object, rest: () => number): Wake {
    // Others may share what they read before this reader came, so it gets their next tick.
    let sent = this.#isResting ? '' : JSON.stringify(look())
    return (reader) => {
      if ((this.#isResting && !this.#isWave) || !reader.isReady) return
      const now = JSON.stringify(look())
      if (now === sent) return
      sent = now
      this.#beginWave(rest)
      reader.send(`event: tick\ndata: ${now}\n\n`)
    }
  }

  #beginWave(rest: () => number): void {
    if (this.#isWave) return
    this.wave++
    this.#isWave = true
    nextTick(() => {
      this.#isWave = false
    })
    this.#isResting = true
    this.#schedule(rest(), () => {
      this.#isResting = false
      this.notify()
    })
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
    this.#queues.delete(reader)
    if (!this.#readers.delete(reader) || this.#readers.size > 0) return
    this.#stopHeartbeat?.()
    this.#activity.stop()
  }
}
