import type { ServerResponse } from 'node:http'
import type { HandlerResult } from '../operation/api.js'
import { dropConnection, isDropped } from '../operation/dropped-connection.js'
import { hasText, isResponse } from '../pipeline/respond.js'
import { writeTrickling } from './trickle.js'

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
  const headers = { ...outcome.headers, 'content-length': String(bytes) }
  if (trickle && outgoing.req.method !== 'HEAD') {
    outgoing.writeHead(status, headers)
    writeTrickling(outgoing, text, trickle).catch(() => outgoing.destroy())
    return true
  }
  // For multi-byte text Node would scan the text twice more.
  outgoing.writeHead(status, headers).end(text, bytes === text.length ? 'latin1' : 'utf8')
  return true
}
