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
