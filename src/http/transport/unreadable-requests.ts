import { type ServerResponse, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
// Tests may fake the global timers: a connection would never close.
import { clearTimeout, setTimeout } from 'node:timers'
import type { ErrorCode } from '../../contract/errors.js'
import { formatError } from '../../lib/app-error.js'
import { ApiError } from '../operation/api-error.js'
import { type ConnectionLimits, LINGER_MS } from '../pipeline/connection-limits.js'
import { endBody } from '../pipeline/read-body.js'
import { isAnswering } from './connections.js'
import {
  type CreateEarlyError,
  type EarlyError,
  type PartialRequest,
  writeEarlyError,
} from './early-errors.js'

/** An error of Node's HTTP parser, with the last chunk and how much of it was parsed. */
export interface ParseError extends NodeJS.ErrnoException {
  readonly rawPacket?: Buffer
  readonly bytesParsed?: number
}

/** Error codes of clients that have left: nobody could read a response. */
const GONE = new Set(['ECONNRESET', 'HPE_INVALID_EOF_STATE'])

/**
 * Refuses what Node's parser cannot read, or what takes too long to arrive. `last` is the response to the
 * newest request on the connection.
 */
export const answerUnreadable = (
  error: ParseError,
  socket: Socket,
  last: ServerResponse | undefined,
  limits: ConnectionLimits,
  createEarlyError: CreateEarlyError,
): void => {
  if (GONE.has(error.code ?? '')) return void socket.destroy()
  if (!socket.writable) return
  const { code, message } = describeParseError(error, limits)
  if (last && !last.req.complete) {
    // The error is within the body of that request. A second response would be taken for the next request's.
    last.shouldKeepAlive = false
    if (last.headersSent || last.destroyed) afterAnswer(last, () => socket.destroySoon())
    else if (!endBody(last.req, new ApiError(code, message)))
      writeEarlyError(last, createEarlyError(code, message, last.req))
    return
  }
  afterAnswer(last, () => {
    if (socket.writable) writeToSocket(socket, createEarlyError(code, message, parseHead(error)))
  })
}

/** Waits for the previous response: the client would take this error for it. */
const afterAnswer = (before: ServerResponse | undefined, act: () => void): void => {
  if (isAnswering(before)) before.once('finish', act)
  else act()
}

/** Method, target and origin, if the last chunk begins with them. After a blank line another request has begun. */
const parseHead = ({ rawPacket, bytesParsed }: ParseError): PartialRequest => {
  const text = rawPacket?.toString('latin1') ?? ''
  const [head = ''] = text.split('\r\n\r\n', 1)
  const line = /^([A-Z]+) (\S+) HTTP\/1\.[01]\r\n/.exec(head)
  if (!line || text.slice(0, bytesParsed).includes('\r\n\r\n')) return {}
  const origin = /\r\norigin: *(\S+)/i.exec(head)?.[1]
  return { method: line[1], url: line[2], ...(origin !== undefined && { headers: { origin } }) }
}

/** Writes an early error where Node created no response, and closes the connection. */
const writeToSocket = (socket: Socket, { status, body, headers }: EarlyError): void => {
  const text = JSON.stringify(body)
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'content-type: application/json',
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    `content-length: ${Buffer.byteLength(text)}`,
    'connection: close',
  ]
  socket.end(`${head.join('\r\n')}\r\n\r\n${text}`)
  const timeout = setTimeout(() => socket.destroy(), LINGER_MS)
  timeout.unref()
  socket.once('close', () => clearTimeout(timeout))
}

const describeParseError = (
  { code, message }: ParseError,
  { headers, headers_ms, request_ms }: ConnectionLimits,
): { readonly code: ErrorCode; readonly message: string } => {
  switch (code) {
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return {
        code: '4080',
        message: formatError({
          problem: 'The request took too long to arrive',
          expected: `its headers within ${headers_ms / 1_000} s, all of it within ${request_ms / 1_000} s`,
        }),
      }
    case 'HPE_HEADER_OVERFLOW':
      return {
        code: '4310',
        message: formatError({
          problem: 'The request line and headers are too large',
          expected: `at most ${headers} bytes together`,
        }),
      }
    default:
      return { code: '4000', message: `The request is not well-formed HTTP: ${message}` }
  }
}
