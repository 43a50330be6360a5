import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
// Not the global ones, which tests may fake: a connection would linger for ever.
import { clearTimeout, setTimeout } from 'node:timers'
import type { ErrorCode } from '../contract/errors.js'
import type { ConnectionLimits } from './connection-limits.js'
import { isAnswering } from './connections.js'
import type { CreateEarlyError, EarlyError, PartialRequest } from './early-errors.js'

/** What Node calls a request that did not arrive in time. */
const REQUEST_TIMEOUT = 'ERR_HTTP_REQUEST_TIMEOUT'

const timeoutMessage = ({ headers_ms, request_ms }: ConnectionLimits): string =>
  `the request took too long to arrive; accepted: headers within ${headers_ms / 1_000} s, ` +
  `all of it within ${request_ms / 1_000} s`

/** What Node tells of a request that could not be read: the piece that came last, and how much of it was read. */
interface ParseError extends NodeJS.ErrnoException {
  readonly rawPacket?: Buffer
  readonly bytesParsed?: number
}

/** How long a connection that was refused may go on sending, so that it can read why. */
const LINGER_MS = 1_000

/** Connections that are told why they are closed; more of what they send changes nothing. */
const refused = new WeakSet<Socket>()

/**
 * Answers what is not even HTTP, comes too late, or has headers beyond the limit, once the request before
 * it has its answer.
 */
export const answerUnreadable = (
  error: ParseError,
  socket: Socket,
  before: ServerResponse | undefined,
  limits: ConnectionLimits,
  refuse: CreateEarlyError,
): void => {
  if (refused.has(socket)) return
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy()
  const { code, message } = describeParseError(error, limits)
  inTurn(socket, before, () =>
    writeRawResponse(socket, refuse(code, message, requestLineIn(error))),
  )
}

/** Method and target, where the last piece begins with them. Behind a blank line it is another request that broke off. */
const requestLineIn = ({ rawPacket, bytesParsed }: ParseError): PartialRequest => {
  const head = rawPacket?.toString('latin1', 0, bytesParsed) ?? ''
  const line = head.includes('\r\n\r\n') ? null : /^([A-Z]+) (\S+) HTTP\/1\.[01]\r\n/.exec(head)
  return { method: line?.[1], url: line?.[2] }
}

/** Answers CONNECT, which Node hands over as a bare socket: a tunnel to somewhere else is not to be had here. */
export const answerConnect = (
  incoming: IncomingMessage,
  socket: Socket,
  before: ServerResponse | undefined,
  refuse: CreateEarlyError,
): void => {
  const message = `CONNECT ${incoming.url} came, and this is no proxy; accepted: requests to the sandbox itself`
  socket.on('error', () => socket.destroy()).resume()
  inTurn(socket, before, () => writeRawResponse(socket, refuse('4000', message, incoming)))
}

/** Refuses behind the answer to the request before: a client takes what comes first for that. */
const inTurn = (socket: Socket, before: ServerResponse | undefined, tell: () => void): void => {
  refused.add(socket)
  if (!isAnswering(before)) tell()
  else before.once('finish', () => socket.writable && tell())
}

/** Writes an answer where there is nothing but the connection, and closes it. */
const writeRawResponse = (socket: Socket, { status, body, headers }: EarlyError): void => {
  const text = JSON.stringify(body)
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'content-type: application/json',
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    `content-length: ${Buffer.byteLength(text)}`,
    'connection: close',
  ]
  socket.end(`${head.join('\r\n')}\r\n\r\n${text}`)
  const impatient = setTimeout(() => socket.destroy(), LINGER_MS)
  impatient.unref()
  socket.once('close', () => clearTimeout(impatient))
}

/** What a request is told that could not be read. */
export const describeParseError = (
  { code, message }: NodeJS.ErrnoException,
  limits: ConnectionLimits,
): { code: ErrorCode; message: string } => {
  if (code === REQUEST_TIMEOUT) return { code: '4080', message: timeoutMessage(limits) }
  if (code === 'HPE_HEADER_OVERFLOW') {
    const most = `accepted: ${limits.headers} bytes together`
    return { code: '4310', message: `the request line and headers are too large; ${most}` }
  }
  if (code === 'HPE_PAUSED_H2_UPGRADE') {
    return { code: '4000', message: 'the request came in HTTP/2; accepted: HTTP/1.1' }
  }
  return { code: '4000', message: `this is no HTTP request that can be read: ${message}` }
}
