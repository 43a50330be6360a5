import type { Context, Hono } from 'hono'
import type { Readings } from '../world/readings.js'
import { admit, NO_BODY, underRules } from './admit.js'
import { askedAhead } from './asked.js'
import { bind } from './bind.js'
import type { Face } from './face.js'
import { guarded } from './guarded.js'
import type { Operation } from './operation.js'
import { documentedError, WireError } from './wire-error.js'

/** Mounts operations, each under its method and path. */
export const mount = (app: Hono, face: Face, operations: readonly Operation[]): void => {
  const missing = nothingHere(face, operations)
  for (const operation of operations) {
    const path = operation.path.replace(/\{(\w+)\}/g, ':$1')
    const method = operation.method.toUpperCase()
    app.on(method, path, bind(face, operation))
    if (face.kind !== 'request') continue
    const slashed = bind(face, operation, 'path.trailing_slash')
    app.on(method, `${path}/`, (c, next) =>
      askedAhead(face.sandbox, c).peek('path.trailing_slash') === 'same'
        ? slashed(c, next)
        : missing(c),
    )
  }
}

/** What answers everything else: the door first, then 405 on a known path, 404 on an unknown one. */
export const nothingHere = (face: Face, operations: readonly Operation[]) => {
  const known = operations.map(({ method, path }) => ({
    method: method.toUpperCase(),
    pattern: new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}$`),
  }))
  const methodsOf = (path: string): string[] =>
    known.filter(({ pattern }) => pattern.test(path)).map((it) => it.method)
  /** The methods of the path, which may be the same with a slash at its end. */
  const methodsAt = (path: string, readings: Readings | undefined): string[] => {
    const methods = methodsOf(path)
    if (methods.length > 0 || !readings || !path.endsWith('/')) return methods
    const unslashed = methodsOf(path.slice(0, -1))
    if (unslashed.length === 0) return methods
    return readings.of('path.trailing_slash') === 'same' ? unslashed : methods
  }
  const refuse = (c: Context, readings: Readings | undefined): never => {
    const methods = methodsAt(c.req.path, readings)
    if (methods.length === 0) throw unknownPath(c, readings)
    throw wrongMethod(c, methods, readings)
  }
  return (c: Context): Response | Promise<Response> => {
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
        ? (readings) => beforeDoor(methodsAt(c.req.path, readings), readings)
        : undefined,
    )
  }
}

/** An API gateway knows its paths, and asks for no key where there is none. Without a key the door says the same. */
const beforeDoor = (methods: readonly string[], readings: Readings): void => {
  if (methods.length > 0 || readings.of('path.unknown') === 'gate_first') return
  throw documentedError('4030')
}

const unknownPath = ({ req }: Context, readings: Readings | undefined): WireError =>
  readings?.of('path.unknown') === 'gateway'
    ? documentedError('4030')
    : new WireError('4040', `${req.path} is no path of this service`)

const wrongMethod = (
  { req }: Context,
  methods: readonly string[],
  readings: Readings | undefined,
): WireError => {
  const reading = readings?.of('path.method') ?? 'not_allowed'
  if (reading === 'forbidden') return documentedError('4030')
  const allow = [...methods, ...(methods.includes('GET') ? ['HEAD'] : [])].join(', ')
  const message = `${req.method} came; ${req.path} accepts ${allow}`
  return reading === 'not_found'
    ? new WireError('4040', message)
    : new WireError('4050', message, { allow })
}
