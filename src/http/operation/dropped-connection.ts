import type { ServerResponse } from 'node:http'
import { FAULT_HEADER } from '../../contract/header-names.js'
import type { JsonResponse } from '../../history/log-record.js'

/** A connection that a rule cuts: without a response, or within its body. */
export interface DroppedConnection {
  /** `<scenario>/<rule>` */
  readonly rule: string
  readonly partial: JsonResponse | undefined
  /** The peer sees a reset instead of an end. */
  readonly isReset?: boolean
}

export const isDropped = (
  outcome: JsonResponse | DroppedConnection,
): outcome is DroppedConnection => 'rule' in outcome

/** The code that Node's fetch has for the cut, by the response that stands for it in process. */
const cutCodes = new WeakMap<Response, 'ECONNRESET' | 'UND_ERR_SOCKET'>()

/** Whether a response means that there is none. In process, the caller gets an error for it. */
export const isUnanswered = (response: Response): boolean => cutCodes.has(response)

/** The error of the caller, with the same `cause.code` as Node's fetch. */
export const cutError = (response: Response): TypeError => {
  const why = `${response.headers.get(FAULT_HEADER)} cut the connection`
  const cause = Object.assign(new Error(why), { code: cutCodes.get(response) })
  return new TypeError(`fetch failed: ${why}`, { cause })
}

/** Closes a connection, after half of the body if there is one. */
export const dropConnection = (outgoing: ServerResponse, cut: DroppedConnection): void => {
  if (!cut.partial) {
    if (cut.isReset && resetConnection(outgoing)) return
    // The response has no socket yet if another request of the connection is ahead of it.
    outgoing.destroy()
    return
  }
  const { status, headers, text } = cut.partial
  const bytes = Buffer.from(text)
  outgoing.writeHead(status, { ...headers, 'content-length': bytes.length })
  outgoing.write(firstHalf(bytes), () => outgoing.destroy())
}

/** Sends RST if the request has a plain TCP connection to itself. Returns whether it has. */
const resetConnection = ({ socket }: ServerResponse): boolean => {
  if (!socket || 'encrypted' in socket) return false
  socket.resetAndDestroy()
  return true
}

/** The in-process form of a cut connection: a response whose body breaks off, or none. */
export const dropResponse = (cut: DroppedConnection): Response => {
  if (cut.partial) {
    const { status, headers, text } = cut.partial
    return new Response(truncatedStream(firstHalf(Buffer.from(text))), { status, headers })
  }
  const response = sentAlready({ [FAULT_HEADER]: cut.rule })
  cutCodes.set(response, cut.isReset ? 'ECONNRESET' : 'UND_ERR_SOCKET')
  return response
}

const firstHalf = (bytes: Buffer): Buffer => bytes.subarray(0, Math.floor(bytes.length / 2))

/** A response that marks the request as answered for the server. */
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
