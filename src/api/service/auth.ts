import type { Readings } from '../../assumptions/use.js'
import { findKeyProblem } from '../../domain/api-keys.js'
import type { ApiKey } from '../../domain/schema.js'
import type { AuthenticatedRequest } from '../../http/api.js'
import { ApiError, contractError } from '../../http/api-error.js'
import type { RequestContext } from '../../http/context.js'
import type { Operation } from '../../http/operation.js'
import type { Sandbox } from '../../runtime/sandbox.js'
import type { CountRequest } from './rate-limit.js'

const KEY = /^[A-Za-z0-9]{32}$/
/** The methods that the contract gives as examples of what a read-only key may not do. */
const CHANGING = new Set(['POST', 'PATCH', 'DELETE'])

/**
 * Lets a request in by its API key, in the order of the contract's table: missing 4030, malformed
 * 4100, unknown 4101, expired 4102, inactive 4103, without permission 4300. What has passed all these is
 * counted, where there is a limit: 4290.
 */
export const authenticateService = (
  sandbox: Sandbox,
  c: RequestContext,
  count: CountRequest | undefined,
  operation: Operation | undefined,
  readings: Readings,
): AuthenticatedRequest => {
  const secret = c.req.header('x-api-key')
  if (secret === undefined) throw keyError('4030', operation, readings)
  if (!KEY.test(secret)) throw keyError('4100', operation, readings)
  const found = sandbox.findKey(secret)
  if (!found) throw contractError('4101')
  const { world, key, handle } = found
  assertOpen(key, world.now)
  if (key.permissions === 'read_only' && CHANGING.has(c.req.method)) throw contractError('4300')
  // From here on it is known which world says how things are read.
  readings.setWorld(world.tables.readings)
  if (key.permissions === 'read_only' && lacksPermission(operation, readings)) {
    throw contractError('4300')
  }
  // A key's hash outlives a reset, which may give its record another id.
  const headers = count?.(key.hash)
  return { world, key: key.id, headers, release: sandbox.worlds.hold(handle) }
}

/** Only the payout page says another status than the error reference (payout.key). */
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

/** Of what is read with GET, the list of users alone may ask for more than a read-only key (key.permissions). */
const lacksPermission = (operation: Operation | undefined, readings: Readings): boolean =>
  operation?.id === 'listUsers' && readings.use('key.permissions') === 'no_users'

const assertOpen = (key: ApiKey, now: number): void => {
  const closed = findKeyProblem(key, now)
  if (closed === 'expired') throw contractError('4102')
  if (closed === 'inactive') throw contractError('4103')
}
