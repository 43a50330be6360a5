import type { ServerResponse } from 'node:http'
import type { Trickle } from '../../history/log-record.js'
import type { DroppedConnection, HandlerResult } from '../operation/api.js'
import { hasText, isDropped, isResponse } from '../pipeline/respond.js'

/**
 * Writes a response, unless the server has already sent one on a timeout or at shutdown. Returns false for
 * a fetch Response, which it cannot write.
 */
export const writeResponse = (outgoing: ServerResponse, outcome: HandlerResult): boolean => {
  if (outgoing.headersSent) return true
  if (isResponse(outcome)) return false
  if (isDropped(outcome)) {
    dropConnection(outgoing, outcome)
    return true
  }
  const { status, text, trickle } = outcome
  if (!hasText(status)) {
    outgoing.writeHead(status, outcome.headers).end()
    return true
  }
  const bytes = Buffer.byteLength(text)
  // The log keeps the headers too. A copy by spread takes Node a tenth of a GET longer to write.
  const headers: Record<string, string> = {}
  for (const name in outcome.headers) headers[name] = outcome.headers[name] ?? ''
  headers['content-length'] = String(bytes)
  if (trickle && outgoing.req.method !== 'HEAD') {
    outgoing.writeHead(status, headers)
    writeTrickling(outgoing, text, trickle).catch(() => outgoing.destroy())
    return true
  }
  // For multi-byte text Node would scan the text twice more.
  outgoing.writeHead(status, headers).end(text, bytes === text.length ? 'latin1' : 'utf8')
  return true
}

/** Closes a connection, after half of the body if there is one. */
const dropConnection = (outgoing: ServerResponse, cut: DroppedConnection): void => {
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

export const firstHalf = (bytes: Buffer): Buffer => bytes.subarray(0, Math.floor(bytes.length / 2))

const MAX_PIECES = 100

/** A pause between two chunks is no stalled reader. */
const NO_TIMEOUT = 0

/** Yields a body in chunks of equal size, each after its wait. */
export async function* splitText(
  text: string,
  { over_ms, sleep }: Trickle,
): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(text)
  const count = Math.min(bytes.length, MAX_PIECES)
  for (let i = 0; i < count; i++) {
    await sleep(over_ms / count)
    const [from, to] = [i, i + 1].map((n) => Math.floor((bytes.length * n) / count))
    yield bytes.subarray(from, to)
  }
}

/** Writes a body in chunks after the headers; stops when the client leaves. */
const writeTrickling = async (
  outgoing: ServerResponse,
  text: string,
  trickle: Trickle,
): Promise<void> => {
  outgoing.setTimeout(NO_TIMEOUT)
  outgoing.flushHeaders()
  for await (const piece of splitText(text, trickle)) {
    if (outgoing.destroyed) return
    outgoing.write(piece)
  }
  outgoing.end()
}
