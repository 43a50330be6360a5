import { constants } from 'node:os'

/** What the command line exits with. */

export const PASSED = 0
/** The command has failed, or the run itself: nothing called the service, or a report was not written. */
export const FAILED = 1
/** Arguments, a file or the command cannot be used. */
export const UNUSABLE = 2
/** The command has passed, and an expectation is missed. */
export const MISSED = 3

/** The exit code of a process that a signal ended, as shells give it. */
export const codeOfSignal = (signal: NodeJS.Signals): number => 128 + constants.signals[signal]
