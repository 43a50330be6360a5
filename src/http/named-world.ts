import { notFound, type Refusal } from '../kernel/refusal.js'
import { isWorldKey, WORLD_KEY_FORM } from '../lib/secrets.js'
import { quote } from '../lib/text.js'
import { badRequest } from './api-error.js'
import type { RequestContext } from './context.js'

const READS = ['GET', 'HEAD']

/** The id of the world that the query names. Only reads may: streams and downloads in a page cannot send headers. */
export const worldInQuery = (c: RequestContext): string | undefined => {
  if (!c.req.url.includes('?')) return undefined
  const [id, ...more] = c.req.queries().world ?? []
  if (id === undefined) return undefined
  if (!READS.includes(c.req.method)) {
    throw badRequest(
      `world: it came with ${c.req.method}; accepted: with GET. To change a world, send its key as x-api-key`,
    )
  }
  if (more.length > 0) throw badRequest(`world: it came ${more.length + 1} times; accepted: once`)
  return id
}

const MAX_SHOWN = 64

/** That no world has this id. A key in its place is not repeated. */
export const worldNotFound = (field: string, id: string): Refusal =>
  notFound(
    field,
    isWorldKey(id)
      ? 'a key came; accepted: the id of a world, which GET /_sandbox/worlds tells. The key itself goes as x-api-key'
      : `no world has the id ${quote(id, MAX_SHOWN)}. One begins with the first use of a key ` +
          `of the form ${WORLD_KEY_FORM}, or with POST /_sandbox/worlds; GET /_sandbox/worlds lists them`,
  )
