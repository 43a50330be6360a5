import { clearImmediate, setImmediate } from 'node:timers'

/** The one reader of machine time. Milliseconds since 1970-01-01T00:00:00Z. */
export type MachineClock = () => number

export const machineClock: MachineClock = () => Date.now()

/** The same clock, but that it never runs back: when the other is set back, it goes on from where it was. */
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

/** Waits for so much machine time, or until `early` resolves. */
export type Sleep = (ms: number, early?: Promise<void>) => Promise<void>

/** Waits that can be ended before their time; from then on nobody waits any more. */
export interface CancellableSleeps {
  readonly sleep: Sleep
  readonly end: () => void
}

export const createSleeps = (): CancellableSleeps => {
  const waiting = new Set<() => void>()
  let isOver = false
  return {
    sleep: (ms, early) =>
      new Promise((resolve) => {
        // Both of one kind: timers may be faked, or be real again, by the time that it ends.
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

/** Runs something once so much machine time has passed; answers what calls it off. */
export type Schedule = (ms: number, run: () => void) => () => void

/** By the machine's timers. They keep no process alive. */
export const schedule: Schedule = (ms, run) => {
  const timer = setTimeout(run, ms)
  timer.unref()
  return () => clearTimeout(timer)
}

/** Runs something once this turn of the event loop ends. */
export type NextTick = (run: () => void) => void

/** Whether immediates are the machine's own, which it counts. */
const hasRealImmediates = (): boolean => {
  const count = () => process.getActiveResourcesInfo().filter((it) => it === 'Immediate').length
  const before = count()
  const immediate = setImmediate(() => undefined)
  const isCounted = count() > before
  clearImmediate(immediate)
  return isCounted
}

/**
 * Taken once, not looked up each time: a test that fakes the timers of its process still waits for answers.
 * Where they were faked before this was loaded, a microtask stands in, which comes before the turn ends.
 */
export const nextTick: NextTick = hasRealImmediates() ? setImmediate : queueMicrotask
