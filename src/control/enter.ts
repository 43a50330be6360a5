import type { Access } from '../http/access.js'
import type { Entered } from '../http/face.js'
import type { Inbound } from '../http/inbound.js'
import type { Operation } from '../http/operation.js'
import { documentedError, invalid } from '../http/wire-error.js'
import type { Sandbox } from '../sandbox.js'
import type { OpenWorld } from '../worlds.js'
import { assertAllowed } from './guard.js'
import { assertKnownQuery } from './known-query.js'
import { namedWorld } from './named-world.js'

/**
 * Lets a request in to the world of its API key, whatever state the key is in, or to the one that
 * `?world=` names; without either to the default world.
 */
export const enterControl = (
  sandbox: Sandbox,
  access: Access,
  c: Inbound,
  operation: Operation | undefined,
): Entered => {
  const { worlds } = sandbox
  if (operation?.isOpen) return { world: sandbox.main.world, key: undefined }
  assertAllowed(c, access)
  const named = namedWorld(sandbox, c)
  if (operation) assertKnownQuery(c, operation)
  const secret = c.req.header('x-api-key')
  if (secret === undefined) {
    const opened = named ?? worlds.main
    const world = worlds.use(opened).current()
    return { world, key: undefined, release: worlds.hold(opened) }
  }
  const found = sandbox.findKey(secret)
  if (!found) throw documentedError('4101')
  const { opened, world, key } = found
  if (named && named !== opened) throw notTheSame(named, opened)
  return { world, key: key.id, release: worlds.hold(opened) }
}

const notTheSame = (named: OpenWorld, opened: OpenWorld) =>
  invalid(
    `world: ${named.line.id} came with an x-api-key of world ${opened.line.id}; accepted: one of them, or ` +
      'both of the same world',
  )
