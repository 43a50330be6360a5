import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import type { ReadingOf } from '../../assumptions/ids.js'
import type { Readings } from '../../assumptions/use.js'
import type { ErrorBody, ErrorCode } from '../../contract/errors.js'
import { ASSUMED_HEADER, REQUEST_ID_HEADER } from '../../contract/header-names.js'
import type { Redact } from '../../history/redact.js'
import type { Exchange } from '../../history/views.js'
import { formatInvalid, inWords } from '../../lib/app-error.js'
import { quote } from '../../lib/text.js'
import type { Sandbox } from '../../runtime/sandbox.js'
import { ApiError } from '../operation/api-error.js'
import { corsHeaders } from '../pipeline/cors.js'
import { newRequestId } from '../pipeline/request-id.js'
import { parseRequestReadings } from '../pipeline/request-readings.js'
import { errorBody, resolveErrorCode } from '../pipeline/respond.js'
import { assumedHeader } from '../pipeline/response-headers.js'
import { READING_HEADER } from '../pipeline/sandbox-headers.js'
import { unconfirmedError } from '../pipeline/strict-mode.js'

/**
 * Errors of requests that no route has seen: malformed HTTP, headers that are too large, requests that take
 * too long, plain HTTP where HTTPS is served, and requests in flight when the server closes.
 */

/** The part of a request that Node could parse. */
export interface PartialRequest {
  readonly method?: string | undefined
  readonly url?: string | undefined
  readonly headers?: IncomingHttpHeaders
}

export interface EarlyError {
  /** Other than `forbidden` only for plain HTTP on an HTTPS port (http.plain). */
  readonly how: ReadingOf<'http.plain'>
  readonly status: number
  readonly body: ErrorBody
  /** The request id, and the assumptions that the error relied on. */
  readonly headers: Readonly<Record<string, string>>
}

export type CreateEarlyError = (
  code: ErrorCode,
  message: string,
  received?: PartialRequest,
) => EarlyError

/** Writes early errors to the access log, without secrets. */
interface LogEarlyError {
  readonly write: (exchange: Exchange) => void
  readonly redact: Redact
}

/** Errors under this path use the sandbox's own codes and rely on no assumption. */
const CONTROL = /^\/_sandbox(?=\/|$)/

/**
 * Builds early errors by the readings of the default world: nobody has looked at the key yet. A request that
 * could be read may choose readings by its header. --strict holds here too.
 */
export const createEarlyErrorFor =
  (sandbox: Sandbox, corsOrigins: readonly string[], log?: LogEarlyError): CreateEarlyError =>
  (code, message, { method = '', url = '', headers = {} } = {}) => {
    const path = (withoutServer(url) || url).split('?', 1)[0] ?? ''
    const { readings } = parseRequestReadings(sandbox, joinHeader(headers[READING_HEADER]))
    const how = code === '4032' ? plainHttpAction(readings, headers) : 'forbidden'
    const meant = new ApiError(code, message)
    const isOwn = CONTROL.test(path)
    const shown = how === 'forbidden' && !isOwn ? resolveErrorCode(meant, readings) : code
    const requestId = newRequestId()
    const guesses = sandbox.isStrict ? readings.unconfirmed() : []
    const isRefused = guesses.length > 0
    const { status, ...fields } = isRefused
      ? toErrorFields(unconfirmedError(guesses))
      : { ...toErrorFields(meant), code: shown }
    const { requests, world } = sandbox.main
    requests.usage.count(readings.used, world.now)
    const assumed = assumedHeader(readings)
    const { write, redact } = log ?? {}
    write?.({
      method,
      path: redact?.(path) ?? path,
      status: loggedStatus(isRefused ? 'forbidden' : how, status),
      duration_ms: 0,
      request_id: requestId,
      operation: undefined,
      code: fields.code,
      message: redact?.(fields.message) ?? fields.message,
    })
    return {
      how: isRefused ? 'forbidden' : how,
      status,
      body: errorBody(fields, method, path, requestId),
      headers: {
        [REQUEST_ID_HEADER]: requestId,
        ...(assumed !== '' && { [ASSUMED_HEADER]: assumed }),
        ...(!isOwn && corsHeaders(headers.origin, corsOrigins)),
      },
    }
  }

/** The status that is sent; none if the server closes the connection without a response. */
const loggedStatus = (how: EarlyError['how'], status: number): number | null => {
  if (how === 'closed') return null
  return how === 'redirect' ? 301 : status
}

/** A redirect needs the Host of the request. */
const plainHttpAction = (readings: Readings, { host }: IncomingHttpHeaders): EarlyError['how'] => {
  const how = readings.use('http.plain')
  return how === 'redirect' && host === undefined ? 'forbidden' : how
}

const toErrorFields = ({ status, code, message }: ApiError) => ({ status, code, message })

const joinHeader = (value: string | string[] | undefined): string | undefined =>
  Array.isArray(value) ? value.join() : value

const SERVER = /^https?:\/\/[^/?#]+/i

/** Path and query of a request target, which may name the server before them (RFC 9112, section 3.2.2). */
const withoutServer = (target: string): string => target.replace(SERVER, '')

/** Writes an early error as JSON, and closes the connection. */
export const writeEarlyError = (
  outgoing: ServerResponse,
  { status, body, headers }: EarlyError,
): void => {
  const type = { 'content-type': 'application/json' }
  outgoing.writeHead(status, { ...type, ...headers, connection: 'close' }).end(JSON.stringify(body))
}

/** Answers a request that is still in flight when the server closes. */
export const answerClosing = (
  outgoing: ServerResponse,
  reason: string,
  createEarlyError: CreateEarlyError,
): void => {
  if (outgoing.headersSent) outgoing.destroy()
  else writeEarlyError(outgoing, createEarlyError('5030', reason, outgoing.req))
}

const UNENCRYPTED = formatInvalid(
  'protocol',
  inWords('plain HTTP'),
  'HTTPS, at the same host and port',
)

/** Answers plain HTTP on an HTTPS port (http.plain). */
export const answerUnencrypted = (
  outgoing: ServerResponse,
  createEarlyError: CreateEarlyError,
): void => {
  if (outgoing.headersSent || outgoing.destroyed) return
  const { headers, url = '/' } = outgoing.req
  const error = createEarlyError('4032', UNENCRYPTED, outgoing.req)
  if (error.how === 'closed') outgoing.destroy()
  else if (error.how === 'redirect') {
    const place = withoutServer(url)
    const location = `https://${headers.host}${/^[/?]/.test(place) ? place : '/'}`
    outgoing.writeHead(301, { location, ...error.headers, connection: 'close' }).end()
  } else writeEarlyError(outgoing, error)
}

/** Answers a request whose target or Host forms no URL. */
export const answerMalformed = (
  outgoing: ServerResponse,
  createEarlyError: CreateEarlyError,
): void =>
  writeEarlyError(outgoing, createEarlyError('4000', findMalformedPart(outgoing.req), outgoing.req))

const MAX_SHOWN = 100

const findMalformedPart = ({ url = '', headers: { host } }: IncomingMessage): string => {
  if (!isTarget(url)) {
    return formatInvalid(
      'request target',
      inWords(quote(url, MAX_SHOWN)),
      'a path such as /payment/api/v1/payout, or an http:// or https:// address with such a path',
    )
  }
  return formatInvalid(
    'Host',
    host ? inWords(quote(host, MAX_SHOWN)) : undefined,
    'a name or address with its port, such as localhost:4020',
  )
}

const isTarget = (url: string): boolean => {
  if (url.split('?', 1)[0]?.includes('\\')) return false
  return url.startsWith('/')
    ? URL.canParse(`http://localhost${url}`)
    : /^https?:\/\//.test(url) && URL.canParse(url)
}
