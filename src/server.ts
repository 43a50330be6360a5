import {
  createServer,
  type RequestListener,
  type Server,
  type ServerOptions,
  type ServerResponse,
} from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { getRequestListener } from '@hono/node-server'
import type { Hono } from 'hono'
import { type ErrorCode, statusOf } from './contract/errors.js'
import { CONNECTION_LIMITS, type ConnectionLimits } from './http/connection-limits.js'
import type { TurnAway } from './http/plain.js'
import { newRequestId } from './http/request-id.js'
import { errorBody } from './http/respond.js'
import { READING_HEADER } from './http/steer.js'
import { refuseUnreadable, TOO_LATE, tooLate } from './http/unreadable.js'
import { ASSUMED_HEADER } from './journal/recording.js'
import { OptionError } from './options.js'
import type { PairFiles } from './tls/given.js'
import type { TrustFile } from './tls/trust.js'

/** HTTPS with a certificate made for this machine, or with one of your own from two files. */
export type Tls = true | PairFiles

export interface ListenOptions {
  /** 0 takes a free port. */
  readonly port: number
  readonly host: string
  /** Serves HTTPS, and refuses plain HTTP. */
  readonly tls?: Tls | false
}

/** A listening server. */
export interface Listener {
  readonly url: string
  /** The file of the certificate that was made, for clients to trust; it goes when this closes. */
  readonly certificate?: string
  /** Finishes the requests in flight, then closes. */
  close(): Promise<void>
}

/** Why streams end and requests in flight are refused at the end. */
export const CLOSING = 'the sandbox is closing'
/** How plain HTTP is turned away where nobody chooses. */
const FORBID: TurnAway = () => ({
  how: 'forbidden',
  code: '4032',
  assumed: 'error.codes=sandbox, http.plain=forbidden',
})

/** How long closing waits for requests in flight. */
const CLOSE_TIMEOUT_MS = 2_000

/**
 * Serves the app over HTTP. Rejects when the address cannot be had. `endStreams` is called when it
 * closes: answers that have no end of their own are told that there is one. `turnAway` tells what becomes
 * of plain HTTP where HTTPS is served.
 */
export const listen = async (
  app: Hono,
  { port, host, tls }: ListenOptions,
  endStreams: () => void,
  limits: ConnectionLimits = CONNECTION_LIMITS,
  turnAway: TurnAway = FORBID,
): Promise<Listener> => {
  const connections: Connections = new Map()
  const opened = (socket: Socket) => {
    connections.set(socket, undefined)
    socket.once('close', () => connections.delete(socket))
  }
  // Without an answer of the handler, the request is left to answerMalformed.
  const respond = getRequestListener(app.fetch, { errorHandler: () => undefined })
  const answer: RequestListener = async (incoming, outgoing) => {
    connections.set(incoming.socket, outgoing)
    await respond(incoming, outgoing)
    if (!outgoing.headersSent && !outgoing.destroyed) answerMalformed(outgoing)
  }
  const unreadable = (error: NodeJS.ErrnoException, socket: Socket) => {
    const outgoing = connections.get(socket)
    const isLate = error.code === TOO_LATE && isBusy(outgoing) && !outgoing.req.complete
    if (isLate && !outgoing.headersSent) refuse(outgoing, '4080', tooLate(limits))
    else refuseUnreadable(error, socket, limits)
  }
  const serving: Serving = { limits, connections, answer, opened, unreadable, turnAway }
  const front = tls ? await secureServer(tls, host, serving) : undefined
  const server = front?.server ?? plainServer(serving)
  server.maxConnections = limits.connections
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => {
      server.off('error', reject)
      resolve()
    })
  })
  const { port: taken } = server.address() as AddressInfo
  const trust = front?.trust()
  return {
    url: `${tls ? 'https' : 'http'}://${printable(host)}:${taken}`,
    ...(trust && { certificate: trust.path }),
    close: () => {
      endStreams()
      trust?.remove()
      return close(server, connections)
    },
  }
}

/** What a server of any kind needs to serve. */
interface Serving {
  readonly limits: ConnectionLimits
  readonly connections: Connections
  readonly answer: RequestListener
  readonly opened: (socket: Socket) => void
  readonly unreadable: (error: NodeJS.ErrnoException, socket: Socket) => void
  readonly turnAway: TurnAway
}

const settingsOf = (limits: ConnectionLimits): ServerOptions => ({
  maxHeaderSize: limits.headers,
  headersTimeout: limits.headers_ms,
  requestTimeout: limits.request_ms,
  keepAliveTimeout: limits.idle_ms,
  connectionsCheckingInterval: limits.check_ms,
  // Node refuses a request without Host by itself, but with an empty body.
  requireHostHeader: false,
})

const plainServer = ({ limits, answer, opened, unreadable }: Serving): Server => {
  const server = createServer(settingsOf(limits), answer)
  server.on('clientError', unreadable)
  server.on('connection', opened)
  return server
}

interface SecureServer {
  readonly server: Server
  /** Writes the certificate for clients to trust, when it was made here. */
  readonly trust: () => TrustFile | undefined
}

/** Loads what HTTPS takes only now: most starts go without it. */
const secureServer = async (
  tls: Tls,
  host: string,
  { limits, connections, answer, opened, unreadable, turnAway }: Serving,
): Promise<SecureServer> => {
  const { createFront, makePair, readPair, writeTrustFile } = await import('./tls/secure.js')
  const pair = tls === true ? await makePair(host) : readPair(tls)
  const server = createFront({
    pair,
    settings: settingsOf(limits),
    patienceMs: limits.headers_ms,
    answer,
    refuse: (incoming, outgoing) => {
      connections.set(incoming.socket, outgoing)
      // A client that still sends its body would find the connection broken in place of the answer.
      incoming.resume().once('end', () => answerPlain(outgoing, turnAway))
    },
    unreadable,
    opened,
    replaced: (socket) => connections.delete(socket),
  })
  return { server, trust: () => (tls === true ? writeTrustFile(pair.cert) : undefined) }
}

/** Refuses what nobody but a program can give: the command line gives files or nothing. */
export const assertTls = (tls: unknown): void => {
  if (tls === undefined || typeof tls === 'boolean') return
  const { cert, key } = Object(tls) as { cert?: unknown; key?: unknown }
  if (typeof cert === 'string' && typeof key === 'string') return
  throw new OptionError('tls: accepted: true, or { cert, key }, the paths of two files in PEM form')
}

const printable = (host: string): string => {
  if (host === '0.0.0.0' || host === '::') return 'localhost'
  return host.includes(':') ? `[${host}]` : host
}

/** Answers a request whose target or Host is so broken that no route could see it. */
const answerMalformed = (outgoing: ServerResponse): void =>
  refuse(outgoing, '4000', 'the request target or the Host header is malformed')

/** Answers plain HTTP where HTTPS is spoken, as it is read (http.plain). */
const answerPlain = (outgoing: ServerResponse, turnAway: TurnAway): void => {
  if (outgoing.headersSent || outgoing.destroyed) return
  const { headers, url = '/' } = outgoing.req
  const given = headers[READING_HEADER]
  const { how, code, assumed } = turnAway(Array.isArray(given) ? given.join() : given)
  const told = { [ASSUMED_HEADER]: assumed }
  if (how === 'closed') outgoing.destroy()
  else if (how === 'redirect' && headers.host !== undefined) {
    const location = `https://${headers.host}${url}`
    const ids = { 'x-request-id': newRequestId(), connection: 'close' }
    outgoing.writeHead(301, { location, ...told, ...ids }).end()
  } else {
    const message = 'plain HTTP came; accepted: HTTPS, at the same host and port'
    refuse(outgoing, '4032', message, { code, headers: told })
  }
}

/** Answers with the error body past all routes, and closes the connection. */
const refuse = (
  outgoing: ServerResponse,
  code: ErrorCode,
  message: string,
  more: { readonly code?: string; readonly headers?: Readonly<Record<string, string>> } = {},
): void => {
  const { method = '', url = '' } = outgoing.req
  const requestId = newRequestId()
  const shown = { code: more.code ?? code, message }
  const body = errorBody(shown, method, url.split('?', 1)[0] ?? '', requestId)
  const headers = {
    'content-type': 'application/json',
    'x-request-id': requestId,
    ...more.headers,
  }
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
  else refuse(outgoing, '5030', CLOSING)
}
