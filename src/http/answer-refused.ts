import type { ServerResponse } from 'node:http'
import type { CreateEarlyError, EarlyError } from './early-errors.js'
import { findMalformedPart } from './malformed-parts.js'
import { withoutServer } from './target.js'

/** Answers a request whose target or Host is so broken that no route could see it. */
export const answerMalformed = (outgoing: ServerResponse, refuse: CreateEarlyError): void =>
  writeEarlyError(outgoing, refuse('4000', findMalformedPart(outgoing.req), outgoing.req))

const UNENCRYPTED = 'plain HTTP came; accepted: HTTPS, at the same host and port'

/** Answers plain HTTP where HTTPS is spoken, as it is read (http.plain). */
export const answerUnencrypted = (outgoing: ServerResponse, refuse: CreateEarlyError): void => {
  if (outgoing.headersSent || outgoing.destroyed) return
  const { headers, url = '/' } = outgoing.req
  const refused = refuse('4032', UNENCRYPTED, outgoing.req)
  if (refused.how === 'closed') outgoing.destroy()
  else if (refused.how === 'redirect') {
    const place = withoutServer(url)
    const location = `https://${headers.host}${/^[/?]/.test(place) ? place : '/'}`
    outgoing.writeHead(301, { location, ...refused.headers, connection: 'close' }).end()
  } else writeEarlyError(outgoing, refused)
}

/** Answers with the error body past all routes, and closes the connection. */
export const writeEarlyError = (
  outgoing: ServerResponse,
  { status, body, headers }: EarlyError,
): void => {
  const type = { 'content-type': 'application/json' }
  outgoing.writeHead(status, { ...type, ...headers, connection: 'close' }).end(JSON.stringify(body))
}
