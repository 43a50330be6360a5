import type { Hono } from 'hono'
import type { Readings } from '../world/readings.js'
import { admit, NO_BODY, underRules } from './admit.js'
import { bind } from './bind.js'
import type { Answering, Face } from './face.js'
import { guarded } from './guarded.js'
import type { Inbound } from './inbound.js'
import type { Operation } from './operation.js'
import { readingsAhead } from './request-readings.js'
import { byWeb } from './web.js'
import { documentedError, WireError } from './wire-error.js'

/** An operation with what answers it, as routers take it. */
export interface Bound {
  readonly operation: Operation
  /** In upper case, as requests have it. */
  readonly method: string
  /** The path with its parameters behind colons, as Hono has it. */
  readonly route: string
  /** Finds the parameters in a path. */
  readonly pattern: RegExp
  readonly answer: Answering
}

export const bound = (face: Face, operations: readonly Operation[]): Bound[] =>
  operations.map((operation) => ({
    operation,
    method: operation.method.toUpperCase(),
    route: operation.path.replace(/\{(\w+)\}/g, ':$1'),
    pattern: new RegExp(`^${operation.path.replace(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`),
    answer: bind(face, operation),
  }))

/** Mounts operations, each under its method and path. */
export const mount = (app: Hono, face: Face, operations: readonly Bound[]): void => {
  for (const { method, route, answer } of operations) app.on(method, route, byWeb(answer))
  if (face.kind === 'request') mountSlashed(app, face, operations)
}

/** Mounts them once more with a slash at the end of their paths, which may be the same (wire.strictness). */
const mountSlashed = (app: Hono, face: Face, operations: readonly Bound[]): void => {
  const missing = nothingHere(face, operations)
  for (const { operation, method, route } of operations) {
    const slashed = bind(face, operation, 'wire.strictness')
    const isSame = (c: Inbound) =>
      readingsAhead(face.sandbox, c).peek('wire.strictness') === 'lenient'
    app.on(
      method,
      `${route}/`,
      byWeb((c) => (isSame(c) ? slashed(c) : missing(c))),
    )
  }
}

/** What answers everything else: the door first, then 405 on a known path, 404 on an unknown one. */
export const nothingHere = (face: Face, operations: readonly Bound[]): Answering => {
  const methodsOf = (path: string): string[] =>
    operations.filter(({ pattern }) => pattern.test(path)).map((it) => it.method)
  /** The methods of the path, which may be the same with a slash at its end. */
  const methodsAt = (path: string, readings: Readings | undefined): string[] => {
    const methods = methodsOf(path)
    if (methods.length > 0 || !readings || !path.endsWith('/')) return methods
    const unslashed = methodsOf(path.slice(0, -1))
    if (unslashed.length === 0) return methods
    return readings.of('wire.strictness') === 'lenient' ? unslashed : methods
  }
  const refuse = (c: Inbound, readings: Readings | undefined): never => {
    const methods = methodsAt(c.req.path, readings)
    if (methods.length === 0) throw unknownPath(c, readings)
    throw wrongMethod(c, methods, readings)
  }
  return (c) => {
    const isService = face.kind === 'request'
    return guarded(
      face,
      c,
      undefined,
      ({ entered, recording, readings, requestId }) => {
        const admitted = admit(face, c, undefined, requestId, entered, recording, readings)
        const asked = isService ? readings : undefined
        return underRules(face, c, admitted, NO_BODY, () => refuse(c, asked))
      },
      isService && c.req.header('x-api-key') !== undefined
        ? (readings) => beforeDoor(c.req.path, methodsAt(c.req.path, readings), readings)
        : undefined,
    )
  }
}

/** An API gateway knows its paths, and asks for no key where there is none. Without a key the door says the same. */
const beforeDoor = (path: string, methods: readonly string[], readings: Readings): void => {
  if (methods.length === 0 && isAtGateway(path, readings)) throw documentedError('4030')
}

/** Readings are the service's alone. */
const CONTROL_HINT = '. GET /_sandbox lists the calls'

const unknownPath = ({ req }: Inbound, readings: Readings | undefined): WireError =>
  isAtGateway(req.path, readings)
    ? documentedError('4030')
    : new WireError('4040', `${req.path} is no path of this service${readings ? '' : CONTROL_HINT}`)

/** The paths that the gateway of the service routes. Other paths are not the service's. */
const SERVICE_PATH = /^\/(?:payment|onboarding)\/api\/v1(?=\/|$)/

/** Whether the gateway answers an unknown path itself (path.unknown). */
const isAtGateway = (path: string, readings: Readings | undefined): boolean =>
  SERVICE_PATH.test(path) && readings?.of('path.unknown') === 'gateway'

/** HEAD is answered like GET, without a body. */
const withHead = (methods: readonly string[]): readonly string[] =>
  methods.includes('GET') ? [...methods, 'HEAD'] : methods

const wrongMethod = (
  { req }: Inbound,
  methods: readonly string[],
  readings: Readings | undefined,
): WireError => {
  const reading = readings?.of('path.method') ?? 'not_allowed'
  if (reading === 'forbidden') return documentedError('4030')
  const allow = withHead(methods).join(', ')
  const message = `${req.method} came; ${req.path} accepts ${allow}`
  return reading === 'not_found'
    ? new WireError('4040', message)
    : new WireError('4050', message, { allow })
}
