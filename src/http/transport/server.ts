import { once } from 'node:events'
import {
  createServer,
  type IncomingMessage,
  type Server,
  type ServerOptions,
  type ServerResponse,
} from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
// Tests may fake the global timers: closing would wait for ever for a request that never ends.
import { clearTimeout, setTimeout } from 'node:timers'
import { setTimeout as sleep } from 'node:timers/promises'
import { lazy } from '../../lib/lazy.js'
import { MAX_QUOTED, quote } from '../../lib/text.js'
import type { App } from '../operation/api.js'
import { ApiError } from '../operation/api-error.js'
import type { TrustFile } from './certificate.js'
import { CONNECTION_LIMITS, type ConnectionLimits, Connections } from './connections.js'
import { type ListenOptions, type Tls, toListenError } from './listen-options.js'
import { createWebListener } from './web-listener.js'

export interface Listener {
  readonly url: string
  /** The path of the generated certificate, for clients to trust. The file is removed on close. */
  readonly certificate?: string
  /**
   * The generated token of `/_sandbox` and the console, if others can reach the port and no token was
   * given.
   */
  readonly controlToken?: string
  /** Each further answer closes its connection, so that clients connect elsewhere. */
  drain(): void
  /** The process may end while the port is open. */
  unref(): void
  /** Finishes the requests in flight, then closes. */
  close(): Promise<void>
}

/** The reason for ended streams and refused requests at shutdown. */
export const CLOSING = 'the sandbox is closing'

/**
 * At the end of a drain. A balancer without health checks repeats the reads elsewhere, and sends nothing more here: a
 * connection that is made while the server closes is reset.
 */
const TURN_AWAY_MS = 200

/** How long a shutdown waits for requests in flight. */
const CLOSE_TIMEOUT_MS = 2_000

/** The sandbox's side of a server, besides its app. */
interface ServerHooks {
  readonly endStreams: () => void
  readonly report: (bug: unknown) => void
  /** Its requests need it, if the sandbox has none. */
  readonly controlToken?: string | undefined
}

const FAILED = 'the sandbox has a bug, or was replaced while it runs; its log has the details'

/** Serves the app over HTTP. Rejects with an OptionError if the address cannot be used. */
export const listen = async (
  app: Omit<App, 'fastFetch' | 'redactToken'>,
  { port, host, tls }: ListenOptions,
  { endStreams, report, controlToken }: ServerHooks,
  limits: ConnectionLimits = CONNECTION_LIMITS,
): Promise<Listener> => {
  const fail = (bug: unknown, outgoing: ServerResponse) => {
    report(bug)
    app.refuse(outgoing, new ApiError('5000', FAILED))
  }
  const respond = lazy(() => createWebListener(app, controlToken, fail))
  const answerByWeb = async (incoming: IncomingMessage, outgoing: ServerResponse) => {
    if (hasHost(incoming)) await respond((listener) => listener(incoming, outgoing))
    if (!outgoing.headersSent && !outgoing.destroyed) app.refuse(outgoing, malformedUrl(incoming))
  }
  const server = createServer(toServerSettings(limits))
  // A client may close its side and still wait for the response; Node would close both.
  Object.assign(server, { httpAllowHalfOpen: true })
  server.maxConnections = limits.connections
  server.timeout = limits.stall_ms
  // Headers are limited by size. Beyond a count of them, Node would drop the rest silently.
  server.maxHeadersCount = 0
  let turnsAway = false
  const connections = new Connections(server, limits, app.nameClient, (incoming, outgoing) => {
    defaultHost(incoming)
    if (turnsAway && incoming.method === 'GET') {
      app.refuse(outgoing, new ApiError('5030', CLOSING))
      return
    }
    if (tls && !('encrypted' in incoming.socket)) {
      // A client that still sends its body would see a broken connection instead of the response.
      incoming.resume().once('end', () => app.refusePlainHttp(outgoing))
    } else if (!app.fastPath({ incoming, outgoing, controlToken })) {
      answerByWeb(incoming, outgoing).catch((bug) => fail(bug, outgoing))
    }
  })
  server.on('clientError', (error, socket) => connections.refuse(error, socket as Socket))
  const trust = tls ? await serveTls(server, connections, tls, host, limits) : undefined
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
    drain: () => connections.drain(),
    unref: () => {
      server.unref()
      server.on('connection', (socket) => socket.unref())
    },
    close: async () => {
      endStreams()
      trust?.remove()
      turnsAway = connections.isDraining
      if (turnsAway) await sleep(TURN_AWAY_MS)
      await close(server, connections, app)
    },
  }
}

const toServerSettings = (limits: ConnectionLimits): ServerOptions => ({
  maxHeaderSize: limits.headers,
  headersTimeout: limits.headers_ms,
  requestTimeout: limits.request_ms,
  keepAliveTimeout: limits.idle_ms,
  connectionsCheckingInterval: limits.check_ms,
})

/** Loads the HTTPS code on demand: most starts do without. Returns the file of a generated certificate. */
const serveTls = async (
  server: Server,
  connections: Connections,
  tls: Tls,
  host: string,
  { headers_ms }: ConnectionLimits,
): Promise<TrustFile | undefined> => {
  const { acceptTls } = await import('./tls.js')
  const { generateKeyPair, readKeyPair, writeTrustFile } = await import('./certificate.js')
  const pair = tls === true ? await generateKeyPair(host) : readKeyPair(tls)
  acceptTls(server, pair, headers_ms, (secure, under) => connections.replace(under, secure))
  return tls === true ? writeTrustFile(pair.cert) : undefined
}

/** HTTP/1.0 has no Host header. Health checks of load balancers use it, browsers do not. */
const defaultHost = ({ httpVersion, headers }: IncomingMessage): void => {
  if (httpVersion === '1.0') headers.host ??= 'localhost'
}

/** Whether the Host can be part of a URL, which the request log stores. */
const hasHost = ({ headers: { host } }: IncomingMessage): boolean =>
  host === undefined || URL.canParse(`http://${host}`)

const malformedUrl = ({ url, headers: { host } }: IncomingMessage): ApiError =>
  new ApiError('4000', {
    problem: `The request target ${quote(url ?? '', MAX_QUOTED)} or the Host ${quote(host ?? '', MAX_QUOTED)} is malformed`,
    expected: 'a path such as /payment/api/v1/payout, and a Host such as localhost:4020',
  })

const hostInUrl = (host: string): string => {
  if (host === '0.0.0.0' || host === '::') return 'localhost'
  return host.includes(':') ? `[${host}]` : host
}

/** Closes idle connections at once; requests in flight get a moment to finish. */
const close = async (
  server: Server,
  connections: Connections,
  app: Pick<App, 'refuse'>,
): Promise<void> => {
  await connections.acceptAll()
  return new Promise((resolve) => {
    const impatient = setTimeout(() => {
      for (const outgoing of connections.unsent())
        app.refuse(outgoing, new ApiError('5030', CLOSING))
    }, CLOSE_TIMEOUT_MS)
    server.close(() => {
      clearTimeout(impatient)
      resolve()
    })
    connections.end()
  })
}
