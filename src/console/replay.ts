import * as z from 'zod'
import { payoutRequest } from '../contract/payout.js'
import { indentJson } from '../history/format.js'
import type { LogRecord } from '../history/log-record.js'
import { requestHeaders, sentTarget } from '../history/views.js'
import {
  type Call,
  type Operation,
  ok,
  operation,
  type Reply,
} from '../http/operation/operation.js'
import { newRequestId } from '../http/pipeline/response-headers.js'
import { notFound, ruleViolation } from '../kernel/refusal.js'
import { invalidValue, inWords } from '../lib/app-error.js'

/** Headers that change the response. The log does not store the whole key. */
const SENT = ['content-type', 'x-sandbox-scenario', 'x-sandbox-reading']

export const sentHeaders = (request: LogRecord): [name: string, value: string][] =>
  Object.entries(requestHeaders(request)).filter(([name]) => SENT.includes(name))

export const isRead = ({ method }: LogRecord): boolean => method === 'GET' || method === 'HEAD'

/** Returns the original body, byte by byte, unless the user changed it. */
const changedBody = (text: string | undefined, typed = ''): string | undefined => {
  // Browsers send the lines of a text area with CRLF.
  const plain = typed.replaceAll('\r\n', '\n')
  return plain === '' || plain === indentJson(text ?? '') ? text : plain
}

export type Send = (request: Request) => Response | Promise<Response>

const key = z.string().optional().meta({ description: 'The log stores no whole key.' })

const sendAs = async (
  send: Send,
  { sandbox, live, once }: Pick<Call<undefined, undefined, undefined>, 'sandbox' | 'live' | 'once'>,
  key: string | undefined,
  target: string,
  { headers, ...init }: { method: string; headers: Headers; body: string | null },
): Promise<Reply> => {
  const { worlds } = sandbox
  if (key !== undefined) {
    if (!/^[\x20-\x7e]*$/.test(key)) throw invalidValue('key', key, 'characters of a header')
    const { id } = worlds.keys.nameWorld(key) ?? worlds.main
    if (id !== live.id)
      throw invalidValue('key', inWords('the key of another world'), 'a key of this world')
    headers.set('x-api-key', key)
  }
  // Not resolved against a base: a path that starts with two slashes would name another host.
  const request = new Request(`http://localhost${target}`, { headers, ...init })
  const answer = await once(async () => send(request))
  await live.requests.update()
  const [newest] = live.requests.newest({}, 0, 1)
  const id = answer.headers.get('x-request-id') ?? newest?.id
  return ok({ request: sandbox.keepsRequests ? id : undefined })
}

const payoutFields = z.object({
  ...payoutRequest.shape,
  recipient_details: z.object(payoutRequest.shape.recipient_details.shape),
  key,
})

export const createSenders = (send: Send): Operation[] => [
  operation({
    id: 'sendAgain',
    method: 'post',
    path: '/console/do/sendAgain',
    tag: 'Requests',
    summary: 'Send a request again',
    description: 'Sends a logged request again',
    params: z.object({ id: z.string() }),
    body: z.object({
      key,
      body: z.string().optional(),
      fresh: z.string().optional().meta({ description: 'The id to replace by a new one' }),
    }),
    answers: {},
    handle: ({ params: { id }, body: sent, ...call }) => {
      const request = call.live.requests.findAny(id)
      if (!request) throw notFound('id', `the log has no request ${id}`)
      const { method, body } = request
      if (typeof body === 'object') {
        throw ruleViolation(undefined, 'the log holds only a part of the body')
      }
      const changed = isRead(request) ? undefined : changedBody(body, sent.body)
      const text =
        sent.fresh === undefined ? changed : changed?.replaceAll(sent.fresh, newRequestId())
      return sendAs(send, call, sent.key, sentTarget(request), {
        method,
        headers: new Headers(sentHeaders(request)),
        body: text ?? null,
      })
    },
  }),
  operation({
    id: 'newPayout',
    method: 'post',
    path: '/console/do/newPayout',
    tag: 'Requests',
    summary: 'Send a payout',
    description: 'Sends a payout as a client does',
    // The service judges it.
    body: payoutFields.catch((it) => it?.input as never),
    answers: {},
    handle: ({ body: { key, ...body }, ...call }) =>
      sendAs(send, call, key, '/payment/api/v1/payout', {
        method: 'POST',
        headers: new Headers({ 'content-type': 'application/json' }),
        body: JSON.stringify(body),
      }),
  }),
]
