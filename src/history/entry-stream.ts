import type { Entry } from '../kernel/entry.js'
import type { MemoryJournal } from './memory-journal.js'
import { SseStream } from './sse.js'

export interface StreamHost {
  readonly frame: (entry: Entry) => Uint8Array
  /** Number of the newest entry that subscribers may see. */
  readonly visibleUpTo: () => number
  readonly onClose: () => void
}

/** Entries per chunk of the stream. */
const MAX_BATCH = 64

/** One subscriber and its cursor. The journal holds the entries. */
export class EntryStream extends SseStream {
  readonly #journal: MemoryJournal
  readonly #host: StreamHost
  #cursor: number

  constructor(journal: MemoryJournal, after: number, host: StreamHost) {
    super('', host.onClose)
    this.#journal = journal
    this.#cursor = after
    this.#host = host
  }

  /** Sends new entries while the client keeps up. */
  wake(): void {
    if (!this.#journal.hasAllAfter(this.#cursor)) this.#drop()
    if (!this.isReady) return
    const most = Math.max(0, Math.min(MAX_BATCH, this.#host.visibleUpTo() - this.#cursor))
    const entries = this.#journal.oldestAfter(this.#cursor, most)
    const last = entries.at(-1)
    if (!last) return
    this.#cursor = last.seq
    this.send(Buffer.concat(entries.map(this.#host.frame)))
  }

  /** The event id lets a reconnecting browser continue with new entries. */
  #drop(): void {
    const { oldest, newest } = this.#journal
    const reason =
      `the reader was too slow: it had come to entry ${this.#cursor}, ` +
      `and the oldest that is kept is ${oldest}`
    this.end('dropped', { reason, next: newest }, newest)
  }
}
