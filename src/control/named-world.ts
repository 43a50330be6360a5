import type { Context } from 'hono'
import { invalid } from '../http/wire-error.js'
import type { Sandbox } from '../sandbox.js'
import { isWorldKey, WORLD_KEY_FORM } from '../secrets.js'
import { type Refusal, unknown } from '../world/kernel/refusal.js'
import type { OpenWorld } from '../worlds.js'

const READS = ['GET', 'HEAD']
const LONGEST_SHOWN = 64

/** The world that a query names. Only reads may: streams and downloads in a page cannot send headers. */
export const namedWorld = (sandbox: Sandbox, c: Context): OpenWorld | undefined => {
  if (!c.req.url.includes('?')) return undefined
  const [id, ...more] = c.req.queries('world') ?? []
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

/** That no world has this id. A key in its place is not repeated. */
export const noWorld = (field: string, id: string): Refusal =>
  unknown(
    field,
    isWorldKey(id)
      ? 'a key came; accepted: the id of a world, which GET /_sandbox/worlds tells. The key itself goes as x-api-key'
      : `no world has the id ${JSON.stringify(id.slice(0, LONGEST_SHOWN))}. One begins with the first use of a key ` +
          `of the form ${WORLD_KEY_FORM}, or with POST /_sandbox/worlds; GET /_sandbox/worlds lists them`,
  )
