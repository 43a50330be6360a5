import { clearImmediate, setImmediate } from 'node:timers'

/** Milliseconds since 1970-01-01T00:00:00Z. No other file reads machine time. */
export type MachineClock = () => number

export const machineClock: MachineClock = () => Date.now()

/** Wraps a clock so that it never goes back: after a step back it continues from its last value. */
export const monotonic = (clock: MachineClock): MachineClock => {
  let ahead = 0
  let latest = Number.NEGATIVE_INFINITY
  return () => {
    const now = clock()
    if (now + ahead < latest) ahead = latest - now
    latest = now + ahead
    return latest
  }
}

/** Wraps a clock that is corrected often: after a step back it waits at its last value, so that no two drift apart. */
export const nonDecreasing = (clock: MachineClock): MachineClock => {
  let latest = Number.NEGATIVE_INFINITY
  return () => {
    latest = Math.max(latest, clock())
    return latest
  }
}

/** Waits for `ms` milliseconds of machine time, or until `early` resolves. */
export type Sleep = (ms: number, early?: Promise<void>) => Promise<void>

/** `end` resolves all pending sleeps; later sleeps resolve at once. */
interface CancellableSleeps {
  readonly sleep: Sleep
  readonly end: () => void
}

export const createSleeps = (): CancellableSleeps => {
  const waiting = new Set<() => void>()
  let isOver = false
  return {
    sleep: (ms, early) =>
      new Promise((resolve) => {
        // Tests may fake or restore timers later, so both functions must be of the same kind.
        const { setTimeout, clearTimeout } = globalThis
        const go = () => {
          clearTimeout(timer)
          waiting.delete(go)
          resolve()
        }
        const timer = setTimeout(go, isOver ? 0 : ms)
        waiting.add(go)
        void early?.then(go)
      }),
    end: () => {
      isOver = true
      for (const go of waiting) go()
    },
  }
}

/** Runs `run` after `ms` milliseconds of machine time; returns a function that cancels it. */
export type Schedule = (ms: number, run: () => void) => () => void

/** These timers do not keep the process alive. */
export const schedule: Schedule = (ms, run) => {
  const timer = setTimeout(run, ms)
  timer.unref()
  return () => clearTimeout(timer)
}

/** Runs `run` at the end of this event-loop turn. */
type NextTick = (run: () => void) => void

/** Node counts its own immediates as active resources, but not faked ones. */
const hasRealImmediates = (): boolean => {
  const count = () => process.getActiveResourcesInfo().filter((it) => it === 'Immediate').length
  const before = count()
  const immediate = setImmediate(() => undefined)
  const isCounted = count() > before
  clearImmediate(immediate)
  return isCounted
}

/**
 * Bound at load time, so that a test that fakes timers still receives responses. If timers were faked before
 * that, a microtask replaces the immediate; it runs before the turn ends.
 */
export const nextTick: NextTick = hasRealImmediates() ? setImmediate : queueMicrotask
