import type { CompactionInput, DataFiles } from './data-files.js'
import type { ArchiveCleanup } from './leftovers.js'
import type { StoredState } from './state.js'

export interface CompactionOptions {
  readonly files: DataFiles
  readonly leftovers: ArchiveCleanup
  /** All worlds as they are now. */
  readonly state: () => StoredState
  /** How many lines will outlast a crash. */
  readonly flushed: () => number
  /** Settles once all that was done so far is written; undefined when it is. */
  readonly pending: () => Promise<void> | undefined
  readonly between: CompactionInput['between']
  /** A fold in the background has failed. */
  readonly failed: (why: unknown) => void
}

/** Folds the journal: the worlds as they are take the place of the lines that have led to them. */
export class Compaction {
  readonly #parts: CompactionOptions
  /** Whether the snapshot holds something else than what it was read from. */
  #isStale = true
  /** Settles, and never fails, once the fold that is under way has ended. */
  #running: Promise<void> | undefined

  constructor(parts: CompactionOptions) {
    this.#parts = parts
  }

  /** The snapshot that is there was read, and holds just that. */
  goOn(): void {
    this.#isStale = false
  }

  get isRunning(): boolean {
    return this.#running !== undefined
  }

  /** Waits for the fold that is under way. */
  async ended(): Promise<void> {
    await this.#running
  }

  /** Whether a fold would change anything. */
  get isDue(): boolean {
    const { flushed, files } = this.#parts
    return flushed() > files.folded || this.#isStale || files.journal?.hasTail === true
  }

  /** In the background; when it fails, the journal grows on until it has doubled. */
  soon(): void {
    if (this.#running) return
    const { files, failed } = this.#parts
    void this.next().catch((error: unknown) => {
      files.snapshotSize = 2 * (files.journal?.size ?? 0)
      failed(error)
    })
  }

  /** Behind the one that is under way. */
  next(): Promise<void> {
    const fold = this.ended().then(() => this.now())
    const ended = fold
      .catch(() => {})
      .then(() => {
        if (this.#running === ended) this.#running = undefined
      })
    this.#running = ended
    return fold
  }

  /** Writes the worlds as they are now. At first there is no journal that could wait for anything. */
  async now(): Promise<void> {
    const { files, leftovers, state, flushed, pending, between } = this.#parts
    const whole = state()
    const folding = { after: flushed(), leftovers: leftovers.deleted }
    await files.fold(whole, folding, { written: files.journal && pending(), between })
    this.#isStale = false
    await leftovers.releaseUpTo(whole.line)
  }
}
