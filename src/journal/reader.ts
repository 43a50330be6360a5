import type { Entry } from '../world/kernel/journal.js'
import type { MemoryJournal } from './memory.js'
import type { Listener } from './ticker.js'

/** What a reader has from its feed. */
export interface Host {
  readonly frame: (entry: Entry) => Uint8Array
  /** Number of the newest entry that may be shown. */
  readonly shown: () => number
  readonly left: () => void
}

/** Entries in one piece of a stream. */
const MOST_AT_ONCE = 64
/** After how long a browser that lost its connection comes back. */
const RETRY_MS = 1_000

const encoder = new TextEncoder()
const HEARTBEAT = encoder.encode(': still here\n\n')

/** One stream, and how far it has come. It keeps no entries: the journal does. */
export class Reader implements Listener {
  readonly body: ReadableStream<Uint8Array>
  readonly #journal: MemoryJournal
  readonly #host: Host
  #cursor: number
  #controller: ReadableStreamDefaultController<Uint8Array> | undefined

  constructor(journal: MemoryJournal, after: number, host: Host) {
    this.#journal = journal
    this.#cursor = after
    this.#host = host
    this.body = new ReadableStream<Uint8Array>(
      {
        start: (controller) => {
          this.#controller = controller
          // Something to send at once, so that the other side knows that it is connected.
          controller.enqueue(encoder.encode(`retry: ${RETRY_MS}\n\n`))
        },
        pull: () => this.wake(),
        cancel: () => {
          this.#controller = undefined
          host.left()
        },
      },
      { highWaterMark: 1 },
    )
  }

  /** Writes what has come since, as far as the other side is ready for it. */
  wake(): void {
    if (!this.#journal.follows(this.#cursor)) this.#drop()
    if (!this.#isReady()) return
    const most = Math.max(0, Math.min(MOST_AT_ONCE, this.#host.shown() - this.#cursor))
    const entries = this.#journal.next(this.#cursor, most)
    const last = entries.at(-1)
    if (!last) return
    this.#cursor = last.seq
    this.#controller?.enqueue(joined(entries.map(this.#host.frame)))
  }

  beat(): void {
    if (this.#isReady()) this.#controller?.enqueue(HEARTBEAT)
  }

  /** Closes the stream with a last event that tells why. */
  end(event: string, data: object, id?: number): void {
    const line = id === undefined ? '' : `id: ${id}\n`
    const controller = this.#controller
    this.#controller = undefined
    controller?.enqueue(encoder.encode(`${line}event: ${event}\ndata: ${JSON.stringify(data)}\n\n`))
    controller?.close()
    this.#host.left()
  }

  #isReady(): boolean {
    return (this.#controller?.desiredSize ?? 0) > 0
  }

  /** The event's id lets a browser that comes back go on with what is new. */
  #drop(): void {
    const { oldest, newest } = this.#journal
    const reason =
      `the reader was too slow: it had come to entry ${this.#cursor}, ` +
      `and the oldest that is kept is ${oldest}`
    this.end('dropped', { reason, next: newest }, newest)
  }
}

const joined = (frames: readonly Uint8Array[]): Uint8Array => {
  const whole = new Uint8Array(frames.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const frame of frames) {
    whole.set(frame, at)
    at += frame.length
  }
  return whole
}
