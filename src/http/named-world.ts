import type { Sandbox } from '../runtime/sandbox.js'
import type { WorldHandle } from '../runtime/world-registry.js'
import { worldNotFound } from '../usecases/world-not-found.js'
import { badRequest } from './api-error.js'
import type { RequestContext } from './context.js'

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
