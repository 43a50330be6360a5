import type { Activity } from '../history/subscriptions.js'
import type { Schedule } from '../lib/machine-clock.js'

interface FollowerOptions {
  readonly catchUp: () => Promise<unknown>
  readonly advance: () => void
  readonly schedule: Schedule
}

const POLL_MS = 200

/** Brings a world of a shared log up to what is stored, and fires its timers, while a stream watches it. */
export class Follower implements Activity {
  readonly #options: FollowerOptions
  #cancel: (() => void) | undefined

  constructor(options: FollowerOptions) {
    this.#options = options
  }

  start(): void {
    this.#cancel?.()
    this.#cancel = this.#options.schedule(POLL_MS, () => void this.#look())
  }

  /** Nothing is scheduled by the world's timers. */
  follow(): void {}

  stop(): void {
    this.#cancel?.()
    this.#cancel = undefined
  }

  async #look(): Promise<void> {
    try {
      await this.#options.catchUp()
      this.#options.advance()
    } catch {
      // A request reports it. The next look may succeed.
    }
    if (this.#cancel) this.start()
  }
}
