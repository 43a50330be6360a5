import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { getRequestListener } from '@hono/node-server'
import type { Hono } from 'hono'
import { newRequestId } from './http/request-id.js'
import { errorBody } from './http/respond.js'

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

const HEADER_TIMEOUT_MS = 15_000
const REQUEST_TIMEOUT_MS = 60_000
/** How long closing waits for requests in flight. */
const CLOSE_TIMEOUT_MS = 2_000

/** Serves the app over HTTP. Rejects when the address cannot be had. */
export const listen = async (app: Hono, { port, host }: ListenOptions): Promise<Listener> => {
  // Without an answer of the handler, the request is left to answerMalformed.
  const answer = getRequestListener(app.fetch, { errorHandler: () => undefined })
  const sockets = new Set<Socket>()
  const busy: Busy = new Map()
  const server = createServer(
    {
      headersTimeout: HEADER_TIMEOUT_MS,
      requestTimeout: REQUEST_TIMEOUT_MS,
      // Node refuses a request without Host by itself, but with an empty body.
      requireHostHeader: false,
    },
    async (incoming, outgoing) => {
      busy.set(incoming.socket, outgoing)
      outgoing.once('close', () => busy.delete(incoming.socket))
      await answer(incoming, outgoing)
      if (!outgoing.headersSent && !outgoing.destroyed) answerMalformed(incoming, outgoing)
    },
  )
  server.on('clientError', refuseUnreadable)
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => {
      server.off('error', reject)
      resolve()
    })
  })
  const { port: taken } = server.address() as AddressInfo
  return { url: `http://${printable(host)}:${taken}`, close: () => close(server, sockets, busy) }
}

const printable = (host: string): string => {
  if (host === '0.0.0.0' || host === '::') return 'localhost'
  return host.includes(':') ? `[${host}]` : host
}

/** Answers a request whose target or Host is so broken that no route could see it. */
const answerMalformed = (incoming: IncomingMessage, outgoing: ServerResponse): void => {
  const { method = '', url = '' } = incoming
  const path = url.split('?', 1)[0] ?? ''
  const requestId = newRequestId()
  const text = malformed(
    'the request target or the Host header is malformed',
    method,
    path,
    requestId,
  )
  const headers = { 'content-type': 'application/json', 'x-request-id': requestId }
  outgoing.writeHead(400, { ...headers, connection: 'close' }).end(text)
}

/** Answers what is not even HTTP, or has headers beyond the limit. */
const refuseUnreadable = (error: NodeJS.ErrnoException, socket: Socket): void => {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy()
  const requestId = newRequestId()
  const message = `this is no HTTP request that can be read: ${error.message}`
  const text = malformed(message, '', '', requestId)
  const head = [
    'HTTP/1.1 400 Bad Request',
    'content-type: application/json',
    `x-request-id: ${requestId}`,
    `content-length: ${Buffer.byteLength(text)}`,
    'connection: close',
  ]
  socket.end(`${head.join('\r\n')}\r\n\r\n${text}`)
}

const malformed = (message: string, method: string, path: string, requestId: string): string =>
  JSON.stringify(errorBody({ code: '4000', message }, method, path, requestId))

/** Connections with a request under way, and where its answer goes. */
type Busy = Map<Socket, ServerResponse>

/** Lets go of idle connections at once; requests in flight have a moment to be answered. */
const close = (server: Server, sockets: ReadonlySet<Socket>, busy: Busy): Promise<void> =>
  new Promise((resolve) => {
    const impatient = setTimeout(() => {
      for (const [, outgoing] of busy) answerClosing(outgoing)
    }, CLOSE_TIMEOUT_MS)
    server.close(() => {
      clearTimeout(impatient)
      resolve()
    })
    for (const socket of sockets) {
      const outgoing = busy.get(socket)
      if (outgoing) outgoing.once('finish', () => socket.destroySoon())
      else socket.destroy()
    }
  })

/** Tells a request that took too long, such as one whose body never ends, why it gets no answer. */
const answerClosing = (outgoing: ServerResponse): void => {
  if (outgoing.headersSent) return void outgoing.destroy()
  const { method = '', url = '' } = outgoing.req
  const requestId = newRequestId()
  const error = { code: '5030', message: 'the sandbox is closing' } as const
  const text = JSON.stringify(errorBody(error, method, url.split('?', 1)[0] ?? '', requestId))
  const headers = { 'content-type': 'application/json', 'x-request-id': requestId }
  outgoing.writeHead(503, { ...headers, connection: 'close' }).end(text)
}
