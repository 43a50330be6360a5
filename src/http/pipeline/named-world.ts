import { Refusal } from '../../kernel/refusal.js'
import { formatRepeated, inWords } from '../../lib/app-error.js'
import { isWorldKey, WORLD_KEY_FORM } from '../../lib/secrets.js'
import { badRequest } from '../operation/api-error.js'
import { type RequestContext, SAFE_METHODS } from '../operation/context.js'

/**
 * The id of the world in the query. Only reads may name one: streams and downloads of a page cannot send
 * headers.
 */
export const worldInQuery = (c: RequestContext): string | undefined => {
  if (!c.req.url.includes('?')) return undefined
  const [id, ...more] = c.req.queries().world ?? []
  if (id === undefined) return undefined
  if (!SAFE_METHODS.has(c.req.method)) {
    throw badRequest({
      problem: `world was sent with ${c.req.method}`,
      expected: 'GET',
      hint: 'To change a world, send its key as x-api-key',
    })
  }
  if (more.length > 0) throw badRequest(formatRepeated('world', more.length + 1))
  return id
}

/** The refusal of an unknown world id. It does not repeat a key that was sent as id. */
export const worldNotFound = (field: string, id: string): Refusal =>
  new Refusal('unknown', {
    field,
    received: isWorldKey(id) ? inWords('an API key') : id,
    expected: 'the id of a world. GET /_sandbox/worlds lists them',
    hint: isWorldKey(id)
      ? 'Send the key as x-api-key'
      : `A world begins with the first use of a key of the form ${WORLD_KEY_FORM}, or with POST /_sandbox/worlds`,
  })
