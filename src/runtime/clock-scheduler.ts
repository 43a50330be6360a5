import { toWorldTime } from '../domain/clock.js'
import type { World } from '../domain/world.js'
import { TimerLoopError } from '../kernel/timer-loop-error.js'
import type { MachineClock, Schedule } from '../lib/machine-clock.js'

export interface ClockSchedulerOptions {
  readonly world: () => World
  /** Brings the world up to its clock. */
  readonly advance: () => void
  readonly machineClock: MachineClock
  readonly schedule: Schedule
  readonly report: (bug: unknown) => void
  /** Whether timers have to wait, whatever is due. */
  readonly isReadOnly?: () => boolean
}

/** The longest wait that the machine's timers take. */
const MAX_WAIT_MS = 2 ** 31 - 1

/**
 * Lets a world's time pass while somebody watches. Without it a world is brought up to its clock when a
 * request comes; with it, whenever its next timer is due. A clock that stands still has no pulse.
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

  /** Waits anew: timers, the clock or the world itself may be others now. */
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
      // A timer that never came to rest was dropped: the journal tells, and the world goes on.
      if (!(error instanceof TimerLoopError)) {
        this.#options.report(error)
        this.stop()
      }
    }
    this.follow()
  }

  /** Machine time until the next timer is due; undefined when none is, or time stands still. */
  #wait(): number | undefined {
    const { nextDue, tables } = this.#options.world()
    const clock = tables.clock.get('clock')
    if (nextDue === undefined || !clock || clock.speed === 0) return undefined
    const ms = Math.ceil((nextDue - toWorldTime(clock, this.#options.machineClock())) / clock.speed)
    return Math.min(Math.max(ms, 1), MAX_WAIT_MS)
  }
}
