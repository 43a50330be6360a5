import type { Context } from 'hono'
import type { Entered } from '../http/face.js'
import { documentedError } from '../http/wire-error.js'
import type { Sandbox } from '../sandbox.js'
import { type ApiKey, whyClosed } from '../world/api-keys.js'
import type { CountRequest } from './rate-limit.js'

const KEY = /^[A-Za-z0-9]{32}$/
/** The methods that the contract gives as examples of what a read-only key may not do. */
const CHANGING = new Set(['POST', 'PATCH', 'DELETE'])

/**
 * Lets a request in by its API key, in the order of the contract's table: missing 4030, malformed
 * 4100, unknown 4101, expired 4102, inactive 4103, without permission 4300. What has passed all these is
 * counted, where there is a limit: 4290.
 */
export const enterByKey = (
  sandbox: Sandbox,
  c: Context,
  count: CountRequest | undefined,
): Entered => {
  const secret = c.req.header('x-api-key')
  if (secret === undefined) throw documentedError('4030')
  if (!KEY.test(secret)) throw documentedError('4100')
  const found = sandbox.findKey(secret)
  if (!found) throw documentedError('4101')
  const { world, key, opened } = found
  assertOpen(key, world.now)
  if (key.permissions === 'read_only' && CHANGING.has(c.req.method)) throw documentedError('4300')
  // A key's hash outlives a reset, which may give its record another id.
  const headers = count?.(key.hash)
  return { world, key: key.id, headers, release: sandbox.worlds.hold(opened) }
}

const assertOpen = (key: ApiKey, now: number): void => {
  const closed = whyClosed(key, now)
  if (closed === 'expired') throw documentedError('4102')
  if (closed === 'inactive') throw documentedError('4103')
}
