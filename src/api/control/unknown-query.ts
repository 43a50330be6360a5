import { badRequest } from '../../http/operation/api-error.js'
import type { RequestContext } from '../../http/operation/context.js'
import type { Operation } from '../../http/operation/operation.js'
import { unknownParameter } from '../../http/pipeline/validate.js'

/** Refuses unknown parameters: a misspelt filter would select everything. */
export const assertKnownQuery = (c: RequestContext, { method, query }: Operation): void => {
  if (!c.req.url.includes('?')) return
  const known = [...Object.keys(query?.shape ?? {}), ...(method === 'get' ? ['world'] : [])]
  const unknown = Object.keys(c.req.queries()).find((name) => !known.includes(name))
  if (unknown === undefined) return
  throw badRequest(unknownParameter(unknown, known))
}
