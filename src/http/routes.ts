import type { Context, Hono } from 'hono'
import { admit, NO_BODY, underRules } from './admit.js'
import { bind, guarded } from './bind.js'
import type { Face } from './face.js'
import type { Operation } from './operation.js'
import { newRequestId } from './request-id.js'
import { WireError } from './wire-error.js'

/** Mounts operations, each under its method and path. */
export const mount = (app: Hono, face: Face, operations: readonly Operation[]): void => {
  for (const operation of operations) {
    const path = operation.path.replace(/\{(\w+)\}/g, ':$1')
    app.on(operation.method.toUpperCase(), path, bind(face, operation))
  }
}

/** What answers everything else: the door first, then 405 on a known path, 404 on an unknown one. */
export const nothingHere = (face: Face, operations: readonly Operation[]) => {
  const known = operations.map(({ method, path }) => ({
    method: method.toUpperCase(),
    pattern: new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}$`),
  }))
  const refuse = (c: Context): never => {
    const methods = known.filter(({ pattern }) => pattern.test(c.req.path)).map((it) => it.method)
    if (methods.length === 0)
      throw new WireError('4040', `${c.req.path} is no path of this service`)
    const allow = [...methods, ...(methods.includes('GET') ? ['HEAD'] : [])].join(', ')
    throw new WireError('4050', `${c.req.method} came; ${c.req.path} accepts ${allow}`, { allow })
  }
  return (c: Context): Response | Promise<Response> => {
    const requestId = newRequestId()
    return guarded(face, c, undefined, requestId, (entered, recording) => {
      const admitted = admit(face, c, undefined, requestId, entered, recording)
      return underRules(face, c, admitted, NO_BODY, () => refuse(c))
    })
  }
}
