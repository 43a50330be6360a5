import type { IncomingHttpHeaders } from 'node:http'
import { assumedHeader } from '../contract/assumptions/by-risk.js'
import type { ErrorBody, ErrorCode } from '../contract/errors.js'
import type { Exchange } from '../exchanges/exchange.js'
import { ASSUMED_HEADER } from '../exchanges/recording.js'
import type { Redact } from '../redact.js'
import type { Sandbox } from '../sandbox.js'
import type { ReadingOf } from '../world/reading-names.js'
import { guessed } from './guesses.js'
import { newRequestId, REQUEST_ID_HEADER } from './request-id.js'
import { RequestReadings } from './request-readings.js'
import { codeOf, errorBody } from './respond.js'
import { READING_HEADER } from './steer.js'
import { withoutServer } from './target.js'
import { WireError } from './wire-error.js'

/** As much of a request as could be read. */
export interface Came {
  readonly method?: string | undefined
  readonly url?: string | undefined
  readonly headers?: IncomingHttpHeaders
}

/** How a request is refused that no route has seen. */
export interface Unrouted {
  /** Other than `forbidden` for plain HTTP alone, where HTTPS is spoken (http.plain). */
  readonly how: ReadingOf<'http.plain'>
  readonly status: number
  readonly body: ErrorBody
  /** The request id, and what the refusal relied on. */
  readonly headers: Readonly<Record<string, string>>
}

export type RefuseUnrouted = (code: ErrorCode, message: string, came?: Came) => Unrouted

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
export const refuserOf =
  (sandbox: Sandbox, log?: LogRefusal): RefuseUnrouted =>
  (code, message, { method = '', url = '', headers = {} } = {}) => {
    const path = (withoutServer(url) || url).split('?', 1)[0] ?? ''
    const { tables } = sandbox.main.world
    const chosen = joined(headers[READING_HEADER])
    const readings = new RequestReadings(tables.readings, chosen, sandbox.settledChoices)
    const how = code === '4032' ? turnedAway(readings, headers) : 'forbidden'
    const meant = new WireError(code, message)
    const isOwn = CONTROL.test(path)
    const shown = how === 'forbidden' && !isOwn ? codeOf(meant, readings) : code
    const requestId = newRequestId()
    const guesses = sandbox.isStrict ? readings.guesses() : []
    const isRefused = guesses.length > 0
    const { status, ...told } = isRefused
      ? wireForm(guessed(guesses))
      : { ...wireForm(meant), code: shown }
    const relied = readings.relied()
    sandbox.countReliance(relied)
    const assumed = assumedHeader(relied)
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
const loggedStatus = (how: Unrouted['how'], status: number): number | null => {
  if (how === 'closed') return null
  return how === 'redirect' ? 301 : status
}

/** Nobody can be sent elsewhere who has not said where this is. */
const turnedAway = (readings: RequestReadings, { host }: IncomingHttpHeaders): Unrouted['how'] => {
  const how = readings.of('http.plain')
  return how === 'redirect' && host === undefined ? 'forbidden' : how
}

const wireForm = ({ status, code, message }: WireError) => ({ status, code, message })

const joined = (given: string | string[] | undefined): string | undefined =>
  Array.isArray(given) ? given.join() : given
