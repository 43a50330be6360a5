import type { Context } from 'hono'
import type { Entered } from '../http/face.js'
import type { Operation } from '../http/operation.js'
import { documentedError } from '../http/wire-error.js'
import type { Sandbox } from '../sandbox.js'
import { assertAllowed } from './guard.js'

/** Lets a request in to the world of its API key, whatever state the key is in. */
export const enterControl = (
  sandbox: Sandbox,
  token: string | undefined,
  c: Context,
  operation: Operation | undefined,
): Entered => {
  if (operation?.id === 'getHealth') return { world: sandbox.main.world, key: undefined }
  assertAllowed(c, token)
  const secret = c.req.header('x-api-key')
  if (secret === undefined) return { world: sandbox.main.current(), key: undefined }
  const found = sandbox.findKey(secret)
  if (!found) throw documentedError('4101')
  return { world: found.world, key: found.key.id }
}
