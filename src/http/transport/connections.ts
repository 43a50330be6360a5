import { type RequestListener, type Server, type ServerResponse, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
// Tests may fake the global timers: a connection would never close.
import { clearInterval, setImmediate, setInterval, setTimeout } from 'node:timers'
import { machineClock } from '../../lib/machine-clock.js'
import { ApiError } from '../operation/api-error.js'
import { ClientShares, type NameClient } from '../operation/clients.js'
import { endBody, LINGER_MS } from '../pipeline/read-body.js'

/** Limits of a connection; the server closes a connection that exceeds one. */
export interface ConnectionLimits {
  /** Bytes of the request line and headers together. */
  readonly headers: number
  /** How long headers may take to arrive. */
  readonly headers_ms: number
  /** How long a whole request may take to arrive. */
  readonly request_ms: number
  /** How long a body may pause. */
  readonly body_ms: number
  /** How long a connection stays open between two requests. */
  readonly idle_ms: number
  /** How long a response may wait for its reader without any progress. */
  readonly stall_ms: number
  /** How often the server looks for requests that take too long. */
  readonly check_ms: number
  /** The server closes further connections at once. */
  readonly connections: number
  /** The same for those of one client. */
  readonly client_connections: number
}

export const CONNECTION_LIMITS: ConnectionLimits = {
  headers: 16 * 1024,
  headers_ms: 15_000,
  request_ms: 60_000,
  body_ms: 5_000,
  idle_ms: 5_000,
  stall_ms: 30_000,
  check_ms: 1_000,
  connections: 2_000,
  client_connections: 200,
}

/** With this many waiting requests, the server stops reading from a connection. */
const MAX_WAITING = 32

interface Connection {
  newest: ServerResponse | undefined
  /** Earlier responses that are not sent completely, oldest first. */
  readonly earlier: ServerResponse[]
  /** Bytes read by the last check, and the checks since which that number is the same. */
  bytes: number
  quiet: number
}

const isUnsent = (outgoing: ServerResponse | undefined): outgoing is ServerResponse =>
  outgoing !== undefined && !outgoing.writableFinished && !outgoing.destroyed

/** The open connections of a server. Requests of one connection are answered one after another. */
export class Connections {
  readonly #open = new Map<Socket, Connection>()
  isDraining = false
  #accepted = 0

  constructor(
    server: Server,
    private readonly limits: ConnectionLimits,
    nameClient: NameClient,
    answer: RequestListener,
  ) {
    const shares = new ClientShares(limits.client_connections)
    server.on('connection', (socket) => {
      this.#accepted++
      const client = nameClient({ socket, headers: {} })
      if (!shares.take(client)) socket.destroy()
      else this.add(socket.once('close', () => shares.take(client, -1)))
    })
    server.once('listening', () => {
      const checks = setInterval(() => this.#endPausedBodies(), limits.check_ms).unref()
      server.once('close', () => clearInterval(checks))
    })
    server.on('request', this.#inTurn(answer))
    // Without a listener Node destroys the connection, even if the response is still to come.
    server.on('timeout', (socket) => {
      const { earlier = [], newest } = this.#open.get(socket) ?? {}
      const current = earlier[0] ?? newest
      if (!isUnsent(current) || current.headersSent) socket.destroy()
    })
  }

  add(socket: Socket): void {
    this.#open.set(socket, { newest: undefined, earlier: [], bytes: 0, quiet: 0 })
    socket.once('close', () => this.#open.delete(socket))
  }

  /** A connection that carries another one, such as TCP under TLS, has no requests. */
  replace(socket: Socket, by: Socket): void {
    this.#open.delete(socket)
    this.add(by)
  }

  /** A later request must see the effects of the earlier ones. */
  #inTurn(answer: RequestListener): RequestListener {
    return (incoming, outgoing) => {
      const { socket } = incoming
      const connection = this.#open.get(socket)
      if (!connection) return
      const { earlier, newest: before } = connection
      connection.newest = outgoing
      if (this.isDraining) outgoing.shouldKeepAlive = false
      if (!isUnsent(before)) {
        answer(incoming, outgoing)
        return
      }
      earlier.push(before)
      // Node itself resumes the socket after each request that it reads.
      process.nextTick(() => earlier.length > MAX_WAITING && socket.pause())
      before.once('finish', () => {
        earlier.shift()
        if (earlier.length <= MAX_WAITING && socket.isPaused()) socket.resume()
        // The connection may have closed, or this response may have been sent at shutdown.
        if (socket.writable && !outgoing.headersSent) answer(incoming, outgoing)
      })
    }
  }

  /** Refuses bytes that Node cannot read, and requests that take too long to arrive. */
  refuse(error: NodeJS.ErrnoException, socket: Socket): void {
    const { newest } = this.#open.get(socket) ?? {}
    if (!socket.writable || GONE.has(error.code ?? '')) socket.destroy()
    else if (newest && !newest.req.complete) {
      // A second response would be taken for that of the next request.
      endAfter(newest, socket)
      const refusal = toApiError(error, this.limits)
      if (newest.headersSent || endBody(newest.req, refusal)) return
      newest.writeHead(refusal.status, TEXT).end(refusal.message)
    } else if (isUnsent(newest)) endAfter(newest, socket)
    else writeText(socket, toApiError(error, this.limits))
  }

  /** Counts checks instead of time: a busy server may have read nothing for long. */
  #endPausedBodies(): void {
    const { body_ms, check_ms } = this.limits
    const refusal = toApiError({ code: TOO_LATE, message: '' }, this.limits)
    for (const [socket, connection] of this.#open) {
      const { newest, bytes } = connection
      if (!newest || newest.req.complete) continue
      connection.bytes = socket.bytesRead
      connection.quiet = connection.bytes === bytes ? connection.quiet + 1 : 0
      if (connection.quiet * check_ms < body_ms) continue
      if (endBody(newest.req, refusal)) endAfter(newest, socket)
    }
  }

  /** All responses that are not sent completely. */
  *unsent(): Generator<ServerResponse> {
    for (const { earlier, newest } of this.#open.values()) {
      yield* earlier
      if (isUnsent(newest)) yield newest
    }
  }

  /** Each further answer is the last of its connection. */
  drain(): void {
    this.isDraining = true
  }

  /** Resolves when no client waits to be accepted: closing a server resets those. Node accepts one a turn. */
  async acceptAll(): Promise<void> {
    const deadline = machineClock() + LINGER_MS
    let before: number
    do {
      before = this.#accepted
      await new Promise((resolve) => setImmediate(resolve))
    } while (this.#accepted > before && machineClock() < deadline)
  }

  /** Closes idle connections at once, and others after their last response. */
  end(): void {
    for (const [socket, { newest }] of this.#open) {
      if (isUnsent(newest)) endAfter(newest, socket)
      // A balancer that has just connected is about to send a request.
      else if (this.isDraining && !newest) setTimeout(() => socket.destroy(), LINGER_MS).unref()
      else socket.destroy()
    }
  }
}

/** Announces the end of a connection with its last response. */
const endAfter = (last: ServerResponse, socket: Socket): void => {
  last.shouldKeepAlive = false
  if (last.writableFinished) socket.destroySoon()
  else last.once('finish', () => socket.destroySoon())
}

/** Error codes of clients that have left: nobody could read a response. */
const GONE = new Set(['ECONNRESET', 'HPE_INVALID_EOF_STATE'])

const TOO_LATE = 'ERR_HTTP_REQUEST_TIMEOUT'

const toApiError = (
  { code, message }: Pick<NodeJS.ErrnoException, 'code' | 'message'>,
  { headers, headers_ms, request_ms, body_ms }: ConnectionLimits,
): ApiError => {
  switch (code) {
    case TOO_LATE:
      return new ApiError('4080', {
        problem: 'The request took too long to arrive',
        expected: `its headers within ${headers_ms / 1_000} s, all of it within ${request_ms / 1_000} s, and no pause of ${body_ms / 1_000} s in its body`,
      })
    case 'HPE_HEADER_OVERFLOW':
      return new ApiError('4310', {
        problem: 'The request line and headers are too large',
        expected: `at most ${headers} bytes together`,
      })
    default:
      return new ApiError('4000', `The request is not well-formed HTTP: ${message}`)
  }
}

const TEXT = { 'content-type': 'text/plain', 'x-content-type-options': 'nosniff' }

/** Writes an error where Node created no response, and closes the connection. */
const writeText = (socket: Socket, { status, message }: ApiError): void => {
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    ...Object.entries(TEXT).map(([name, value]) => `${name}: ${value}`),
    `content-length: ${Buffer.byteLength(message)}`,
    'connection: close',
  ]
  socket.end(`${head.join('\r\n')}\r\n\r\n${message}`)
  // A client that still sends could not read the response.
  setTimeout(() => socket.destroy(), LINGER_MS).unref()
}
