import type { World } from '../../domain/world.js'
import { invalidValue, inWords } from '../../lib/app-error.js'
import type { Sandbox } from '../../runtime/sandbox.js'
import { EVERYTHING, isVisible, type Scope } from '../../worlds/tenants.js'
import type { WorldName } from '../../worlds/world-keys.js'
import type { Api, ApiParts, Authenticated } from '../operation/api.js'
import { badRequest, contractError } from '../operation/api-error.js'
import type { RequestContext } from '../operation/context.js'
import type { Operation } from '../operation/operation.js'
import { worldInQuery } from './enter-world.js'
import { type Access, authorize, bearerToken } from './host-origin-guards.js'
import type { CountTenant } from './rate-limit.js'
import { CONTROL_HEADERS } from './response-headers.js'
import { unknownParameter } from './validate.js'

export const ALL_WORLDS = 'all'

/** Names the world of `?world=` or of the API key; the default world without either. */
const nameControlWorld = (
  { worlds }: Sandbox,
  access: Access,
  c: RequestContext,
  operation: Operation | undefined,
): WorldName => {
  const main = worlds.main
  if (operation?.isOpen) return { id: main.id, isNone: true }
  const scope = authorize(c, access)
  const id = worldInQuery(c)
  const secret = c.req.header('x-api-key')
  if (secret === undefined) {
    if (id === ALL_WORLDS && operation?.acceptsAll) return { id: main.id, scope, isNone: true }
    const isNone = id === undefined && !isVisible(scope, main.tenant)
    if (isNone && operation && !operation.needsNoWorld) {
      const expected = 'the key of a world as x-api-key, or its id as ?world='
      throw badRequest({ field: 'world', expected, hint: 'GET /_sandbox/worlds lists the ids' })
    }
    return { id: id ?? main.id, scope, isNone }
  }
  const name = worlds.keys.nameWorld(secret)
  if (!name || !isVisible(scope, name.tenant)) throw contractError('4101')
  if (id !== undefined && id !== name.id) throw otherWorld(id, name)
  return { ...name, scope }
}

/** Any key of the world will do, whatever its state and permissions. */
const authenticateControl = (
  c: RequestContext,
  operation: Operation | undefined,
  { tables }: World,
  { hash, scope = EVERYTHING }: WorldName,
  count?: CountTenant,
): Authenticated => {
  if (operation) assertKnownQuery(c, operation)
  const headers = countCall(c, operation, scope, count)
  if (hash === undefined) return { key: undefined, headers }
  const key = tables.api_keys.first('hash', hash)
  if (!key) throw contractError('4101')
  return { key: key.id, headers }
}

/** Operations that read or change many records or worlds. */
const DEAR = new Set(
  `listWorlds deleteWorlds compareWorlds forkSnapshot restoreSnapshot reset advanceClock verify getAudit
  reportOpenQuestions listAssumptions exportRequests postScenario`.split(/\s+/),
)
const DEAR_WEIGHT = 10

/** Counts towards the rate of the tenant. The operator has none. */
const countCall = (
  c: RequestContext,
  operation: Operation | undefined,
  { tenants: [name] = [], prefix }: Scope,
  count: CountTenant | undefined,
) => {
  if (name === undefined || prefix === undefined) return undefined
  return count?.(name, c, isDear(c, operation) ? DEAR_WEIGHT : 1)
}

const isDear = (c: RequestContext, operation: Operation | undefined): boolean =>
  DEAR.has(operation?.id ?? '') || worldInQuery(c) === ALL_WORLDS

/** Operations of which a few run at once for each tenant. */
const isInTurn = (c: RequestContext, operation: Operation | undefined): boolean =>
  isDear(c, operation) || operation?.id === 'createWorld' || operation?.id === 'readJournal'

/** Refuses unknown parameters: a misspelt filter would select everything. */
const assertKnownQuery = (c: RequestContext, { query }: Operation): void => {
  if (!c.req.url.includes('?')) return
  const known = [...Object.keys(query?.shape ?? {}), 'world']
  const unknown = Object.keys(c.req.queries()).find((name) => !known.includes(name))
  if (unknown === undefined) return
  throw badRequest(unknownParameter(unknown, known))
}

const otherWorld = (id: string, name: WorldName) =>
  invalidValue(
    'world',
    inWords(`${id} with an x-api-key of world ${name.id}`),
    'one of them, or both of the same world',
  )

/** The API that steers the sandbox: `?world=` or any key names a world, and the token what the caller sees. */
export const createControlApi = (
  parts: ApiParts,
  access: Access,
  countTenant: CountTenant | undefined,
): Api => {
  const { sandbox } = parts
  const { tenants } = sandbox
  return {
    ...parts,
    kind: 'control',
    inTurn:
      tenants &&
      ((c, operation, answer) => {
        const scope = isInTurn(c, operation) && tenants.findScope(bearerToken(c) ?? '')
        return scope ? sandbox.inTurn(scope, answer) : access.refuseLate(c, answer)
      }),
    headersFor: () => CONTROL_HEADERS,
    nameWorld: (c, operation) => nameControlWorld(sandbox, access, c, operation),
    authenticate: (...request) => authenticateControl(...request, countTenant),
  }
}
