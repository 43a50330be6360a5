import type { IncomingMessage, ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Context } from 'hono'
import { assumedErrors, documentedErrors } from '../contract/errors.js'
import type { Fault } from '../scenarios/faults.js'
import { parseDuration } from '../world/kernel/time.js'
import { errorBody } from './respond.js'

/** Marks every answer that a rule made or altered, so that nobody takes a rehearsed error for a bug. */
export const FAULT_HEADER = 'x-sandbox-fault'

interface Wire {
  readonly incoming?: IncomingMessage
  readonly outgoing?: ServerResponse
}

const wireOf = (c: Context): Wire => (c.env ?? {}) as Wire

/** Plays a fault: waits, answers in place of the operation, or spoils what the operation answered. */
export const playFault = async (
  c: Context,
  fault: Fault,
  requestId: string,
  go: () => Promise<Response>,
): Promise<Response> => {
  if (fault.delay_ms > 0) await sleep(fault.delay_ms)
  if (fault.drop === 'before') return cut(c, fault)
  const answer = fault.respond ? respond(c, fault.respond, requestId) : await go()
  if (fault.drop === 'after') return cut(c, fault)
  answer.headers.set(FAULT_HEADER, fault.rule)
  if (fault.drop === 'mid_body') return cutWithin(c, await answer.text(), answer)
  return fault.malform ? MALFORMED[fault.malform](await answer.text(), answer) : answer
}

const DEFAULT_CODES: Readonly<Record<number, string>> = {
  ...Object.fromEntries(
    Object.entries({ ...documentedErrors, ...assumedErrors })
      .reverse()
      .map(([code, { status }]) => [status, code]),
  ),
  400: '4000',
}

const respond = (
  c: Context,
  { status, code = DEFAULT_CODES[status] ?? `${status}0`, ...step }: NonNullable<Fault['respond']>,
  requestId: string,
): Response => {
  const headers = new Headers({ 'content-type': 'application/json', 'x-request-id': requestId })
  if (step.retry_after !== undefined) {
    const seconds = Math.ceil((parseDuration(step.retry_after) ?? 0) / 1_000)
    headers.set('retry-after', String(seconds))
  }
  if (typeof step.body === 'string') headers.set('content-type', 'text/plain')
  for (const [name, value] of Object.entries(step.headers ?? {})) headers.set(name, value)
  const { message = messageOf(code, status) } = step
  const own = status < 400 ? {} : errorBody({ code, message }, c.req.method, c.req.path, requestId)
  const body = step.body ?? own
  if (status === 204 || status === 304) return new Response(null, { status, headers })
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  return new Response(text, { status, headers })
}

const PHRASES: Readonly<Record<number, string>> = {
  429: 'Too many requests; wait and retry',
  500: 'Internal server error',
  502: 'Bad gateway',
  503: 'Service unavailable; wait and retry',
  504: 'Gateway timeout',
}

const messageOf = (code: string, status: number): string => {
  if (code in documentedErrors)
    return documentedErrors[code as keyof typeof documentedErrors].message
  return PHRASES[status] ?? 'The request failed'
}

/** How a body comes to be something that a client cannot read. */
const MALFORMED: Readonly<
  Record<NonNullable<Fault['malform']>, (text: string, answer: Response) => Response>
> = {
  truncated_json: (text, answer) => again(answer, text.slice(0, Math.ceil(text.length / 2))),
  html: (_, answer) =>
    again(answer, '<!doctype html><title>Gateway</title><h1>Please stand by</h1>', 'text/html'),
  wrong_content_type: (text, answer) => again(answer, text, 'text/plain'),
  empty: (_, answer) => again(answer, ''),
}

const again = ({ status, headers }: Response, text: string, type?: string): Response => {
  const kept = new Headers(headers)
  if (type) kept.set('content-type', type)
  return new Response(text, { status, headers: kept })
}

const cuts = new WeakSet<Response>()

/** Whether the connection was cut instead of this answer, or within it. */
export const isCut = (response: Response): boolean => cuts.has(response)

/** Closes the connection without an answer. In process there is none: the caller of fetch looks for isCut. */
const cut = (c: Context, { rule }: Fault): Response => {
  wireOf(c).incoming?.socket.destroy()
  const response = new Response(null, { headers: { [FAULT_HEADER]: rule } })
  cuts.add(response)
  return response
}

/** Answers half of the body that the headers promise, then closes the connection. */
const cutWithin = (c: Context, text: string, { status, headers }: Response): Response => {
  const bytes = Buffer.from(text)
  const half = bytes.subarray(0, Math.ceil(bytes.length / 2))
  const { outgoing } = wireOf(c)
  if (!outgoing) return brokenOff(half, status, headers)
  outgoing.writeHead(status, {
    ...Object.fromEntries(headers),
    'content-length': bytes.length,
  })
  outgoing.write(half, () => outgoing.socket?.destroy())
  const sent = new Response(null, { status, headers: { [ALREADY_SENT]: 'true' } })
  // The server's own light response would be written without a look at its headers; this makes it a whole one.
  void sent.body
  cuts.add(sent)
  return sent
}

/** How the server is told that an answer is on its way already. */
const ALREADY_SENT = 'x-hono-already-sent'

const brokenOff = (half: Uint8Array, status: number, headers: Headers): Response => {
  let sent = false
  const stream = new ReadableStream({
    pull: (controller) => {
      if (sent) controller.error(new TypeError('terminated: the connection was cut in the body'))
      else controller.enqueue(half)
      sent = true
    },
  })
  return new Response(stream, { status, headers })
}
