import type { Schedule } from '../../lib/machine-clock.js'
import { DataError, errorMessage } from '../errors.js'
import type { Compaction } from './compaction.js'
import { type Lock, LockedError } from './lock.js'

export interface WriteMonitorOptions {
  readonly compaction: Compaction
  readonly lock: Lock
  readonly later: Schedule
  /** Informs the operator. */
  readonly warn: (sentence: string) => void
  /** The files can be written again. */
  readonly onWritable: () => void
}

const CHECK_MS = 1_000

/** Looks after the files every second: are they still there; and if they could not be written, can they be now? */
export class WriteMonitor {
  readonly #parts: WriteMonitorOptions
  #failing: string | undefined
  /** Whether another process has taken the files: then nothing of ours is written over its own. */
  #isLost = false
  #isOver = false
  #stopLooking: (() => void) | undefined
  /** Settles, and never fails, once the look that is under way has ended. */
  #looking: Promise<void> | undefined

  constructor(parts: WriteMonitorOptions) {
    this.#parts = parts
  }

  /** Why the files cannot be written; undefined while they can. */
  get failing(): string | undefined {
    return this.#failing
  }

  get isLost(): boolean {
    return this.#isLost
  }

  begin(): void {
    if (this.#isOver) return
    this.#stopLooking = this.#parts.later(CHECK_MS, () => {
      this.#looking = this.#check().then(() => this.begin())
    })
  }

  /** Looks no more, and waits for the look that is under way: it may be at the files. */
  async end(): Promise<void> {
    this.#isOver = true
    this.#stopLooking?.()
    await this.#looking
  }

  /** Something could not be written. */
  failed(error: unknown): void {
    const why = errorMessage(error)
    if (this.#failing === undefined) {
      this.#parts.warn(
        `it cannot be written: ${why}; changes are refused until it can, reads go on`,
      )
    }
    this.#failing = why
  }

  /** Who removes the files may remove the lock as well, and then another process may have taken it. */
  async renewLock(): Promise<void> {
    try {
      if (this.#isLost) throw new DataError('another Sandramp has taken the file')
      await this.#parts.lock.renew()
    } catch (error) {
      this.#isLost ||= error instanceof LockedError
      throw error
    }
  }

  async #check(): Promise<void> {
    const { compaction, warn, onWritable } = this.#parts
    try {
      // A fold replaces the files itself.
      if (compaction.isRunning || this.#isLost) return
      await this.renewLock()
      const isGone = await compaction.areFilesGone()
      if (compaction.isRunning || this.#isOver) return
      if (isGone) await compaction.compact()
      else if (this.#failing !== undefined) {
        await compaction.exclusive(async () => compaction.wal?.probe())
      }
      if (isGone) warn('it was removed, replaced or cut off while in use; it is written anew')
    } catch (error) {
      this.failed(error)
      return
    }
    if (this.#failing === undefined || this.#isOver) return
    this.#failing = undefined
    warn('it can be written again; changes go on')
    onWritable()
  }
}
