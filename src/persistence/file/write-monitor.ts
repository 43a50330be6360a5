import type { Schedule } from '../../lib/machine-clock.js'
import { DataError, errorMessage } from '../errors.js'
import type { Compaction } from './compaction.js'
import { type Lock, LockedError } from './lock.js'

interface WriteMonitorOptions {
  readonly compaction: Compaction
  readonly lock: Lock
  readonly schedule: Schedule
  /** Informs the operator. */
  readonly warn: (sentence: string) => void
  /** The files can be written again. */
  readonly onWritable: () => void
}

const CHECK_MS = 1_000

/** Checks every second that the files are still there, and whether failed writes are possible again. */
export class WriteMonitor {
  readonly #parts: WriteMonitorOptions
  #failing: string | undefined
  /** True if another process took the files: then nothing is written over them. */
  #isLost = false
  #hasEnded = false
  #cancel: (() => void) | undefined
  /** Settles, and never fails, after the running check. */
  #checking: Promise<void> | undefined

  constructor(parts: WriteMonitorOptions) {
    this.#parts = parts
  }

  /** Why the files cannot be written; undefined if they can. */
  get failing(): string | undefined {
    return this.#failing
  }

  get isLost(): boolean {
    return this.#isLost
  }

  begin(): void {
    if (this.#hasEnded) return
    this.#cancel = this.#parts.schedule(CHECK_MS, () => {
      this.#checking = this.#check().then(() => this.begin())
    })
  }

  /** Stops, and waits for the running check: it may use the files. */
  async end(): Promise<void> {
    this.#hasEnded = true
    this.#cancel?.()
    await this.#checking
  }

  reportFailure(error: unknown): void {
    const why = errorMessage(error)
    if (this.#failing === undefined) {
      this.#parts.warn(
        `it cannot be written: ${why}; changes are refused until it can, reads go on`,
      )
    }
    this.#failing = why
  }

  /** The lock may have been removed with the files, and another process may have taken it. */
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
      // A compaction replaces the files itself.
      if (compaction.isRunning || this.#isLost) return
      await this.renewLock()
      const isGone = await compaction.areFilesGone()
      if (compaction.isRunning || this.#hasEnded) return
      if (isGone) await compaction.compact()
      else if (this.#failing !== undefined) {
        await compaction.exclusive(async () => compaction.wal?.probe())
      }
      if (isGone)
        warn('it was removed, replaced or truncated while in use; the sandbox has written it again')
    } catch (error) {
      this.reportFailure(error)
      return
    }
    if (this.#failing === undefined || this.#hasEnded) return
    this.#failing = undefined
    warn('it can be written again; changes go on')
    onWritable()
  }
}
