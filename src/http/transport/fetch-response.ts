import type { Context } from 'hono'
import { FAULT_HEADER } from '../../contract/header-names.js'
import type { Trickle } from '../../history/log-record.js'
import type { DroppedConnection, HandlerResult, RequestHandler } from '../operation/api.js'
import { nodeStreams, type RequestContext } from '../operation/context.js'
import { hasText, isDropped, isResponse } from '../pipeline/respond.js'
import { firstHalf, splitText, writeResponse } from './node-response.js'

/** Adapts a handler to Hono, for requests that are not plain. */
export const toFetchHandler =
  (handle: RequestHandler) =>
  async (c: Context): Promise<Response> =>
    sendResponse(c, await handle(c))

export const sendResponse = (c: RequestContext, outcome: HandlerResult): Response => {
  const { outgoing } = nodeStreams(c)
  // Reading a fetch Response back would cost more than writing the text.
  if (outgoing && writeResponse(outgoing, outcome)) return sentAlready()
  return toResponse(outcome)
}

export const toResponse = (outcome: HandlerResult): Response => {
  if (isResponse(outcome)) return outcome
  if (isDropped(outcome)) return dropResponse(outcome)
  const { status, text, headers, trickle } = outcome
  if (trickle && hasText(status)) return trickleResponse(text, trickle, { status, headers })
  return new Response(hasText(status) ? text : null, { status, headers })
}

/** A response that marks the request as answered for the server. */
export const sentAlready = (headers: Readonly<Record<string, string>> = {}): Response =>
  new Response(null, { headers: { 'x-hono-already-sent': 'true', ...headers } })

/** The in-process form of a cut connection: a response whose body breaks off, or none. */
const dropResponse = (cut: DroppedConnection): Response => {
  if (cut.partial) {
    const { status, headers, text } = cut.partial
    return new Response(truncatedStream(firstHalf(Buffer.from(text))), { status, headers })
  }
  const response = sentAlready({ [FAULT_HEADER]: cut.rule })
  cutCodes.set(response, cut.isReset ? 'ECONNRESET' : 'UND_ERR_SOCKET')
  return response
}

const truncatedStream = (half: Uint8Array): ReadableStream => {
  let sent = false
  return new ReadableStream({
    pull: (controller) => {
      if (sent) controller.error(breakError('terminated', 'the connection was cut in the body'))
      else controller.enqueue(half)
      sent = true
    },
  })
}

type CutCode = 'ECONNRESET' | 'UND_ERR_SOCKET'

/** The code that Node's fetch has for the cut, by the response that stands for it in process. */
const cutCodes = new WeakMap<Response, CutCode>()

/** Whether a response means that there is none. In process, the caller gets an error for it. */
export const isUnanswered = (response: Response): boolean => cutCodes.has(response)

/** The error of the caller, with the same `cause.code` as Node's fetch. */
export const cutError = (response: Response): TypeError => {
  const why = `${response.headers.get(FAULT_HEADER)} cut the connection`
  return breakError('fetch failed', why, cutCodes.get(response))
}

const breakError = (problem: string, why: string, code: CutCode = 'UND_ERR_SOCKET'): TypeError =>
  new TypeError(`${problem}: ${why}`, { cause: Object.assign(new Error(why), { code }) })

const trickling = new WeakSet<Response>()

/** Whether the body of an in-process response still arrives after the response was returned. */
export const isTrickling = (response: Response): boolean => trickling.has(response)

/** Creates a response whose body arrives in chunks as it is read. */
const trickleResponse = (text: string, trickle: Trickle, init: ResponseInit): Response => {
  const pieces = splitText(text, trickle)
  const body = new ReadableStream<Uint8Array>(
    {
      pull: async (controller) => {
        const { done, value } = await pieces.next()
        if (done) controller.close()
        else controller.enqueue(value)
      },
      cancel: () => void pieces.return(undefined),
    },
    { highWaterMark: 0 },
  )
  const response = new Response(body, init)
  trickling.add(response)
  return response
}
