import { findKeyProblem } from '../../domain/api-keys.js'
import type { ApiKey } from '../../domain/schema.js'
import type { World } from '../../domain/world.js'
import type { Authenticated } from '../../http/operation/api.js'
import { contractError } from '../../http/operation/api-error.js'
import type { RequestContext } from '../../http/operation/context.js'
import type { CountRequest } from '../../http/pipeline/rate-limit.js'
import type { Sandbox } from '../../runtime/sandbox.js'
import type { WorldName } from '../../runtime/world-registry.js'

const KEY = /^[A-Za-z0-9]{32}$/
/** The methods that the contract gives as examples of what a read-only key may not do. */
const CHANGING = new Set(['POST', 'PATCH', 'DELETE'])

/** Names the world of an API key, in the order of the contract's table: missing 4030, malformed 4100, unknown 4101. */
export const nameServiceWorld = (sandbox: Sandbox, c: RequestContext): WorldName => {
  const secret = c.req.header('x-api-key')
  if (secret === undefined) throw contractError('4030')
  if (!KEY.test(secret)) throw contractError('4100')
  const name = sandbox.worlds.nameByKey(secret)
  if (!name) throw contractError('4101')
  return name
}

/**
 * Checks an API key in its world: unknown 4101, expired 4102, inactive 4103, without permission 4300. Requests
 * that pass count towards the rate limit, if there is one: 4290.
 */
export const authenticateService = (
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
