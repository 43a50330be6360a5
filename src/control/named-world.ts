import type { Inbound } from '../http/inbound.js'
import { noWorld } from '../http/no-world.js'
import { invalid } from '../http/wire-error.js'
import type { Sandbox } from '../sandbox.js'
import type { OpenWorld } from '../worlds.js'

const READS = ['GET', 'HEAD']

/** The world that a query names. Only reads may: streams and downloads in a page cannot send headers. */
export const namedWorld = (sandbox: Sandbox, c: Inbound): OpenWorld | undefined => {
  if (!c.req.url.includes('?')) return undefined
  const [id, ...more] = c.req.queries().world ?? []
  if (id === undefined) return undefined
  if (!READS.includes(c.req.method)) {
    throw invalid(
      `world: it came with ${c.req.method}; accepted: with GET. To change a world, send its key as x-api-key`,
    )
  }
  if (more.length > 0) throw invalid(`world: it came ${more.length + 1} times; accepted: once`)
  const world = sandbox.worlds.find(id)
  if (!world) throw noWorld('world', id)
  return world
}
