import { once } from 'node:events'
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerOptions,
  type ServerResponse,
} from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
// Tests may fake the global timers: closing would wait for ever for a request that never ends.
import { clearTimeout, setTimeout } from 'node:timers'
import { lazy } from '../../lib/lazy.js'
import type { App } from '../operation/api.js'
import { CONNECTION_LIMITS, type ConnectionLimits } from '../pipeline/connection-limits.js'
import type { TrustFile } from './ca-file.js'
import { Connections } from './connections.js'
import {
  answerClosing,
  answerMalformed,
  answerUnencrypted,
  type CreateEarlyError,
  writeEarlyError,
} from './early-errors.js'
import { toListenError } from './listen-error.js'
import type { ListenOptions, Tls } from './listen-options.js'
import { answerUnreadable, type ParseError } from './unreadable-requests.js'
import { createWebListener } from './web-listener.js'

/** A listening server. */
export interface Listener {
  readonly url: string
  /** The path of the generated certificate, for clients to trust. The file is removed on close. */
  readonly certificate?: string
  /**
   * The generated token of `/_sandbox` and the console, if others can reach the port and no token was
   * given.
   */
  readonly controlToken?: string
  /** Finishes the requests in flight, then closes. */
  close(): Promise<void>
}

/** The reason for ended streams and refused requests at shutdown. */
export const CLOSING = 'the sandbox is closing'
/** How long a shutdown waits for requests in flight. */
const CLOSE_TIMEOUT_MS = 2_000

/** The sandbox's side of a server, besides its app. */
interface ServerHooks {
  /** Ends open streams; called when the server closes. */
  readonly endStreams: () => void
  /** Creates the error for a request that reached no route. */
  readonly createEarlyError: CreateEarlyError
  /** Receives bugs. */
  readonly report: (bug: unknown) => void
}

const FAILED = 'the sandbox has a bug, or was replaced while it runs; its log has the details'

/** Serves the app over HTTP. Rejects with an OptionError if the address cannot be used. */
export const listen = async (
  app: Pick<App, 'fetch' | 'fastPath'>,
  { port, host, tls }: ListenOptions,
  { endStreams, createEarlyError, report }: ServerHooks,
  limits: ConnectionLimits = CONNECTION_LIMITS,
): Promise<Listener> => {
  const connections = new Connections()
  const fail = (bug: unknown, outgoing: ServerResponse) => {
    report(bug)
    if (!outgoing.headersSent)
      writeEarlyError(outgoing, createEarlyError('5000', FAILED, outgoing.req))
  }
  const respond = lazy(() => createWebListener(app, fail))
  const answer = connections.inTurn((incoming, outgoing) => {
    defaultHost(incoming)
    if (!app.fastPath(incoming, outgoing)) {
      answerByWeb(incoming, outgoing).catch((bug) => fail(bug, outgoing))
    }
  })
  const answerByWeb = async (incoming: IncomingMessage, outgoing: ServerResponse) => {
    if (hasHost(incoming)) await respond((listener) => listener(incoming, outgoing))
    if (!outgoing.headersSent && !outgoing.destroyed) answerMalformed(outgoing, createEarlyError)
  }
  const unreadable = (error: ParseError, socket: Socket) =>
    answerUnreadable(error, socket, connections.last(socket), limits, createEarlyError)
  const serving: ConnectionHandlers = { limits, connections, answer, unreadable, createEarlyError }
  const front = tls ? await secureServer(tls, host, serving) : undefined
  const server = front?.server ?? plainServer(serving)
  server.maxConnections = limits.connections
  server.timeout = limits.stall_ms
  // Headers are limited by size. Beyond a count of them, Node would drop the rest silently.
  server.maxHeadersCount = 0
  const trust = front?.trust()
  try {
    await once(server.listen(port, host), 'listening')
  } catch (error) {
    trust?.remove()
    throw toListenError(error, { port, host })
  }
  const { port: taken } = server.address() as AddressInfo
  return {
    url: `${tls ? 'https' : 'http'}://${hostInUrl(host)}:${taken}`,
    ...(trust && { certificate: trust.path }),
    close: () => {
      endStreams()
      trust?.remove()
      return close(server, connections, createEarlyError)
    },
  }
}

/** The parts that a plain and a TLS server share. */
interface ConnectionHandlers {
  readonly limits: ConnectionLimits
  readonly connections: Connections
  readonly answer: RequestListener
  readonly unreadable: (error: ParseError, socket: Socket) => void
  readonly createEarlyError: CreateEarlyError
}

const toServerSettings = (limits: ConnectionLimits): ServerOptions => ({
  maxHeaderSize: limits.headers,
  headersTimeout: limits.headers_ms,
  requestTimeout: limits.request_ms,
  keepAliveTimeout: limits.idle_ms,
  connectionsCheckingInterval: limits.check_ms,
  // Node itself refuses a request without Host, but with an empty body.
  requireHostHeader: false,
})

const plainServer = ({ limits, connections, answer, unreadable }: ConnectionHandlers): Server => {
  const server = createServer(toServerSettings(limits), answer)
  // A client may close its side and still wait for the response; Node would close both.
  Object.assign(server, { httpAllowHalfOpen: true })
  // Expectations other than 100-continue are ignored; Node would answer 417 without a body.
  server.on('checkExpectation', answer)
  server.on('clientError', unreadable)
  server.on('connection', (socket) => connections.add(socket))
  return server
}

interface SecureServer {
  readonly server: Server
  /** Writes a generated certificate to a file for clients to trust. */
  readonly trust: () => TrustFile | undefined
}

/** Loads the HTTPS code on demand: most starts do without. */
const secureServer = async (
  tls: Tls,
  host: string,
  { limits, connections, answer, unreadable, createEarlyError }: ConnectionHandlers,
): Promise<SecureServer> => {
  const { createTlsServer } = await import('./tls-server.js')
  const { generateKeyPair } = await import('./certificate.js')
  const { readKeyPair } = await import('./key-pair.js')
  const { writeTrustFile } = await import('./ca-file.js')
  const pair = tls === true ? await generateKeyPair(host) : readKeyPair(tls)
  const server = createTlsServer({
    pair,
    settings: toServerSettings(limits),
    patienceMs: limits.headers_ms,
    answer,
    refuse: (incoming, outgoing) => {
      connections.register(outgoing)
      // A client that still sends its body would see a broken connection instead of the response.
      incoming.resume().once('end', () => answerUnencrypted(outgoing, createEarlyError))
    },
    unreadable,
    onConnection: (socket) => connections.add(socket),
    onReplaced: (socket) => connections.forget(socket),
  })
  return { server, trust: () => (tls === true ? writeTrustFile(pair.cert) : undefined) }
}

/** HTTP/1.0 has no Host header. Health checks of load balancers use it, browsers do not. */
const defaultHost = ({ httpVersion, headers }: IncomingMessage): void => {
  if (httpVersion === '1.0') headers.host ??= 'localhost'
}

/** Whether the Host can be part of a URL, which the request log stores. */
const hasHost = ({ headers: { host } }: IncomingMessage): boolean =>
  host === undefined || URL.canParse(`http://${host}`)

const hostInUrl = (host: string): string => {
  if (host === '0.0.0.0' || host === '::') return 'localhost'
  return host.includes(':') ? `[${host}]` : host
}

/** Closes idle connections at once; requests in flight get a moment to finish. */
const close = (
  server: Server,
  connections: Connections,
  createEarlyError: CreateEarlyError,
): Promise<void> =>
  new Promise((resolve) => {
    const impatient = setTimeout(() => {
      for (const outgoing of connections.busy()) answerClosing(outgoing, CLOSING, createEarlyError)
    }, CLOSE_TIMEOUT_MS)
    server.close(() => {
      clearTimeout(impatient)
      resolve()
    })
    connections.end()
  })
