import type { Context } from 'hono'
import { hasText, headersOf } from '../exchanges/recording.js'
import { cutResponse, isCut, sentAlready } from './cut.js'
import type { Answering, Outbound } from './face.js'
import { wireOf } from './inbound.js'
import { isResponse } from './respond.js'
import { trickleResponse } from './trickle.js'
import { write } from './write.js'

/** Answers with a response, as Hono has it: in process, and on a port where a request is not plain. */
export const byWeb =
  (answer: Answering) =>
  (c: Context): Response | Promise<Response> => {
    const outbound = answer(c)
    return outbound instanceof Promise
      ? outbound.then((it) => responseOf(c, it))
      : responseOf(c, outbound)
  }

const responseOf = (c: Context, outbound: Outbound): Response => {
  const { outgoing } = wireOf(c)
  // The web's own response would be read back piece by piece.
  if (outgoing && write(outgoing, outbound)) return sentAlready()
  const { outcome, requestId, assumed } = outbound
  if (isResponse(outcome)) {
    outcome.headers.set('x-request-id', requestId)
    return outcome
  }
  if (isCut(outcome)) return cutResponse(outcome, requestId)
  const { status, text, trickle } = outcome
  const headers = headersOf(requestId, outcome, assumed)
  if (trickle && hasText(status)) return trickleResponse(text, trickle, { status, headers })
  return new Response(hasText(status) ? text : null, { status, headers })
}
