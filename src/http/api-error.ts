import {
  type DocumentedCode,
  documentedErrors,
  type ErrorCode,
  statusForCode,
} from '../contract/errors.js'
import { Refusal, type RefusalCode } from '../kernel/refusal.js'
import { TimerLoopError } from '../kernel/timer-loop-error.js'
import { DataError, TemporarilyUnreadableError, WriteFailedError } from '../persistence/errors.js'
import { WorldLimitError } from '../runtime/world-registry.js'

/** Marks every answer that a rule made, altered or delayed, so that nobody takes a rehearsed error for a bug. */
export const FAULT_HEADER = 'x-sandbox-fault'

/** A request that gets the contract's error body instead of an answer. */
export class ApiError extends Error {
  override readonly name = 'ApiError'

  constructor(
    readonly code: ErrorCode,
    message: string,
    readonly headers: Readonly<Record<string, string>> = {},
    /** Another one than goes with the code. */
    readonly status: number = statusForCode(code),
  ) {
    super(message)
  }
}

/** A refusal of what the contract knows nothing of, such as the sandbox's own headers: it leaves nothing open. */
export class SandboxError extends ApiError {}

/** One of the contract's own errors, with the contract's own message. */
export const contractError = (code: DocumentedCode): ApiError =>
  new ApiError(code, documentedErrors[code].message)

export const badRequest = (message: string): ApiError => new ApiError('4000', message)

/** The one table from refusals of the world to codes on the wire. */
const CODES: Readonly<Record<RefusalCode, ErrorCode>> = {
  unknown: '4040',
  rule: '4000',
  illegal: '4090',
  taken: '4090',
  foreign: '4033',
}

/** A rule's doing, and marked as such, so that nobody takes it for the service's. */
const runawayError = ({ message, rule }: TimerLoopError): ApiError =>
  new ApiError('4090', message, { [FAULT_HEADER]: rule })

/** A full disk may have room again soon, an unreadable file be readable, a world in use be left. */
const RETRY_AFTER_HEADER = { 'retry-after': '1' }

/** What a thrown value means on the wire; undefined for a bug. */
export const toApiError = (error: unknown): ApiError | undefined => {
  if (error instanceof ApiError) return error
  if (error instanceof Refusal) return new ApiError(CODES[error.code], error.message)
  if (error instanceof TimerLoopError) return runawayError(error)
  if (
    error instanceof WriteFailedError ||
    error instanceof TemporarilyUnreadableError ||
    error instanceof WorldLimitError
  )
    return new ApiError('5030', error.message, RETRY_AFTER_HEADER)
  // Such as a file of a world that was put aside, and that somebody has spoiled since.
  if (error instanceof DataError) return new ApiError('5030', error.message)
  return undefined
}
