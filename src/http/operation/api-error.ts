import {
  type DocumentedCode,
  documentedErrors,
  type ErrorCode,
  statusForCode,
} from '../../contract/errors.js'
import { FAULT_HEADER, RETRY_AFTER_HEADER } from '../../contract/header-names.js'
import type { RefusalCode } from '../../kernel/refusal.js'
import { TimerLoopError } from '../../kernel/timer-records.js'
import { AppError, type ErrorDetails, type Problem } from '../../lib/app-error.js'

/** A request that gets the contract's error body. */
export class ApiError extends AppError<ErrorCode> {
  override readonly name = 'ApiError'

  constructor(
    code: ErrorCode,
    details: string | ErrorDetails | readonly Problem[],
    readonly headers: Readonly<Record<string, string>> = {},
    /** A status other than the usual one of the code. */
    readonly status: number = statusForCode(code),
  ) {
    super(code, details)
  }
}

/**
 * An error about the sandbox's own headers and the like, which the contract does not know. It relies on no
 * assumption.
 */
export class SandboxError extends ApiError {}

/** One of the contract's own errors, with its own message. */
export const contractError = (code: DocumentedCode): ApiError =>
  new ApiError(code, documentedErrors[code].message)

export const badRequest = (details: string | ErrorDetails | readonly Problem[]): ApiError =>
  new ApiError('4000', details)

/** Maps codes of domain errors to codes of the contract. An error of another code is a bug. */
const CODES: Readonly<Record<string, ErrorCode>> = {
  invalid: '4000',
  unknown: '4040',
  rule: '4000',
  illegal: '4090',
  taken: '4090',
  foreign: '4033',
  full: '5070',
  // The cause may pass: a full disk, an unreadable file, a world in use.
  unavailable: '5030',
  // A stored world cannot be read.
  damaged: '5030',
} satisfies Record<RefusalCode | 'invalid' | 'unavailable' | 'damaged', ErrorCode>

/** An error that a rule asked for, marked as such. */
const runawayError = ({ message, rule }: TimerLoopError): ApiError =>
  new ApiError('4090', message, { [FAULT_HEADER]: rule })

/** Maps a thrown value to an error of the contract; undefined for a bug. */
export const toApiError = (error: unknown): ApiError | undefined => {
  if (error instanceof ApiError) return error
  if (error instanceof TimerLoopError) return runawayError(error)
  if (!(error instanceof AppError)) return undefined
  const code = CODES[error.code]
  if (code === undefined) return undefined
  return new ApiError(
    code,
    error.problems,
    error.code === 'unavailable' ? { [RETRY_AFTER_HEADER]: '1' } : {},
  )
}
