import { constants } from 'node:os'

/** What the command line exits with. */

export const PASSED = 0
/** The command, or something that was expected of it, has failed. */
export const FAILED = 1
/** Arguments, a file or the command cannot be used. */
export const UNUSABLE = 2

/** The exit code of a process that a signal ended, as shells give it. */
export const codeOfSignal = (signal: NodeJS.Signals): number => 128 + constants.signals[signal]
