import { badRequest } from '../http/api-error.js'
import type { RequestContext } from '../http/context.js'
import { worldNotFound } from '../http/world-not-found.js'
import type { Sandbox } from '../sandbox.js'
import type { WorldHandle } from '../world-registry.js'

const READS = ['GET', 'HEAD']

/** The world that a query names. Only reads may: streams and downloads in a page cannot send headers. */
export const namedWorld = (sandbox: Sandbox, c: RequestContext): WorldHandle | undefined => {
  if (!c.req.url.includes('?')) return undefined
  const [id, ...more] = c.req.queries().world ?? []
  if (id === undefined) return undefined
  if (!READS.includes(c.req.method)) {
    throw badRequest(
      `world: it came with ${c.req.method}; accepted: with GET. To change a world, send its key as x-api-key`,
    )
  }
  if (more.length > 0) throw badRequest(`world: it came ${more.length + 1} times; accepted: once`)
  const world = sandbox.worlds.find(id)
  if (!world) throw worldNotFound('world', id)
  return world
}
