import type { Context } from 'hono'
import type { HandlerResult, RequestHandler } from '../operation/api.js'
import { nodeStreams, type RequestContext } from '../operation/context.js'
import { dropResponse, isDropped, sentAlready } from '../operation/dropped-connection.js'
import { hasText, isResponse } from '../pipeline/respond.js'
import { writeResponse } from './node-response.js'
import { trickleResponse } from './trickle.js'

/** Adapts a handler to Hono, for requests that are not plain. */
export const toFetchHandler =
  (handle: RequestHandler) =>
  async (c: Context): Promise<Response> =>
    toResponse(c, await handle(c))

export const toResponse = (c: RequestContext, outcome: HandlerResult): Response => {
  const { outgoing } = nodeStreams(c)
  // Reading a fetch Response back would cost more than writing the text.
  if (outgoing && writeResponse(outgoing, outcome)) return sentAlready()
  if (isResponse(outcome)) return outcome
  if (isDropped(outcome)) return dropResponse(outcome)
  const { status, text, headers, trickle } = outcome
  if (trickle && hasText(status)) return trickleResponse(text, trickle, { status, headers })
  return new Response(hasText(status) ? text : null, { status, headers })
}
