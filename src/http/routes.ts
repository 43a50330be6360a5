import type { Hono } from 'hono'
import type { Readings } from '../assumptions/use.js'
import type { Api, RequestHandler } from './api.js'
import { ApiError, contractError } from './api-error.js'
import type { RequestContext } from './context.js'
import { NO_BODY, prepareRequest, withFaults } from './fault-injection.js'
import { toFetchHandler } from './fetch-adapter.js'
import { createHandler } from './handler.js'
import type { Operation } from './operation.js'
import { handleRequest } from './pipeline.js'
import { parseReadingsAhead } from './request-readings.js'

/** An operation with what answers it, as routers take it. */
export interface Route {
  readonly operation: Operation
  /** In upper case, as requests have it. */
  readonly method: string
  /** The path with its parameters behind colons, as Hono has it. */
  readonly route: string
  /** Finds the parameters in a path. */
  readonly pattern: RegExp
  readonly answer: RequestHandler
}

export const createRoute = (api: Api, operations: readonly Operation[]): Route[] =>
  operations.map((operation) => ({
    operation,
    method: operation.method.toUpperCase(),
    route: operation.path.replace(/\{(\w+)\}/g, ':$1'),
    pattern: new RegExp(`^${operation.path.replace(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`),
    answer: createHandler(api, operation),
  }))

/** Mounts operations, each under its method and path. */
export const mount = (app: Hono, api: Api, operations: readonly Route[]): void => {
  for (const { method, route, answer } of operations) app.on(method, route, toFetchHandler(answer))
  if (api.kind === 'request') mountTrailingSlash(app, api, operations)
}

/** Mounts them once more with a slash at the end of their paths, which may be the same (wire.strictness). */
const mountTrailingSlash = (app: Hono, api: Api, operations: readonly Route[]): void => {
  const missing = notFoundHandler(api, operations)
  for (const { operation, method, route } of operations) {
    const slashed = createHandler(api, operation, 'wire.strictness')
    const isSame = (c: RequestContext) =>
      parseReadingsAhead(api.sandbox, c).peek('wire.strictness') === 'lenient'
    app.on(
      method,
      `${route}/`,
      toFetchHandler((c) => (isSame(c) ? slashed(c) : missing(c))),
    )
  }
}

/** What answers everything else: the door first, then 405 on a known path, 404 on an unknown one. */
export const notFoundHandler = (api: Api, operations: readonly Route[]): RequestHandler => {
  const methodsOf = (path: string): string[] =>
    operations.filter(({ pattern }) => pattern.test(path)).map((it) => it.method)
  /** The methods of the path, which may be the same with a slash at its end. */
  const methodsAt = (path: string, readings: Readings | undefined): string[] => {
    const methods = methodsOf(path)
    if (methods.length > 0 || !readings || !path.endsWith('/')) return methods
    const unslashed = methodsOf(path.slice(0, -1))
    if (unslashed.length === 0) return methods
    return readings.use('wire.strictness') === 'lenient' ? unslashed : methods
  }
  const refuse = (c: RequestContext, readings: Readings | undefined): never => {
    const methods = methodsAt(c.req.path, readings)
    if (methods.length === 0) throw unknownPath(c, readings)
    throw wrongMethod(c, methods, readings)
  }
  return (c) => {
    const isService = api.kind === 'request'
    return handleRequest(
      api,
      c,
      undefined,
      ({ entered, logRecord, readings, requestId }) => {
        const admitted = prepareRequest(api, c, undefined, requestId, entered, logRecord, readings)
        const asked = isService ? readings : undefined
        return withFaults(api, c, admitted, NO_BODY, () => refuse(c, asked))
      },
      isService && c.req.header('x-api-key') !== undefined
        ? (readings) => checkPathBeforeAuth(c.req.path, methodsAt(c.req.path, readings), readings)
        : undefined,
    )
  }
}

/** An API gateway knows its paths, and asks for no key where there is none. Without a key the door says the same. */
const checkPathBeforeAuth = (
  path: string,
  methods: readonly string[],
  readings: Readings,
): void => {
  if (methods.length === 0 && isAtGateway(path, readings)) throw contractError('4030')
}

/** Readings are the service's alone. */
const CONTROL_HINT = '. GET /_sandbox lists the calls'

const unknownPath = ({ req }: RequestContext, readings: Readings | undefined): ApiError =>
  isAtGateway(req.path, readings)
    ? contractError('4030')
    : new ApiError('4040', `${req.path} is no path of this service${readings ? '' : CONTROL_HINT}`)

/** The paths that the gateway of the service routes. Other paths are not the service's. */
const SERVICE_PATH = /^\/(?:payment|onboarding)\/api\/v1(?=\/|$)/

/** Whether the gateway answers an unknown path itself (path.unknown). */
const isAtGateway = (path: string, readings: Readings | undefined): boolean =>
  SERVICE_PATH.test(path) && readings?.use('path.unknown') === 'gateway'

/** HEAD is answered like GET, without a body. */
const addHeadHandler = (methods: readonly string[]): readonly string[] =>
  methods.includes('GET') ? [...methods, 'HEAD'] : methods

const wrongMethod = (
  { req }: RequestContext,
  methods: readonly string[],
  readings: Readings | undefined,
): ApiError => {
  const reading = readings?.use('path.method') ?? 'not_allowed'
  if (reading === 'forbidden') return contractError('4030')
  const allow = addHeadHandler(methods).join(', ')
  const message = `${req.method} came; ${req.path} accepts ${allow}`
  return reading === 'not_found'
    ? new ApiError('4040', message)
    : new ApiError('4050', message, { allow })
}
