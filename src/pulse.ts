import type { Later, MachineClock } from './clock.js'
import { timeOf } from './world/clock.js'
import { Runaway } from './world/kernel/runaway.js'
import type { World } from './world/world.js'

export interface PulseParts {
  readonly world: () => World
  /** Brings the world up to its clock. */
  readonly tick: () => void
  readonly machineClock: MachineClock
  readonly later: Later
  readonly report: (bug: unknown) => void
  /** Whether timers have to wait, whatever is due. */
  readonly isHeld?: () => boolean
}

/** The longest wait that the machine's timers take. */
const LONGEST_WAIT_MS = 2 ** 31 - 1

/**
 * Lets a world's time pass while somebody watches. Without it a world is brought up to its clock when a
 * request comes; with it, whenever its next timer is due. A clock that stands still has no pulse.
 */
export class Pulse {
  readonly #parts: PulseParts
  #isGoing = false
  #callOff: (() => void) | undefined

  constructor(parts: PulseParts) {
    this.#parts = parts
  }

  start(): void {
    this.#isGoing = true
    this.follow()
  }

  stop(): void {
    this.#isGoing = false
    this.#callOff?.()
    this.#callOff = undefined
  }

  /** Waits anew: timers, the clock or the world itself may be others now. */
  follow(): void {
    this.#callOff?.()
    this.#callOff = undefined
    if (!this.#isGoing || this.#parts.isHeld?.()) return
    const ms = this.#wait()
    if (ms !== undefined) this.#callOff = this.#parts.later(ms, () => this.#beat())
  }

  #beat(): void {
    try {
      this.#parts.tick()
    } catch (error) {
      // A timer that never came to rest was dropped: the journal tells, and the world goes on.
      if (!(error instanceof Runaway)) {
        this.#parts.report(error)
        this.stop()
      }
    }
    this.follow()
  }

  /** Machine time until the next timer is due; undefined when none is, or time stands still. */
  #wait(): number | undefined {
    const { nextDue, tables } = this.#parts.world()
    const clock = tables.clock.get('clock')
    if (nextDue === undefined || !clock || clock.speed === 0) return undefined
    const ms = Math.ceil((nextDue - timeOf(clock, this.#parts.machineClock())) / clock.speed)
    return Math.min(Math.max(ms, 1), LONGEST_WAIT_MS)
  }
}
