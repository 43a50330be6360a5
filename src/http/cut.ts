import type { ServerResponse } from 'node:http'
import { headersOf, type Sent } from '../exchanges/recording.js'
import { FAULT_HEADER } from './wire-error.js'

/** A connection that a rule cuts: without an answer, or within the body of one. */
export interface Cut {
  /** `<scenario>/<rule>` */
  readonly cutBy: string
  readonly within: Sent | undefined
  /** The peer sees a reset, not an end. */
  readonly isReset?: boolean
}

export const isCut = (outcome: Sent | Cut): outcome is Cut => 'cutBy' in outcome

const unanswered = new WeakSet<Response>()

/** Whether a response stands for none, which a caller in process has to be told by an error. */
export const isUnanswered = (response: Response): boolean => unanswered.has(response)

/** Closes a connection, after half of the body where there is to be one. */
export const cutConnection = (outgoing: ServerResponse, cut: Cut, requestId: string): void => {
  if (!cut.within) {
    if (cut.isReset && resetConnection(outgoing)) return
    // Not its socket: behind another request on the connection it has none yet.
    outgoing.destroy()
    return
  }
  const { status, headers, half, length } = halfOf(cut.within, cut, requestId)
  outgoing.writeHead(status, { ...headers, 'content-length': length })
  outgoing.write(half, () => outgoing.destroy())
}

/** Sends RST where the request has a plain TCP connection to itself; tells whether it has. */
const resetConnection = ({ socket }: ServerResponse): boolean => {
  if (!socket || 'encrypted' in socket) return false
  socket.resetAndDestroy()
  return true
}

/** What stands for a cut connection in process: a response whose body breaks off, or none. */
export const cutResponse = (cut: Cut, requestId: string): Response => {
  if (cut.within) {
    const { status, headers, half } = halfOf(cut.within, cut, requestId)
    return new Response(breakingOff(half), { status, headers })
  }
  const response = sentAlready({ [FAULT_HEADER]: cut.cutBy })
  unanswered.add(response)
  return response
}

/** As much of an answer as leaves, and how long it claims to be. */
const halfOf = ({ status, text, headers }: Sent, { cutBy }: Cut, requestId: string) => {
  const bytes = Buffer.from(text)
  return {
    status,
    headers: { ...headersOf(requestId, { status, headers }, ''), [FAULT_HEADER]: cutBy },
    half: bytes.subarray(0, Math.floor(bytes.length / 2)),
    length: bytes.length,
  }
}

/** A response that the server takes as sent. */
export const sentAlready = (headers: Readonly<Record<string, string>> = {}): Response =>
  new Response(null, { headers: { 'x-hono-already-sent': 'true', ...headers } })

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
