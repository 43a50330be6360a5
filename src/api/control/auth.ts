import { assertAllowed } from '../../http/allowed-origins.js'
import type { AuthenticatedRequest } from '../../http/api.js'
import { badRequest, contractError } from '../../http/api-error.js'
import type { RequestContext } from '../../http/context.js'
import type { Access } from '../../http/host-guard.js'
import { namedWorld } from '../../http/named-world.js'
import type { Operation } from '../../http/operation.js'
import type { Sandbox } from '../../runtime/sandbox.js'
import type { WorldHandle } from '../../runtime/world-registry.js'
import { assertKnownQuery } from './unknown-query.js'

/**
 * Lets a request in to the world of its API key, whatever state the key is in, or to the one that
 * `?world=` names; without either to the default world.
 */
export const authenticateControl = (
  sandbox: Sandbox,
  access: Access,
  c: RequestContext,
  operation: Operation | undefined,
): AuthenticatedRequest => {
  const { worlds } = sandbox
  if (operation?.isOpen) return { world: sandbox.main.world, key: undefined }
  assertAllowed(c, access)
  const named = namedWorld(sandbox, c)
  if (operation) assertKnownQuery(c, operation)
  const secret = c.req.header('x-api-key')
  if (secret === undefined) {
    const handle = named ?? worlds.main
    const world = worlds.use(handle).current()
    return { world, key: undefined, release: worlds.hold(handle) }
  }
  const found = sandbox.findKey(secret)
  if (!found) throw contractError('4101')
  const { handle, world, key } = found
  if (named && named !== handle) throw notTheSame(named, handle)
  return { world, key: key.id, release: worlds.hold(handle) }
}

const notTheSame = (named: WorldHandle, handle: WorldHandle) =>
  badRequest(
    `world: ${named.live.id} came with an x-api-key of world ${handle.live.id}; accepted: one of them, or ` +
      'both of the same world',
  )
