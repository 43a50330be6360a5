import type { Context } from 'hono'
import { judge } from '../scenarios/faults.js'
import { type Incoming, requestView } from '../scenarios/views.js'
import type { Cause } from '../world/kernel/journal.js'
import type { World } from '../world/world.js'
import type { Face } from './bind.js'
import { playFault } from './faults.js'
import type { Operation } from './operation.js'
import { errorResponse } from './respond.js'
import { namedScenarios } from './steer.js'

/** A request that has passed the door: its world, and itself as the cause of commands. */
export interface Admitted {
  readonly world: World
  readonly cause: Cause
  readonly requestId: string
  readonly operation: Operation | undefined
  readonly scenarios: readonly string[] | undefined
}

/** Lets a request in, and reads which scenarios it names. */
export const admit = (
  face: Face,
  c: Context,
  operation: Operation | undefined,
  requestId: string,
): Admitted => {
  const { world, key } = face.enter(c, operation)
  const scenarios = namedScenarios(c, face.sandbox, world)
  const cause: Cause = {
    kind: face.kind,
    request: requestId,
    operation: operation?.id ?? 'unknown',
    ...(key !== undefined && { key }),
    ...(scenarios && { scenarios }),
  }
  return { world, cause, requestId, operation, scenarios }
}

/** The body that came, or why it could not be read: rules go first. */
export interface CameBody {
  readonly body: unknown
  readonly error?: unknown
}
export const NO_BODY: CameBody = { body: undefined }

/** Answers a request of the service, unless a rule of some scenario steps in. */
export const underRules = (
  face: Face,
  c: Context,
  { world, cause, requestId, operation, scenarios }: Admitted,
  { body }: CameBody,
  go: () => Response | Promise<Response>,
): Response | Promise<Response> => {
  if (face.kind !== 'request') return go()
  const rules = face.sandbox.requestRules(world, scenarios, operation?.id)
  if (rules.length === 0) return go()
  const view = requestView(world.tables, incomingOf(c, operation, body))
  const { fault, counts } = judge(rules, view, world.tables, world.now, world.seed)
  if (!fault && counts.length === 0) return go()
  const { rule = null, source = null } = fault ?? {}
  world.run('rule.fire', { rule, source, counts }, cause)
  if (!fault) return go()
  const guardedGo = async () => {
    try {
      // A delay takes time: what has become due meanwhile comes first.
      face.sandbox.tick(world)
      return await go()
    } catch (error) {
      return errorResponse(c, error, requestId, face.report)
    }
  }
  return playFault(c, fault, requestId, guardedGo)
}

const incomingOf = (c: Context, operation: Operation | undefined, body: unknown): Incoming => ({
  operation: operation?.id,
  method: c.req.method,
  path: c.req.path,
  body,
  get params() {
    return c.req.param()
  },
  get query() {
    return c.req.query()
  },
  get headers() {
    return c.req.header()
  },
})
