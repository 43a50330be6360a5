import type { Context } from 'hono'
import { type ErrorBody, statusOf } from '../contract/errors.js'
import type { Reply } from './operation.js'
import { WireError, wireErrorOf } from './wire-error.js'

export const jsonResponse = (
  status: number,
  body: unknown,
  requestId: string,
  headers?: Readonly<Record<string, string>>,
): Response =>
  new Response(JSON.stringify(body), {
    status,
    headers: { 'content-type': 'application/json', 'x-request-id': requestId, ...headers },
  })

/** The answer that a handler's reply becomes. */
export const replyResponse = (reply: Reply, requestId: string): Response => {
  if (!(reply instanceof Response)) return jsonResponse(reply.status, reply.body, requestId)
  reply.headers.set('x-request-id', requestId)
  return reply
}

/** The contract's error body for anything thrown. A bug is told to `report`, never to the caller. */
export const errorResponse = (
  c: Context,
  thrown: unknown,
  requestId: string,
  report: (bug: unknown) => void,
): Response => {
  let error = wireErrorOf(thrown)
  if (!error) {
    report(thrown)
    error = new WireError('5000', `the sandbox has a bug; its log tells more under ${requestId}`)
  }
  const body = errorBody(error, c.req.method, c.req.path, requestId)
  return jsonResponse(statusOf(error.code), body, requestId, error.headers)
}

/** The contract's error body, with its six fields and no more. */
export const errorBody = (
  { code, message }: { readonly code: string; readonly message: string },
  httpMethod: string,
  path: string,
  requestId: string,
): ErrorBody => ({
  code,
  httpMethod,
  message,
  path,
  requestId,
  resourcePath: resourcePathOf(path),
})

/** `/payment/{proxy+}`: the first segment, and the gateway's placeholder for the rest. */
const resourcePathOf = (path: string): string => {
  const prefix = /^\/(payment|onboarding|_sandbox)(?=\/|$)/.exec(path)?.[0] ?? ''
  return `${prefix}/{proxy+}`
}
