import type { Context } from 'hono'
import type { Operation } from '../http/operation.js'
import { documentedError } from '../http/wire-error.js'
import type { Sandbox } from '../sandbox.js'
import type { World } from '../world/world.js'
import { assertAllowed } from './guard.js'

/** Lets a request in to the world of its API key, whatever state the key is in. */
export const enterControl = (
  sandbox: Sandbox,
  token: string | undefined,
  c: Context,
  operation: Operation | undefined,
): World => {
  if (operation?.id === 'getHealth') return sandbox.world
  assertAllowed(c, token)
  const secret = c.req.header('x-api-key')
  if (secret === undefined) return sandbox.current()
  const found = sandbox.findKey(secret)
  if (!found) throw documentedError('4101')
  return found.world
}
