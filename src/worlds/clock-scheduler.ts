import { toWorldTime } from '../domain/clock.js'
import type { World } from '../domain/world.js'
import { TimerLoopError } from '../kernel/timer-records.js'
import type { MachineClock, Schedule } from '../lib/machine-clock.js'

interface ClockSchedulerOptions {
  readonly world: () => World
  readonly advance: () => void
  readonly machineClock: MachineClock
  readonly schedule: Schedule
  readonly report: (bug: unknown) => void
  readonly isReadOnly?: () => boolean
}

const MAX_WAIT_MS = 2 ** 31 - 1

/**
 * Fires the timers of a world when they are due, while a stream watches it. Other worlds fire theirs with the
 * next request.
 */
export class ClockScheduler {
  readonly #options: ClockSchedulerOptions
  #isRunning = false
  #cancel: (() => void) | undefined

  constructor(parts: ClockSchedulerOptions) {
    this.#options = parts
  }

  start(): void {
    this.#isRunning = true
    this.follow()
  }

  stop(): void {
    this.#isRunning = false
    this.#cancel?.()
    this.#cancel = undefined
  }

  /** Schedules the next timer again, after the timers, the clock or the world changed. */
  follow(): void {
    this.#cancel?.()
    this.#cancel = undefined
    if (!this.#isRunning || this.#options.isReadOnly?.()) return
    const ms = this.#wait()
    if (ms !== undefined) this.#cancel = this.#options.schedule(ms, () => this.#fire())
  }

  #fire(): void {
    try {
      this.#options.advance()
    } catch (error) {
      // The kernel dropped a timer that triggers itself. The journal has an entry for it.
      if (!(error instanceof TimerLoopError)) {
        this.#options.report(error)
        this.stop()
      }
    }
    this.follow()
  }

  /** Machine time until the next timer is due; undefined if there is none, or the clock is paused. */
  #wait(): number | undefined {
    const { nextDue, tables } = this.#options.world()
    const clock = tables.clock.get('clock')
    if (nextDue === undefined || !clock || clock.speed === 0) return undefined
    const ms = Math.ceil((nextDue - toWorldTime(clock, this.#options.machineClock())) / clock.speed)
    return Math.min(Math.max(ms, 1), MAX_WAIT_MS)
  }
}
