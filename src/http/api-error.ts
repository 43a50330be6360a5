import {
  type DocumentedCode,
  documentedErrors,
  type ErrorCode,
  statusForCode,
} from '../contract/errors.js'
import type { RefusalCode } from '../kernel/refusal.js'
import { TimerLoopError } from '../kernel/timer-loop-error.js'
import { AppError, type ErrorDetails } from '../lib/app-error.js'

/** Marks every answer that a rule made, altered or delayed, so that nobody takes a rehearsed error for a bug. */
export const FAULT_HEADER = 'x-sandbox-fault'

/** A request that gets the contract's error body instead of an answer. */
export class ApiError extends AppError<ErrorCode> {
  override readonly name = 'ApiError'

  constructor(
    code: ErrorCode,
    details: string | ErrorDetails,
    readonly headers: Readonly<Record<string, string>> = {},
    /** Another one than goes with the code. */
    readonly status: number = statusForCode(code),
  ) {
    super(code, details)
  }
}

/** A refusal of what the contract knows nothing of, such as the sandbox's own headers: it leaves nothing open. */
export class SandboxError extends ApiError {}

/** One of the contract's own errors, with the contract's own message. */
export const contractError = (code: DocumentedCode): ApiError =>
  new ApiError(code, documentedErrors[code].message)

export const badRequest = (details: string | ErrorDetails): ApiError =>
  new ApiError('4000', details)

/** The one table from codes of errors to codes on the wire. An error of another code is a bug. */
const CODES: Readonly<Record<string, ErrorCode>> = {
  invalid: '4000',
  unknown: '4040',
  rule: '4000',
  illegal: '4090',
  taken: '4090',
  foreign: '4033',
  // A full disk may have room again soon, an unreadable file be readable, a world in use be left.
  unavailable: '5030',
  // Such as the file of an evicted world that somebody has damaged.
  damaged: '5030',
} satisfies Record<RefusalCode | 'invalid' | 'unavailable' | 'damaged', ErrorCode>

/** A rule's doing, and marked as such, so that nobody takes it for the service's. */
const runawayError = ({ message, rule }: TimerLoopError): ApiError =>
  new ApiError('4090', message, { [FAULT_HEADER]: rule })

const RETRY_AFTER_HEADER = { 'retry-after': '1' }

/** What a thrown value means on the wire; undefined for a bug. */
export const toApiError = (error: unknown): ApiError | undefined => {
  if (error instanceof ApiError) return error
  if (error instanceof TimerLoopError) return runawayError(error)
  if (!(error instanceof AppError)) return undefined
  const code = CODES[error.code]
  if (code === undefined) return undefined
  return new ApiError(code, error.details, error.code === 'unavailable' ? RETRY_AFTER_HEADER : {})
}
