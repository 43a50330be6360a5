import { getHealth, getReady } from './api/control/health.js'
import { serviceOperations } from './api/service/index.js'
import { createRedactor } from './history/redact.js'
import type { Exchange } from './history/views.js'
import type { App } from './http/operation/api.js'
import { BodyBudget } from './http/operation/body-limits.js'
import { createNameClient, type NameClient } from './http/operation/clients.js'
import { nodeStreams } from './http/operation/context.js'
import { createStreamCounter } from './http/operation/stream-limits.js'
import { createControlApi } from './http/pipeline/control-api.js'
import { type AccessOptions, createAccess } from './http/pipeline/host-origin-guards.js'
import { limitRate, limitRates, limitTenants } from './http/pipeline/rate-limit.js'
import { createServiceApi } from './http/pipeline/service-api.js'
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
import { resolveDependencies } from './runtime/build-sandbox.js'
import {
  DEFAULT_BODY_LIMIT,
  OptionError,
  parseRateLimit,
  type RateLimit,
  type SandboxOptions,
} from './runtime/options.js'
import { Sandbox } from './runtime/sandbox.js'

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
  const { rateLimit } = options
  const app = createApp(core, {
    controlToken: options.controlToken,
    allowHosts: options.allowHosts ?? [],
    trustProxy: options.trustProxy ?? [],
    corsOrigins: [options.cors ?? []].flat(),
    bodyLimit: options.bodyLimit ?? DEFAULT_BODY_LIMIT,
    rateLimit: rateLimit === undefined ? undefined : parseRateLimit(rateLimit),
    log,
    report,
  })
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
    listen: async (address = {}) => {
      const where = parseListenOptions(address)
      assertOpen()
      const controlToken =
        options.controlToken === undefined ? generateControlToken(where.host) : undefined
      if (controlToken !== undefined) app.redactToken(controlToken)
      const endStreams = () => core.worlds.endStreams(CLOSING)
      const listener = await listen(app, where, { endStreams, report, controlToken })
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

const WRONG_TOKENS: RateLimit = { limit: 20, window_ms: 60_000, window: '1m' }

/** Wires the APIs of a sandbox. The router is loaded with the first request that is not plain: most are. */
export const createApp = (sandbox: Sandbox, options: AppOptions): App => {
  const { controlToken, bodyLimit, bodies = new BodyBudget(), rateLimit, log, report } = options
  const { tenants } = sandbox
  const machineTime = () => sandbox.machineTime()
  const countWrong = limitRate(WRONG_TOKENS, machineTime, 'address with wrong tokens')
  const nameByAddress = createNameClient(options.trustProxy ?? [])
  const access = createAccess({
    ...options,
    sandbox,
    noteWrongToken: (c) => {
      const { incoming } = nodeStreams(c)
      const address = incoming && nameByAddress(incoming)
      if (address !== undefined) countWrong(address, c)
    },
  })
  const isKnownKey = (text: string) => sandbox.worlds.keys.isKnown(text)
  const redact = createRedactor({ salt: sandbox.keySalt, controlToken, isKnownKey })
  const nameClient: NameClient = (incoming) =>
    tenants?.nameCaller(incoming.headers) ?? nameByAddress(incoming)
  const countStream = createStreamCounter(sandbox, nameClient)
  const parts = { sandbox, bodyLimit, bodies, countStream, nameClient, log, report, redact }
  const countTenant = tenants && limitTenants(tenants, machineTime)
  const count = limitRates(rateLimit, countTenant, machineTime)
  const paths = serviceOperations.map(({ path }) => path)
  const service = createServiceApi(parts, { access, paths, count })
  const control = createControlApi(parts, access, countTenant)
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
    fastPath: createFastPath(parts, plain),
    fastFetch: createFastFetch(plain, withControl),
    nameClient,
    redactToken: redact.addToken,
    ...createEarlyErrors(service, control),
  }
}
