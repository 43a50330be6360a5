import type { Hono } from 'hono'
import type { Readings } from '../../assumptions/use.js'
import { ALLOW_HEADER } from '../../contract/header-names.js'
import { formatInvalid, formatUnknown, inWords } from '../../lib/app-error.js'
import type { Api, RequestHandler } from '../operation/api.js'
import { ApiError, contractError } from '../operation/api-error.js'
import type { RequestContext } from '../operation/context.js'
import type { Operation } from '../operation/operation.js'
import { handleRequest } from '../pipeline/pipeline.js'
import type { Route } from '../pipeline/pipeline-context.js'
import { peekReadings } from '../pipeline/request-choices.js'
import { createRoute } from '../pipeline/run-operation.js'
import { toFetchHandler } from './fetch-response.js'

export interface Endpoint {
  readonly operation: Operation
  readonly method: string
  /** The path with its parameters in Hono's form, behind colons. */
  readonly path: string
  /** The parameters in a path of this endpoint; undefined for another path. */
  readonly match: (path: string) => Record<string, string> | undefined
  readonly handle: RequestHandler
}

export const createEndpoints = (api: Api, operations: readonly Operation[]): Endpoint[] =>
  operations.map((operation) => {
    const route = createRoute(operation)
    return {
      operation,
      method: operation.method.toUpperCase(),
      path: operation.path.replace(/\{(\w+)\}/g, ':$1'),
      match: createMatcher(operation.path),
      handle: (c) => handleRequest(api, route, c),
    }
  })

const NO_PARAMS = {}

/** Most paths have no parameters, and comparing texts costs less than a pattern that is seldom used. */
const createMatcher = (template: string): Endpoint['match'] => {
  const start = template.indexOf('{')
  if (start < 0) return (path) => (path === template ? NO_PARAMS : undefined)
  const fixed = template.slice(0, start)
  const pattern = new RegExp(`^${template.replace(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`)
  return (path) => (path.startsWith(fixed) ? pattern.exec(path)?.groups : undefined)
}

export const mount = (app: Hono, api: Api, endpoints: readonly Endpoint[]): void => {
  for (const { method, path, handle } of endpoints) app.on(method, path, toFetchHandler(handle))
  if (api.kind === 'request') mountTrailingSlash(app, api, endpoints)
}

/** Mounts the paths again with a slash at the end, which may be the same path (wire.strictness). */
const mountTrailingSlash = (app: Hono, api: Api, endpoints: readonly Endpoint[]): void => {
  const notFound = notFoundHandler(api, endpoints)
  for (const { operation, method, path } of endpoints) {
    const route = createRoute(operation, 'wire.strictness')
    const isSamePath = (c: RequestContext) =>
      peekReadings(api.sandbox, c).peek('wire.strictness') === 'lenient'
    app.on(
      method,
      `${path}/`,
      toFetchHandler((c) => (isSamePath(c) ? handleRequest(api, route, c) : notFound(c))),
    )
  }
}

/** Handles all other requests: 405 on a known path, 404 on an unknown one. The key is checked first. */
export const notFoundHandler = (api: Api, endpoints: readonly Endpoint[]): RequestHandler => {
  const route = createNotFoundRoute(endpoints)
  return (c) => handleRequest(api, route, c)
}

const createNotFoundRoute = (endpoints: readonly Endpoint[]): Route => {
  const methodsOf = (path: string): string[] =>
    endpoints.filter(({ match }) => match(path)).map((it) => it.method)
  /** The methods of a path, which may be the same with a slash at its end. */
  const methodsAt = (path: string, readings: Readings | undefined): string[] => {
    const methods = methodsOf(path)
    if (methods.length > 0 || !readings || !path.endsWith('/')) return methods
    const unslashed = methodsOf(path.slice(0, -1))
    if (unslashed.length === 0) return methods
    return readings.use('wire.strictness') === 'lenient' ? unslashed : methods
  }
  return {
    operation: undefined,
    // An API gateway knows its paths and checks no key on others. Without a key the error is the same.
    beforeKey: ({ req, use }) => {
      if (!use || req.header('x-api-key') === undefined) return
      if (methodsAt(req.path, use).length === 0 && isAtGateway(req.path, use)) {
        throw contractError('4030')
      }
    },
    run: ({ req, use }) => {
      const methods = methodsAt(req.path, use)
      throw methods.length === 0 ? unknownPath(req.path, use) : wrongMethod(req, methods, use)
    },
  }
}

const CONTROL_HINT = 'GET /_sandbox lists the calls'

/** The control API has no readings. */
const unknownPath = (path: string, readings: Readings | undefined): ApiError =>
  isAtGateway(path, readings)
    ? contractError('4030')
    : new ApiError(
        '4040',
        formatUnknown('path', path, undefined, readings ? undefined : CONTROL_HINT),
      )

/** The paths that the gateway of the service routes. Other paths are not the service's. */
const SERVICE_PATH = /^\/(?:payment|onboarding)\/api\/v1(?=\/|$)/

/** Whether the gateway answers an unknown path itself (path.unknown). */
const isAtGateway = (path: string, readings: Readings | undefined): boolean =>
  SERVICE_PATH.test(path) && readings?.use('path.unknown') === 'gateway'

/** HEAD is answered like GET, without a body. */
const withHead = (methods: readonly string[]): readonly string[] =>
  methods.includes('GET') ? [...methods, 'HEAD'] : methods

const wrongMethod = (
  req: RequestContext['req'],
  methods: readonly string[],
  readings: Readings | undefined,
): ApiError => {
  const reading = readings?.use('path.method') ?? 'not_allowed'
  if (reading === 'forbidden') return contractError('4030')
  const allow = withHead(methods).join(', ')
  const message = formatInvalid('method', inWords(req.method), `${allow} for ${req.path}`)
  return reading === 'not_found'
    ? new ApiError('4040', message)
    : new ApiError('4050', message, { [ALLOW_HEADER]: allow })
}
