import { authenticateControl, isInTurn, nameControlWorld } from './api/control/auth.js'
import { getHealth, getReady } from './api/control/health.js'
import { authenticateService, nameServiceWorld } from './api/service/auth.js'
import { serviceOperations } from './api/service/index.js'
import { LOG_HEADER } from './contract/header-names.js'
import { createRedactor } from './history/redact.js'
import type { Exchange } from './history/views.js'
import type { Api, App } from './http/operation/api.js'
import { BodyBudget } from './http/operation/body-limits.js'
import { createNameClient, type NameClient } from './http/operation/clients.js'
import { nodeStreams } from './http/operation/context.js'
import { createStreamCounter } from './http/operation/stream-limits.js'
import { answerPreflight, corsHeaders } from './http/pipeline/cors.js'
import { hintFor } from './http/pipeline/hint.js'
import {
  type AccessOptions,
  assertSameOrigin,
  bearerToken,
  createAccess,
  isFromBrowser,
} from './http/pipeline/host-origin-guards.js'
import { limitRate, limitRates, limitTenants } from './http/pipeline/rate-limit.js'
import { toJsonResponse } from './http/pipeline/respond.js'
import { CONTROL_HEADERS } from './http/pipeline/response-headers.js'
import { createEarlyErrors } from './http/transport/early-errors.js'
import { createFastPath } from './http/transport/fast-path.js'
import { createFastFetch, createInProcess, type TextResponse } from './http/transport/in-process.js'
import { type ListenOptions, parseListenOptions } from './http/transport/listen-options.js'
import { createEndpoints } from './http/transport/routes.js'
import { CLOSING, type Listener, listen } from './http/transport/server.js'
import { lazy } from './lib/lazy.js'
import { createSleeps, type Sleep } from './lib/machine-clock.js'
import { FileError } from './lib/read-file.js'
import { DEFAULT_WORLD, generateControlToken } from './lib/secrets.js'
import { limitConcurrency } from './lib/turns.js'
import { resolveDependencies } from './runtime/build-sandbox.js'
import {
  DEFAULT_BODY_LIMIT,
  OptionError,
  parseRateLimit,
  type RateLimit,
  type SandboxOptions,
} from './runtime/options.js'
import { Sandbox } from './runtime/sandbox.js'
import { EVERYTHING } from './runtime/tenants.js'

/** A sandbox with its routes, which the library and the command line share. */
export interface OpenSandbox {
  readonly core: Sandbox
  fetch(input: string | URL | Request, init?: RequestInit): Promise<Response>
  fetchText(path: string, init?: RequestInit): Promise<TextResponse>
  /** Opens a port, by default a free one on 127.0.0.1. */
  listen(options?: Partial<ListenOptions>): Promise<Listener>
  /** Ends streams, closes ports and releases the `data` file. */
  close(): Promise<void>
}

export const openSandbox = async (options: SandboxOptions): Promise<OpenSandbox> => {
  const delays = createSleeps()
  const core = await openCore(options, delays.sleep)
  const report = (bug: unknown) => console.error(bug)
  const log = options.log && safeLogger(options.log, report)
  const { rateLimit, controlToken: token } = options
  const corsOrigins = [options.cors ?? []].flat()
  const appWith = (controlToken: string | undefined) =>
    createApp(core, {
      controlToken,
      allowHosts: options.allowHosts ?? [],
      trustProxy: options.trustProxy ?? [],
      corsOrigins,
      bodyLimit: options.bodyLimit ?? DEFAULT_BODY_LIMIT,
      rateLimit: rateLimit === undefined ? undefined : parseRateLimit(rateLimit),
      log,
      report,
    })
  const app = appWith(token)
  const listeners: Listener[] = []
  let closing: Promise<void> | undefined
  const assertOpen = () => {
    if (closing) throw new Error(CLOSED)
  }
  const end = async () => {
    core.worlds.endStreams(CLOSING)
    await Promise.all(listeners.splice(0).map((listener) => listener.close()))
    await core.close()
    // Pending delays would keep the process alive.
    delays.end()
  }
  const inProcess = createInProcess(app)
  const assertAnswering = () => {
    if (closing) throw new TypeError(`fetch failed: ${CLOSED}`)
  }
  return {
    core,
    fetch: async (input, init) => {
      assertAnswering()
      return inProcess.fetch(input, init)
    },
    fetchText: async (path, init) => {
      assertAnswering()
      return inProcess.fetchText(path, init)
    },
    listen: async (options = {}) => {
      const where = parseListenOptions(options)
      assertOpen()
      const controlToken = token === undefined ? generateControlToken(where.host) : undefined
      const served = controlToken === undefined ? app : appWith(controlToken)
      const endStreams = () => core.worlds.endStreams(CLOSING)
      const listener = await listen(served, where, { endStreams, report })
      if (closing) await listener.close()
      assertOpen()
      listeners.push(listener)
      return { ...listener, ...(controlToken !== undefined && { controlToken }) }
    },
    close: () => {
      closing ??= end()
      return closing
    },
  }
}

const CLOSED = 'the sandbox is closed'

/** An error in the caller's log function must not change the response. */
const safeLogger =
  (log: NonNullable<SandboxOptions['log']>, report: (bug: unknown) => void): typeof log =>
  (exchange) => {
    try {
      log(exchange)
    } catch (bug) {
      report(bug)
    }
  }

/** With `data`, both files exist when it resolves. */
const openCore = async (options: SandboxOptions, sleep: Sleep): Promise<Sandbox> => {
  const parts = await resolveDependencies(options, sleep)
  try {
    const core = await Sandbox.start(parts)
    for (const [name, ids] of core.lostScenarios()) parts.warn(missingScenarioWarning(name, ids))
    return core
  } catch (error) {
    await parts.log?.close()
    throw error instanceof FileError ? new OptionError(error.message, 'data') : error
  }
}

const missingScenarioWarning = (name: string, [id = '', ...more]: readonly string[]): string => {
  const world = id === DEFAULT_WORLD ? 'the default world' : `the world ${id}`
  const players = more.length === 0 ? `${world} has` : `${more.length + 1} worlds have`
  return (
    `${players} the active scenario ${name}, but this start got no file for it, so its rules do not fire; ` +
    `start with --scenario <file of ${name}>, post it, or activate others`
  )
}

interface AppOptions extends AccessOptions {
  /** Largest accepted body, in bytes. */
  readonly bodyLimit: number
  /** Limits the memory of all bodies together. */
  readonly bodies?: BodyBudget
  /** Networks of proxies that name the client of a request. */
  readonly trustProxy?: readonly string[]
  /** How many requests each key may make on the service API; no limit when undefined. */
  readonly rateLimit?: RateLimit | undefined
  readonly log: ((exchange: Exchange) => void) | undefined
  readonly report: (bug: unknown) => void
}

const CORS_HINT = '. To call it from a page of your own, start with --cors <origin>'

/** Between two refusals on a shared server: a client that guesses tokens or keys leaves its time to others. */
const REFUSAL_MS = 20

const WRONG_TOKENS: RateLimit = { limit: 20, window_ms: 60_000, window: '1m' }

/** Wires the APIs of a sandbox. The router is loaded with the first request that is not plain: most are. */
export const createApp = (sandbox: Sandbox, options: AppOptions): App => {
  const { controlToken, bodyLimit, bodies = new BodyBudget(), rateLimit, log, report } = options
  const { tenants } = sandbox
  const machineTime = () => sandbox.machineTime()
  const countWrong = limitRate(WRONG_TOKENS, machineTime, 'address with wrong tokens')
  const refuseInLine = limitConcurrency(1)
  const access = createAccess({
    ...options,
    tenants,
    delayRefusal: async () => {
      if (tenants) await refuseInLine(() => sandbox.sleep(REFUSAL_MS))
    },
    noteWrongToken: (c) => {
      const { incoming } = nodeStreams(c)
      const address = incoming && nameByAddress(incoming)
      if (address !== undefined) countWrong(address, c)
    },
  })
  const isKnownKey = (text: string) => sandbox.worlds.isKnownKey(text)
  const redact = createRedactor({ salt: sandbox.keySalt, controlToken, isKnownKey })
  const nameByAddress = createNameClient(options.trustProxy ?? [])
  const nameClient: NameClient = (incoming) =>
    tenants?.nameCaller(incoming.headers) ?? nameByAddress(incoming)
  const countStream = createStreamCounter(sandbox, nameClient)
  const refuseLate: Api['inTurn'] =
    tenants &&
    (async (c, _, answer) => {
      const answered = await answer()
      const { status } = toJsonResponse(answered) ?? {}
      if (nodeStreams(c).incoming && (status === 401 || status === 429)) await access.delayRefusal()
      return answered
    })
  const common = { bodyLimit, bodies, countStream, nameClient, log, report, redact }
  const countTenant = tenants && limitTenants(tenants, machineTime)
  const count = limitRates(rateLimit, countTenant, machineTime)
  const paths = serviceOperations.map(({ path }) => path)
  const service: Api = {
    ...common,
    sandbox,
    kind: 'request',
    inTurn: refuseLate,
    guard: (c) => {
      assertSameOrigin(c, 'service', access.corsOrigins, CORS_HINT)
      // The keys of the fixtures are public, so a page could use them under a name of its own. In process
      // a URL may have any host.
      if (nodeStreams(c).incoming || isFromBrowser(c)) access.assertHost(c)
      return answerPreflight(c, access.corsOrigins)
    },
    hintFor: (c) => hintFor(c, paths),
    headersFor: (c) => corsHeaders(c.req.header('origin'), access.corsOrigins),
    nameWorld: (c) => nameServiceWorld(sandbox, c),
    findLog: async (c) => {
      const id = c.req.header(LOG_HEADER)
      const scope = tenants ? tenants.findScope(bearerToken(c) ?? '') : EVERYTHING
      if (id === undefined || !scope) return undefined
      await sandbox.worlds.loadIn(scope, id)
      return sandbox.worlds.findIn(scope, id)?.live
    },
    authenticate: (c, _, world, name) => authenticateService(c, world, name, count),
  }
  const control: Api = {
    ...common,
    sandbox,
    kind: 'control',
    inTurn:
      refuseLate &&
      ((c, operation, answer) => {
        const scope = isInTurn(c, operation) && tenants?.findScope(bearerToken(c) ?? '')
        return scope ? sandbox.inTurn(scope, answer) : refuseLate(c, operation, answer)
      }),
    headersFor: () => CONTROL_HEADERS,
    nameWorld: (c, operation) => nameControlWorld(sandbox, access, c, operation),
    authenticate: (...request) => authenticateControl(...request, countTenant),
  }
  const endpoints = createEndpoints(service, serviceOperations)
  const open = createEndpoints(control, [getHealth, getReady])
  const withControl = lazy(async () => {
    const { controlOperations } = await import('./api/control/index.js')
    return createEndpoints(control, controlOperations)
  })
  const routed = lazy(async () => {
    const { createApis } = await import('./api/routing.js')
    return createApis({ service, control, access, endpoints, open, withControl })
  })
  const plain = [...endpoints, ...open]
  return {
    fetch: (request, env) => routed((app) => app.fetch(request, env)),
    fastPath: createFastPath(common, plain),
    fastFetch: createFastFetch(plain, withControl),
    nameClient,
    ...createEarlyErrors(service, control),
  }
}
