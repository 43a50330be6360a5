import { LONGEST_SNIPPET } from '../explain.js'
import type { Inbound } from '../http/inbound.js'
import type { Operation } from '../http/operation.js'
import { strangeParameter } from '../http/parse.js'
import { invalid } from '../http/wire-error.js'
import { didYouMean } from '../nearest.js'
import { shortened } from '../world/shortened.js'

/** Refuses parameters that the operation does not have: a misspelt filter would let everything through. */
export const assertKnownQuery = (c: Inbound, { method, query }: Operation): void => {
  if (!c.req.url.includes('?')) return
  const known = [...Object.keys(query?.shape ?? {}), ...(method === 'get' ? ['world'] : [])]
  const stranger = Object.keys(c.req.queries()).find((name) => !known.includes(name))
  if (stranger === undefined) return
  const refused = strangeParameter(shortened(stranger, LONGEST_SNIPPET), known)
  throw invalid(refused + didYouMean(stranger, known))
}
