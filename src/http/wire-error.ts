import {
  type DocumentedCode,
  documentedErrors,
  type ErrorCode,
  statusOf,
} from '../contract/errors.js'
import { DataError, NotKept, Unreadable } from '../store/data-error.js'
import { Refusal, type RefusalCode } from '../world/kernel/refusal.js'
import { Runaway } from '../world/kernel/runaway.js'
import { NoRoom } from '../worlds.js'

/** Marks every answer that a rule made, altered or delayed, so that nobody takes a rehearsed error for a bug. */
export const FAULT_HEADER = 'x-sandbox-fault'

/** A request that gets the contract's error body instead of an answer. */
export class WireError extends Error {
  override readonly name = 'WireError'

  constructor(
    readonly code: ErrorCode,
    message: string,
    readonly headers: Readonly<Record<string, string>> = {},
    /** Another one than goes with the code. */
    readonly status: number = statusOf(code),
  ) {
    super(message)
  }
}

/** A refusal of what the contract knows nothing of, such as the sandbox's own headers: it leaves nothing open. */
export class OwnError extends WireError {}

/** One of the contract's own errors, with the contract's own message. */
export const documentedError = (code: DocumentedCode): WireError =>
  new WireError(code, documentedErrors[code].message)

export const invalid = (message: string): WireError => new WireError('4000', message)

/** The one table from refusals of the world to codes on the wire. */
const CODES: Readonly<Record<RefusalCode, ErrorCode>> = {
  unknown: '4040',
  rule: '4000',
  illegal: '4090',
  taken: '4090',
  foreign: '4033',
}

/** A rule's doing, and marked as such, so that nobody takes it for the service's. */
const runawayError = ({ message, rule }: Runaway): WireError =>
  new WireError('4090', message, { [FAULT_HEADER]: rule })

/** A full disk may have room again soon, an unreadable file be readable, a world in use be left. */
const RETRY_SOON = { 'retry-after': '1' }

/** What a thrown value means on the wire; undefined for a bug. */
export const wireErrorOf = (error: unknown): WireError | undefined => {
  if (error instanceof WireError) return error
  if (error instanceof Refusal) return new WireError(CODES[error.code], error.message)
  if (error instanceof Runaway) return runawayError(error)
  if (error instanceof NotKept || error instanceof Unreadable || error instanceof NoRoom)
    return new WireError('5030', error.message, RETRY_SOON)
  // Such as a file of a world that was put aside, and that somebody has spoiled since.
  if (error instanceof DataError) return new WireError('5030', error.message)
  return undefined
}
