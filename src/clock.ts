/** The one reader of machine time. Milliseconds since 1970-01-01T00:00:00Z. */
export type MachineClock = () => number

export const machineClock: MachineClock = () => Date.now()

/** Waits for so much machine time. */
export type Sleep = (ms: number) => Promise<void>

export const sleep: Sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms))

/** Runs something once so much machine time has passed; answers what calls it off. */
export type Later = (ms: number, run: () => void) => () => void

/** By the machine's timers. They keep no process alive. */
export const later: Later = (ms, run) => {
  const timer = setTimeout(run, ms)
  timer.unref()
  return () => clearTimeout(timer)
}
