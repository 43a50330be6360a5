import type { Context } from 'hono'
import { hasText, responseHeaders } from '../../history/log-record.js'
import { REQUEST_ID_HEADER } from '../../lib/response-headers.js'
import type { ApiResponse, RequestHandler } from '../operation/api.js'
import { nodeStreams, type RequestContext } from '../operation/context.js'
import { dropResponse, isDropped, sentAlready } from '../operation/dropped-connection.js'
import { isResponse } from '../pipeline/respond.js'
import { writeResponse } from './node-response.js'
import { trickleResponse } from './trickle.js'

/** Adapts a handler to Hono, for requests that are not plain. */
export const toFetchHandler =
  (handle: RequestHandler) =>
  async (c: Context): Promise<Response> =>
    toResponse(c, await handle(c))

export const toResponse = (c: RequestContext, response: ApiResponse): Response => {
  const { outgoing } = nodeStreams(c)
  // Reading a fetch Response back would cost more than writing the text.
  if (outgoing && writeResponse(outgoing, response)) return sentAlready()
  const { outcome, requestId, assumed } = response
  if (isResponse(outcome)) {
    outcome.headers.set(REQUEST_ID_HEADER, requestId)
    return outcome
  }
  if (isDropped(outcome)) return dropResponse(outcome, requestId, assumed)
  const { status, text, trickle } = outcome
  const headers = responseHeaders(requestId, outcome, assumed)
  if (trickle && hasText(status)) return trickleResponse(text, trickle, { status, headers })
  return new Response(hasText(status) ? text : null, { status, headers })
}
