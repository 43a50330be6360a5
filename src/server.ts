import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { getRequestListener } from '@hono/node-server'
import type { Hono } from 'hono'
import { type ErrorCode, statusOf } from './contract/errors.js'
import { CONNECTION_LIMITS, type ConnectionLimits } from './http/connection-limits.js'
import { newRequestId } from './http/request-id.js'
import { errorBody } from './http/respond.js'
import { refuseUnreadable, TOO_LATE, tooLate } from './http/unreadable.js'

export interface ListenOptions {
  /** 0 takes a free port. */
  readonly port: number
  readonly host: string
}

/** A listening server. */
export interface Listener {
  readonly url: string
  /** Finishes the requests in flight, then closes. */
  close(): Promise<void>
}

/** How long closing waits for requests in flight. */
const CLOSE_TIMEOUT_MS = 2_000

/**
 * Serves the app over HTTP. Rejects when the address cannot be had. `endStreams` is called when it
 * closes: answers that have no end of their own are told that there is one.
 */
export const listen = async (
  app: Hono,
  { port, host }: ListenOptions,
  endStreams: () => void,
  limits: ConnectionLimits = CONNECTION_LIMITS,
): Promise<Listener> => {
  // Without an answer of the handler, the request is left to answerMalformed.
  const answer = getRequestListener(app.fetch, { errorHandler: () => undefined })
  const connections: Connections = new Map()
  const server = createServer(
    {
      maxHeaderSize: limits.headers,
      headersTimeout: limits.headers_ms,
      requestTimeout: limits.request_ms,
      keepAliveTimeout: limits.idle_ms,
      connectionsCheckingInterval: limits.check_ms,
      // Node refuses a request without Host by itself, but with an empty body.
      requireHostHeader: false,
    },
    async (incoming, outgoing) => {
      connections.set(incoming.socket, outgoing)
      await answer(incoming, outgoing)
      if (!outgoing.headersSent && !outgoing.destroyed) answerMalformed(outgoing)
    },
  )
  server.maxConnections = limits.connections
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    const outgoing = connections.get(socket)
    const isLate = error.code === TOO_LATE && isBusy(outgoing) && !outgoing.req.complete
    if (isLate && !outgoing.headersSent) refuse(outgoing, '4080', tooLate(limits))
    else refuseUnreadable(error, socket, limits)
  })
  server.on('connection', (socket) => {
    connections.set(socket, undefined)
    socket.once('close', () => connections.delete(socket))
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => {
      server.off('error', reject)
      resolve()
    })
  })
  const { port: taken } = server.address() as AddressInfo
  return {
    url: `http://${printable(host)}:${taken}`,
    close: () => {
      endStreams()
      return close(server, connections)
    },
  }
}

const printable = (host: string): string => {
  if (host === '0.0.0.0' || host === '::') return 'localhost'
  return host.includes(':') ? `[${host}]` : host
}

/** Answers a request whose target or Host is so broken that no route could see it. */
const answerMalformed = (outgoing: ServerResponse): void =>
  refuse(outgoing, '4000', 'the request target or the Host header is malformed')

/** Answers with the error body past all routes, and closes the connection. */
const refuse = (outgoing: ServerResponse, code: ErrorCode, message: string): void => {
  const { method = '', url = '' } = outgoing.req
  const requestId = newRequestId()
  const body = errorBody({ code, message }, method, url.split('?', 1)[0] ?? '', requestId)
  const headers = { 'content-type': 'application/json', 'x-request-id': requestId }
  outgoing.writeHead(statusOf(code), { ...headers, connection: 'close' }).end(JSON.stringify(body))
}

/** Open connections, and where the answer to the last request of each goes. */
type Connections = Map<Socket, ServerResponse | undefined>

const isBusy = (outgoing: ServerResponse | undefined): outgoing is ServerResponse =>
  outgoing !== undefined && !outgoing.writableFinished && !outgoing.destroyed

/** Lets go of idle connections at once; requests in flight have a moment to be answered. */
const close = (server: Server, connections: Connections): Promise<void> =>
  new Promise((resolve) => {
    const impatient = setTimeout(() => {
      for (const outgoing of connections.values()) if (isBusy(outgoing)) answerClosing(outgoing)
    }, CLOSE_TIMEOUT_MS)
    server.close(() => {
      clearTimeout(impatient)
      resolve()
    })
    for (const [socket, outgoing] of connections) {
      if (isBusy(outgoing)) outgoing.once('finish', () => socket.destroySoon())
      else socket.destroy()
    }
  })

/** Tells a request that took too long, such as one whose body never ends, why it gets no answer. */
const answerClosing = (outgoing: ServerResponse): void => {
  if (outgoing.headersSent) outgoing.destroy()
  else refuse(outgoing, '5030', 'the sandbox is closing')
}
