import type { Hono } from 'hono'
import { ALLOW_HEADER } from '../../contract/header-names.js'
import { formatInvalid, formatUnknown, inWords } from '../../lib/app-error.js'
import { DOCS } from '../../lib/paths.js'
import type { Api, RequestHandler } from '../operation/api.js'
import { ApiError } from '../operation/api-error.js'
import type { RequestContext } from '../operation/context.js'
import type { Operation } from '../operation/operation.js'
import { handleRequest } from '../pipeline/pipeline.js'
import type { Route } from '../pipeline/pipeline-context.js'
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

export const mount = (app: Hono, endpoints: readonly Endpoint[]): void => {
  for (const { method, path, handle } of endpoints) app.on(method, path, toFetchHandler(handle))
}

/** Handles all other requests: 405 on a known path, 404 on an unknown one. The key is checked first. */
export const notFoundHandler = (api: Api, endpoints: readonly Endpoint[]): RequestHandler => {
  const route = createNotFoundRoute(endpoints)
  return (c) => handleRequest(api, route, c)
}

const createNotFoundRoute = (endpoints: readonly Endpoint[]): Route => ({
  operation: undefined,
  run: ({ req, use }) => {
    const methods = endpoints.filter(({ match }) => match(req.path)).map((it) => it.method)
    const isService = use !== undefined
    throw methods.length === 0
      ? unknownPath(req.path, isService)
      : wrongMethod(req, methods, isService)
  },
})

const CONTROL_HINT = `GET /_sandbox/openapi.json lists the calls, GET ${DOCS} the docs`

const unknownPath = (path: string, isService: boolean): ApiError =>
  new ApiError('4040', formatUnknown('path', path, undefined, isService ? undefined : CONTROL_HINT))

/** HEAD is answered like GET, without a body. */
const withHead = (methods: readonly string[]): readonly string[] =>
  methods.includes('GET') ? [...methods, 'HEAD'] : methods

/** The contract has no 405. */
const wrongMethod = (
  req: RequestContext['req'],
  methods: readonly string[],
  isService: boolean,
): ApiError => {
  const allow = withHead(methods).join(', ')
  const message = formatInvalid('method', inWords(req.method), `${allow} for ${req.path}`)
  return isService
    ? new ApiError('4040', message)
    : new ApiError('4050', message, { [ALLOW_HEADER]: allow })
}
