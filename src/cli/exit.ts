import { constants } from 'node:os'

/** Exit codes of the command line. */

export const PASSED = 0
/** The command failed, called nothing, or a report could not be written. */
export const FAILED = 1
/** Invalid arguments, file or command. */
export const UNUSABLE = 2
/** The command passed, but an expectation was missed. */
export const MISSED = 3

/** 128 plus the signal number, as in shells. */
export const codeOfSignal = (signal: NodeJS.Signals): number => 128 + constants.signals[signal]

/** Signals of a user, a CI system or a closed terminal. */
export const ENDING_SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

export interface SignalHandler {
  /** The first signal received. */
  readonly signal: () => NodeJS.Signals | undefined
  /** Removes the listeners. */
  readonly done: () => void
}

/** Records signals while commands run. Each command passes them on to its own process group. */
export const handleSignals = (commands: number): SignalHandler => {
  let first: NodeJS.Signals | undefined
  const note = (signal: NodeJS.Signals) => {
    first ??= signal
  }
  // One listener per command would trigger Node's leak warning.
  process.setMaxListeners(Math.max(process.getMaxListeners(), commands + 2))
  for (const signal of ENDING_SIGNALS) process.on(signal, note)
  return {
    signal: () => first,
    done: () => {
      for (const signal of ENDING_SIGNALS) process.off(signal, note)
    },
  }
}
