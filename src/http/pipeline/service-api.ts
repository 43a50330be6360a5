import { LOG_HEADER } from '../../contract/header-names.js'
import { findKeyProblem } from '../../domain/api-keys.js'
import type { ApiKey } from '../../domain/schema.js'
import type { World } from '../../domain/world.js'
import type { Sandbox } from '../../runtime/sandbox.js'
import { EVERYTHING } from '../../worlds/tenants.js'
import type { WorldName } from '../../worlds/world-keys.js'
import type { Api, ApiParts, Authenticated } from '../operation/api.js'
import { contractError } from '../operation/api-error.js'
import { nodeStreams, type RequestContext } from '../operation/context.js'
import { answerPreflight, corsHeaders } from './cors.js'
import { hintFor } from './hint.js'
import { type Access, assertSameOrigin, bearerToken, isFromBrowser } from './host-origin-guards.js'
import type { CountRequest } from './rate-limit.js'

const KEY = /^[A-Za-z0-9]{32}$/
/** The methods that the contract gives as examples of what a read-only key may not do. */
const CHANGING = new Set(['POST', 'PATCH', 'DELETE'])

/** Names the world of an API key, in the order of the contract's table: missing 4030, malformed 4100, unknown 4101. */
const nameServiceWorld = (sandbox: Sandbox, c: RequestContext): WorldName => {
  const secret = c.req.header('x-api-key')
  if (secret === undefined) throw contractError('4030')
  if (!KEY.test(secret)) throw contractError('4100')
  const name = sandbox.worlds.keys.nameWorld(secret)
  if (!name) throw contractError('4101')
  return name
}

/**
 * Checks an API key in its world: unknown 4101, expired 4102, inactive 4103, without permission 4300. Requests
 * that pass count towards the rate limit, if there is one: 4290.
 */
const authenticateService = (
  c: RequestContext,
  { tables, now }: World,
  { hash = '', tenant }: WorldName,
  count: CountRequest | undefined,
): Authenticated => {
  const key = tables.api_keys.first('hash', hash)
  if (!key) throw contractError('4101')
  assertOpen(key, now)
  if (key.permissions === 'read_only' && CHANGING.has(c.req.method)) throw contractError('4300')
  // A key's hash outlives a reset, which may give its record another id.
  return { key: key.id, headers: count?.(key.hash, c, tenant) }
}

const assertOpen = (key: ApiKey, now: number): void => {
  const closed = findKeyProblem(key, now)
  if (closed === 'expired') throw contractError('4102')
  if (closed === 'inactive') throw contractError('4103')
}

const CORS_HINT = '. To call it from a page of your own, start with --cors <origin>'

interface ServiceParts {
  readonly access: Access
  /** Of its operations. */
  readonly paths: readonly string[]
  readonly count: CountRequest | undefined
}

/** The API of the contract: its key names a world, and is checked there. */
export const createServiceApi = (parts: ApiParts, { access, paths, count }: ServiceParts): Api => {
  const { sandbox } = parts
  const { tenants, worlds } = sandbox
  const { corsOrigins } = access
  return {
    ...parts,
    kind: 'request',
    inTurn: tenants && ((c, _, answer) => access.refuseLate(c, answer)),
    guard: (c) => {
      assertSameOrigin(c, 'service', corsOrigins, CORS_HINT)
      // The keys of the fixtures are public, so a page could use them under a name of its own. In process
      // a URL may have any host.
      if (nodeStreams(c).incoming || isFromBrowser(c)) access.assertHost(c)
      return answerPreflight(c, corsOrigins)
    },
    hintFor: (c) => hintFor(c, paths),
    headersFor: (c) => corsHeaders(c.req.header('origin'), corsOrigins),
    nameWorld: (c) => nameServiceWorld(sandbox, c),
    findLog: async (c) => {
      const id = c.req.header(LOG_HEADER)
      const scope = tenants ? tenants.findScope(bearerToken(c) ?? '') : EVERYTHING
      if (id === undefined || !scope) return undefined
      return worlds.findStored(scope, id)
    },
    authenticate: (c, _, world, name) => authenticateService(c, world, name, count),
  }
}
