import { authenticateControl, nameControlWorld } from './api/control/auth.js'
import { getHealth, getReady } from './api/control/health.js'
import { authenticateService, nameServiceWorld } from './api/service/auth.js'
import { serviceOperations } from './api/service/index.js'
import { limitRates } from './api/service/rate-limit.js'
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
  createAccess,
  isFromBrowser,
} from './http/pipeline/host-origin-guards.js'
import { CONTROL_HEADERS } from './http/pipeline/response-headers.js'
import { createEarlyErrors } from './http/transport/early-errors.js'
import { createFastPath } from './http/transport/fast-path.js'
import { createFastFetch } from './http/transport/in-process.js'
import { createEndpoints } from './http/transport/routes.js'
import { lazy } from './lib/lazy.js'
import type { RateLimit } from './runtime/options.js'
import type { Sandbox } from './runtime/sandbox.js'

export interface AppOptions extends AccessOptions {
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

/** Wires the APIs of a sandbox. The router is loaded with the first request that is not plain: most are. */
export const createApp = (sandbox: Sandbox, options: AppOptions): App => {
  const { controlToken, bodyLimit, bodies = new BodyBudget(), rateLimit, log, report } = options
  const { tenants } = sandbox
  const access = createAccess({ ...options, tenants })
  const isKnownKey = (text: string) => sandbox.worlds.isKnownKey(text)
  const redact = createRedactor({ salt: sandbox.keySalt, controlToken, isKnownKey })
  const nameByAddress = createNameClient(options.trustProxy ?? [])
  const nameClient: NameClient = (incoming) =>
    tenants?.nameCaller(incoming.headers) ?? nameByAddress(incoming)
  const countStream = createStreamCounter(sandbox, nameClient)
  const common = { bodyLimit, bodies, countStream, nameClient, log, report, redact }
  const count = limitRates(rateLimit, tenants, () => sandbox.machineTime())
  const paths = serviceOperations.map(({ path }) => path)
  const service: Api = {
    ...common,
    sandbox,
    kind: 'request',
    guard: (c) => {
      assertSameOrigin(c, 'service', access.corsOrigins, CORS_HINT)
      // The keys of the fixtures are public, so a page could use them under a name of its own. In process
      // a URL may have any host.
      if (nodeStreams(c).incoming || isFromBrowser(c)) access.assertHost(c)
      return answerPreflight(c, access.corsOrigins)
    },
    hintFor: (c) => hintFor(c, paths),
    headersFor: (c) => corsHeaders(c.req.header('origin'), access.corsOrigins),
    nameWorld: (c, operation, readings) => nameServiceWorld(sandbox, c, operation, readings),
    authenticate: (c, operation, readings, world, name) =>
      authenticateService(c, operation, readings, world, name, count),
  }
  const control: Api = {
    ...common,
    sandbox,
    kind: 'control',
    headersFor: () => CONTROL_HEADERS,
    nameWorld: (c, operation) => nameControlWorld(sandbox, access, c, operation),
    authenticate: (c, operation, _, world, name) => authenticateControl(c, operation, world, name),
  }
  const endpoints = createEndpoints(service, serviceOperations)
  const open = createEndpoints(control, [getHealth, getReady])
  const routed = lazy(async () => {
    const { createApis } = await import('./api/routing.js')
    return createApis({ service, control, access, endpoints, open })
  })
  const plain = [...endpoints, ...open]
  return {
    fetch: (request, env) => routed((app) => app.fetch(request, env)),
    fastPath: createFastPath(common, plain),
    fastFetch: createFastFetch(plain),
    nameClient,
    ...createEarlyErrors(service, control),
  }
}
