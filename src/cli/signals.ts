/** What asks a process to end: somebody, or a terminal that goes away. */
export const ENDING_SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

export interface SignalHandler {
  /** The first signal that came; undefined when none did. */
  readonly signal: () => NodeJS.Signals | undefined
  /** Lets signals do what they do. */
  readonly done: () => void
}

/** Notes signals. Each of so many commands that run at once looks after its own process group besides. */
export const handleSignals = (commands: number): SignalHandler => {
  let first: NodeJS.Signals | undefined
  const note = (signal: NodeJS.Signals) => {
    first ??= signal
  }
  // One listener for each command, and ours: more than Node takes for a leak.
  process.setMaxListeners(Math.max(process.getMaxListeners(), commands + 2))
  for (const signal of ENDING_SIGNALS) process.on(signal, note)
  return {
    signal: () => first,
    done: () => {
      for (const signal of ENDING_SIGNALS) process.off(signal, note)
    },
  }
}
