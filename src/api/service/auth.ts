import type { Readings } from '../../assumptions/use.js'
import { findKeyProblem } from '../../domain/api-keys.js'
import type { ApiKey } from '../../domain/schema.js'
import type { World } from '../../domain/world.js'
import type { Authenticated } from '../../http/operation/api.js'
import { ApiError, contractError } from '../../http/operation/api-error.js'
import type { RequestContext } from '../../http/operation/context.js'
import type { Operation } from '../../http/operation/operation.js'
import type { Sandbox } from '../../runtime/sandbox.js'
import type { WorldName } from '../../runtime/world-registry.js'
import type { CountRequest } from './rate-limit.js'

const KEY = /^[A-Za-z0-9]{32}$/
/** The methods that the contract gives as examples of what a read-only key may not do. */
const CHANGING = new Set(['POST', 'PATCH', 'DELETE'])

/** Names the world of an API key, in the order of the contract's table: missing 4030, malformed 4100, unknown 4101. */
export const nameServiceWorld = (
  sandbox: Sandbox,
  c: RequestContext,
  operation: Operation | undefined,
  readings: Readings,
): WorldName => {
  const secret = c.req.header('x-api-key')
  if (secret === undefined) throw keyError('4030', operation, readings)
  if (!KEY.test(secret)) throw keyError('4100', operation, readings)
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
  operation: Operation | undefined,
  readings: Readings,
  { tables, now }: World,
  { hash = '', tenant }: WorldName,
  count: CountRequest | undefined,
): Authenticated => {
  const key = tables.api_keys.first('hash', hash)
  if (!key) throw contractError('4101')
  assertOpen(key, now)
  if (key.permissions === 'read_only') {
    const isChange = CHANGING.has(c.req.method)
    if (isChange || lacksPermission(operation, readings)) throw contractError('4300')
  }
  // A key's hash outlives a reset, which may give its record another id.
  return { key: key.id, headers: count?.(key.hash, c, tenant) }
}

/** Only the payout page has a status that differs from the error reference (payout.key). */
const keyError = (
  code: '4030' | '4100',
  operation: Operation | undefined,
  readings: Readings,
): ApiError => {
  const error = contractError(code)
  if (operation?.id !== 'createPayout') return error
  const isStated = readings.use('payout.key') === 'forbidden'
  return isStated ? error : new ApiError(error.code, error.message, {}, 401)
}

/**
 * A read-only key may call every GET operation except, by one reading, the list of users (key.permissions).
 */
const lacksPermission = (operation: Operation | undefined, readings: Readings): boolean =>
  operation?.id === 'listUsers' && readings.use('key.permissions') === 'no_users'

const assertOpen = (key: ApiKey, now: number): void => {
  const closed = findKeyProblem(key, now)
  if (closed === 'expired') throw contractError('4102')
  if (closed === 'inactive') throw contractError('4103')
}
