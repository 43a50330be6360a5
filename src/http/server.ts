import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerOptions,
  type ServerResponse,
} from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
// Not the global ones, which tests may fake: closing would wait for ever for a request that never ends.
import { clearTimeout, setTimeout } from 'node:timers'
import { lazy } from '../lib/lazy.js'
import type { App } from './api.js'
import { Connections } from './connections.js'
import {
  answerClosing,
  answerMalformed,
  answerUnencrypted,
  answerUnreadable,
  CONNECTION_LIMITS,
  type ConnectionLimits,
  type CreateEarlyError,
  type ParseError,
  writeEarlyError,
} from './early-errors.js'
import type { ListenOptions, Tls } from './listen-options.js'
import type { TrustFile } from './tls/ca-file.js'
import { createWebListener } from './web-listener.js'

/** A listening server. */
export interface Listener {
  readonly url: string
  /** The file of the certificate that was made, for clients to trust; it goes when this closes. */
  readonly certificate?: string
  /** What `/_sandbox` and the console ask for, where others can reach the port and nobody gave a token. */
  readonly controlToken?: string
  /** Finishes the requests in flight, then closes. */
  close(): Promise<void>
}

/** Why streams end and requests in flight are refused at the end. */
export const CLOSING = 'the sandbox is closing'
/** How long closing waits for requests in flight. */
const CLOSE_TIMEOUT_MS = 2_000

/** What a server asks of the sandbox besides its app. */
export interface ServerHooks {
  /** Called when it closes: answers that have no end of their own are told that there is one. */
  readonly endStreams: () => void
  /** Tells how a request is refused that no route has seen. */
  readonly refuse: CreateEarlyError
  /** Hears of bugs. */
  readonly report: (bug: unknown) => void
}

const FAILED = 'the sandbox has a bug, or was replaced while it runs; its log tells more'

/** Serves the app over HTTP. Rejects when the address cannot be had. */
export const listen = async (
  app: Pick<App, 'fetch' | 'fastPath'>,
  { port, host, tls }: ListenOptions,
  { endStreams, refuse, report }: ServerHooks,
  limits: ConnectionLimits = CONNECTION_LIMITS,
): Promise<Listener> => {
  const connections = new Connections()
  const fail = (bug: unknown, outgoing: ServerResponse) => {
    report(bug)
    if (!outgoing.headersSent) writeEarlyError(outgoing, refuse('5000', FAILED, outgoing.req))
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
    if (!outgoing.headersSent && !outgoing.destroyed) answerMalformed(outgoing, refuse)
  }
  const unreadable = (error: ParseError, socket: Socket) =>
    answerUnreadable(error, socket, connections.last(socket), limits, refuse)
  const serving: ConnectionHandlers = { limits, connections, answer, unreadable, refuse }
  const front = tls ? await secureServer(tls, host, serving) : undefined
  const server = front?.server ?? plainServer(serving)
  server.maxConnections = limits.connections
  server.timeout = limits.stall_ms
  // Their size has a limit; beyond a number of them Node would drop headers without a word.
  server.maxHeadersCount = 0
  const trust = front?.trust()
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => {
      server.off('error', reject)
      resolve()
    })
  }).catch((error) => {
    trust?.remove()
    throw error
  })
  const { port: taken } = server.address() as AddressInfo
  return {
    url: `${tls ? 'https' : 'http'}://${hostInUrl(host)}:${taken}`,
    ...(trust && { certificate: trust.path }),
    close: () => {
      endStreams()
      trust?.remove()
      return close(server, connections, refuse)
    },
  }
}

/** What a server of any kind needs to serve. */
interface ConnectionHandlers {
  readonly limits: ConnectionLimits
  readonly connections: Connections
  readonly answer: RequestListener
  readonly unreadable: (error: ParseError, socket: Socket) => void
  readonly refuse: CreateEarlyError
}

const toServerSettings = (limits: ConnectionLimits): ServerOptions => ({
  maxHeaderSize: limits.headers,
  headersTimeout: limits.headers_ms,
  requestTimeout: limits.request_ms,
  keepAliveTimeout: limits.idle_ms,
  connectionsCheckingInterval: limits.check_ms,
  // Node refuses a request without Host by itself, but with an empty body.
  requireHostHeader: false,
})

const plainServer = ({ limits, connections, answer, unreadable }: ConnectionHandlers): Server => {
  const server = createServer(toServerSettings(limits), answer)
  // A client may close its side and still wait for the answer; Node would close the other one at once.
  Object.assign(server, { httpAllowHalfOpen: true })
  // What a client expects besides 100-continue may be ignored; Node would answer 417 without a body.
  server.on('checkExpectation', answer)
  server.on('clientError', unreadable)
  server.on('connection', (socket) => connections.opened(socket))
  return server
}

interface SecureServer {
  readonly server: Server
  /** Writes the certificate for clients to trust, when it was made here. */
  readonly trust: () => TrustFile | undefined
}

/** Loads the code of HTTPS on demand: most starts do without. */
const secureServer = async (
  tls: Tls,
  host: string,
  { limits, connections, answer, unreadable, refuse }: ConnectionHandlers,
): Promise<SecureServer> => {
  const { createTlsServer } = await import('./tls/tls-server.js')
  const { generateKeyPair } = await import('./tls/certificate.js')
  const { readKeyPair } = await import('./tls/key-pair.js')
  const { writeTrustFile } = await import('./tls/ca-file.js')
  const pair = tls === true ? await generateKeyPair(host) : readKeyPair(tls)
  const server = createTlsServer({
    pair,
    settings: toServerSettings(limits),
    patienceMs: limits.headers_ms,
    answer,
    refuse: (incoming, outgoing) => {
      connections.came(outgoing)
      // A client that still sends its body would find the connection broken in place of the answer.
      incoming.resume().once('end', () => answerUnencrypted(outgoing, refuse))
    },
    unreadable,
    opened: (socket) => connections.opened(socket),
    replaced: (socket) => connections.replaced(socket),
  })
  return { server, trust: () => (tls === true ? writeTrustFile(pair.cert) : undefined) }
}

/** HTTP/1.0 knows no Host, and health checks of load balancers speak it. No browser does. */
const defaultHost = ({ httpVersion, headers }: IncomingMessage): void => {
  if (httpVersion === '1.0') headers.host ??= 'localhost'
}

/** Whether the host that it names can be part of an address, which the request log shows and reads. */
const hasHost = ({ headers: { host } }: IncomingMessage): boolean =>
  host === undefined || URL.canParse(`http://${host}`)

const hostInUrl = (host: string): string => {
  if (host === '0.0.0.0' || host === '::') return 'localhost'
  return host.includes(':') ? `[${host}]` : host
}

/** Lets go of idle connections at once; requests in flight have a moment to be answered. */
const close = (server: Server, connections: Connections, refuse: CreateEarlyError): Promise<void> =>
  new Promise((resolve) => {
    const impatient = setTimeout(() => {
      for (const outgoing of connections.busy()) answerClosing(outgoing, CLOSING, refuse)
    }, CLOSE_TIMEOUT_MS)
    server.close(() => {
      clearTimeout(impatient)
      resolve()
    })
    connections.end()
  })
