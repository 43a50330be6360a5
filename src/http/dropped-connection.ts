import type { ServerResponse } from 'node:http'
import { type JsonResponse, responseHeaders } from '../request-log/log-record.js'
import { FAULT_HEADER } from './api-error.js'

/** A connection that a rule cuts: without an answer, or within the body of one. */
export interface DroppedConnection {
  /** `<scenario>/<rule>` */
  readonly rule: string
  readonly partial: JsonResponse | undefined
  /** The peer sees a reset, not an end. */
  readonly isReset?: boolean
}

export const isDropped = (
  outcome: JsonResponse | DroppedConnection,
): outcome is DroppedConnection => 'rule' in outcome

const dropUnanswered = new WeakSet<Response>()

/** Whether a response stands for none, which a caller in process has to be told by an error. */
export const isUnanswered = (response: Response): boolean => dropUnanswered.has(response)

/** Closes a connection, after half of the body where there is to be one. */
export const dropConnection = (
  outgoing: ServerResponse,
  cut: DroppedConnection,
  requestId: string,
): void => {
  if (!cut.partial) {
    if (cut.isReset && resetConnection(outgoing)) return
    // Not its socket: behind another request on the connection it has none yet.
    outgoing.destroy()
    return
  }
  const { status, headers, half, length } = partialBody(cut.partial, cut, requestId)
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
export const dropResponse = (cut: DroppedConnection, requestId: string): Response => {
  if (cut.partial) {
    const { status, headers, half } = partialBody(cut.partial, cut, requestId)
    return new Response(truncatedStream(half), { status, headers })
  }
  const response = sentAlready({ [FAULT_HEADER]: cut.rule })
  dropUnanswered.add(response)
  return response
}

/** As much of an answer as leaves, and how long it claims to be. */
const partialBody = (
  { status, text, headers }: JsonResponse,
  { rule }: DroppedConnection,
  requestId: string,
) => {
  const bytes = Buffer.from(text)
  return {
    status,
    headers: { ...responseHeaders(requestId, { status, headers }, ''), [FAULT_HEADER]: rule },
    half: bytes.subarray(0, Math.floor(bytes.length / 2)),
    length: bytes.length,
  }
}

/** A response that the server takes as sent. */
export const sentAlready = (headers: Readonly<Record<string, string>> = {}): Response =>
  new Response(null, { headers: { 'x-hono-already-sent': 'true', ...headers } })

const truncatedStream = (half: Uint8Array): ReadableStream => {
  let sent = false
  return new ReadableStream({
    pull: (controller) => {
      if (sent) controller.error(new TypeError('terminated: the connection was cut in the body'))
      else controller.enqueue(half)
      sent = true
    },
  })
}
