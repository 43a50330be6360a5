import type { IncomingHttpHeaders } from 'node:http'
import type { ReadingOf } from '../assumptions/ids.js'
import { assumedHeader } from '../assumptions/register/by-risk.js'
import type { ErrorBody, ErrorCode } from '../contract/errors.js'
import { ASSUMED_HEADER } from '../request-log/log-record.js'
import type { Redact } from '../request-log/redact.js'
import type { Exchange } from '../request-log/views.js'
import type { Sandbox } from '../runtime/sandbox.js'
import { ApiError } from './api-error.js'
import { newRequestId, REQUEST_ID_HEADER } from './request-id.js'
import { RequestReadings } from './request-readings.js'
import { errorBody, resolveErrorCode } from './respond.js'
import { READING_HEADER } from './sandbox-headers.js'
import { unconfirmedError } from './strict-mode.js'
import { withoutServer } from './target.js'

/** As much of a request as could be read. */
export interface PartialRequest {
  readonly method?: string | undefined
  readonly url?: string | undefined
  readonly headers?: IncomingHttpHeaders
}

/** How a request is refused that no route has seen. */
export interface EarlyError {
  /** Other than `forbidden` for plain HTTP alone, where HTTPS is spoken (http.plain). */
  readonly how: ReadingOf<'http.plain'>
  readonly status: number
  readonly body: ErrorBody
  /** The request id, and what the refusal relied on. */
  readonly headers: Readonly<Record<string, string>>
}

export type CreateEarlyError = (
  code: ErrorCode,
  message: string,
  came?: PartialRequest,
) => EarlyError

/** Writes refusals to the log, without secrets. */
export interface LogRefusal {
  readonly write: (exchange: Exchange) => void
  readonly redact: Redact
}

/** Codes under this path are the sandbox's own, and leave nothing open. */
const CONTROL = /^\/_sandbox(?=\/|$)/

/**
 * Makes what refuses requests past all routes. No key has been looked at, so it is the default world that
 * says how, unless the request could be read and says so itself. With --strict, what rests on a guess is
 * refused here as everywhere.
 */
export const createEarlyErrorHandler =
  (sandbox: Sandbox, log?: LogRefusal): CreateEarlyError =>
  (code, message, { method = '', url = '', headers = {} } = {}) => {
    const path = (withoutServer(url) || url).split('?', 1)[0] ?? ''
    const { tables } = sandbox.main.world
    const chosen = joinHeader(headers[READING_HEADER])
    const readings = new RequestReadings(tables.readings, chosen, sandbox.confirmedChoices)
    const how = code === '4032' ? plainHttpAction(readings, headers) : 'forbidden'
    const meant = new ApiError(code, message)
    const isOwn = CONTROL.test(path)
    const shown = how === 'forbidden' && !isOwn ? resolveErrorCode(meant, readings) : code
    const requestId = newRequestId()
    const guesses = sandbox.isStrict ? readings.unconfirmed() : []
    const isRefused = guesses.length > 0
    const { status, ...told } = isRefused
      ? toErrorFields(unconfirmedError(guesses))
      : { ...toErrorFields(meant), code: shown }
    const use = readings.usage()
    sandbox.recordAssumptionUse(use)
    const assumed = assumedHeader(use)
    const { write, redact } = log ?? {}
    write?.({
      method,
      path: redact?.(path) ?? path,
      status: loggedStatus(isRefused ? 'forbidden' : how, status),
      duration_ms: 0,
      request_id: requestId,
      operation: undefined,
      code: told.code,
      message: redact?.(told.message) ?? told.message,
    })
    return {
      how: isRefused ? 'forbidden' : how,
      status,
      body: errorBody(told, method, path, requestId),
      headers: {
        [REQUEST_ID_HEADER]: requestId,
        ...(assumed !== '' && { [ASSUMED_HEADER]: assumed }),
      },
    }
  }

/** The status that goes out: none where the connection is closed without an answer. */
const loggedStatus = (how: EarlyError['how'], status: number): number | null => {
  if (how === 'closed') return null
  return how === 'redirect' ? 301 : status
}

/** Nobody can be sent elsewhere who has not said where this is. */
const plainHttpAction = (
  readings: RequestReadings,
  { host }: IncomingHttpHeaders,
): EarlyError['how'] => {
  const how = readings.use('http.plain')
  return how === 'redirect' && host === undefined ? 'forbidden' : how
}

const toErrorFields = ({ status, code, message }: ApiError) => ({ status, code, message })

const joinHeader = (given: string | string[] | undefined): string | undefined =>
  Array.isArray(given) ? given.join() : given
