import type { Context } from 'hono'
import { headersOf, type Sent } from '../journal/recording.js'
import { wireOf } from './wire.js'
import { FAULT_HEADER } from './wire-error.js'

/** A connection that a rule cuts: without an answer, or within the body of one. */
export interface Cut {
  /** `<scenario>/<rule>` */
  readonly cutBy: string
  readonly within: Sent | undefined
}

export const isCut = (outcome: Sent | Cut): outcome is Cut => 'cutBy' in outcome

const unanswered = new WeakSet<Response>()

/** Whether a response stands for none, which a caller in process has to be told by an error. */
export const isUnanswered = (response: Response): boolean => unanswered.has(response)

/** Closes the connection, after half of the body where there is to be one. */
export const cutConnection = (c: Context, { cutBy, within }: Cut, requestId: string): Response => {
  const { incoming, outgoing } = wireOf(c)
  if (within) {
    const bytes = Buffer.from(within.text)
    const half = bytes.subarray(0, Math.ceil(bytes.length / 2))
    const { status } = within
    const headers = { ...headersOf(requestId, within.headers, ''), [FAULT_HEADER]: cutBy }
    if (!outgoing) return new Response(breakingOff(half), { status, headers })
    outgoing.writeHead(status, { ...headers, 'content-length': bytes.length })
    outgoing.write(half, () => outgoing.socket?.destroy())
  } else incoming?.socket.destroy()
  return goneAlready(cutBy)
}

/** A response that the server takes as sent. */
const goneAlready = (cutBy: string): Response => {
  const headers = { 'x-hono-already-sent': 'true', [FAULT_HEADER]: cutBy }
  const response = new Response(null, { headers })
  // The server sees the mark only in an answer that somebody has looked into.
  void response.body
  unanswered.add(response)
  return response
}

const breakingOff = (half: Uint8Array): ReadableStream => {
  let sent = false
  return new ReadableStream({
    pull: (controller) => {
      if (sent) controller.error(new TypeError('terminated: the connection was cut in the body'))
      else controller.enqueue(half)
      sent = true
    },
  })
}
