import type { Later } from '../clock.js'
import { DataError, messageOf } from './data-error.js'
import type { Files, Meanwhile } from './files.js'
import type { Folds } from './folds.js'
import { type Lock, Taken } from './lock.js'

export interface WatchParts {
  readonly files: Files
  readonly folds: Folds
  readonly lock: Lock
  readonly later: Later
  readonly between: Meanwhile['between']
  readonly tell: (sentence: string) => void
  /** The files could not be written, and can be again. */
  readonly mended: () => void
}

const LOOK_MS = 1_000

/** Looks after the files every second: are they still there; and if they could not be written, can they be now? */
export class Watch {
  readonly #parts: WatchParts
  #failing: string | undefined
  /** Whether another process has taken the files: then nothing of ours is written over its own. */
  #isLost = false
  #isOver = false
  #stopLooking: (() => void) | undefined
  /** Settles, and never fails, once the look that is under way has ended. */
  #looking: Promise<void> | undefined

  constructor(parts: WatchParts) {
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
    this.#stopLooking = this.#parts.later(LOOK_MS, () => {
      this.#looking = this.#look().then(() => this.begin())
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
    const why = messageOf(error)
    if (this.#failing === undefined) {
      const { tell } = this.#parts
      tell(`it cannot be written: ${why}; changes are refused until it can, reads go on`)
    }
    this.#failing = why
  }

  /** Who removes the files may remove the lock as well, and then another process may have taken it. */
  async renewLock(): Promise<void> {
    try {
      if (this.#isLost) throw new DataError('another Sandramp has taken the file')
      await this.#parts.lock.renew()
    } catch (error) {
      this.#isLost ||= error instanceof Taken
      throw error
    }
  }

  async #look(): Promise<void> {
    const { files, folds, between, tell, mended } = this.#parts
    try {
      // A fold replaces the files itself.
      if (folds.isRunning || this.#isLost) return
      await this.renewLock()
      const isGone = await files.areGone()
      if (folds.isRunning || this.#isOver) return
      if (isGone) await folds.next()
      else if (this.#failing !== undefined) await between(async () => files.journal?.tryOut())
      if (isGone) tell('it was removed, replaced or cut off while in use; it is written anew')
    } catch (error) {
      this.failed(error)
      return
    }
    if (this.#failing === undefined || this.#isOver) return
    this.#failing = undefined
    tell('it can be written again; changes go on')
    mended()
  }
}
