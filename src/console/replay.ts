import * as z from 'zod'
import { indentJson } from '../activity/format.js'
import type { LogRecord } from '../history/log-record.js'
import { requestHeaders, sentTarget } from '../history/views.js'
import { type Operation, ok, operation } from '../http/operation/operation.js'
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

/** Sends a logged request again, through the whole pipeline. Only forms of the console run it. */
export const createSendAgain = (send: Send): Operation =>
  operation({
    id: 'sendAgain',
    method: 'post',
    path: '/console/do/sendAgain',
    tag: 'Requests',
    summary: 'Send a request again',
    description: 'Sends a logged request again',
    params: z.object({ id: z.string() }),
    body: z.object({
      key: z
        .string()
        .regex(/^[\x20-\x7e]*$/, 'characters of a header')
        .optional()
        .meta({ description: 'The log stores no whole key.' }),
      body: z.string().optional(),
      fresh: z.string().optional().meta({ description: 'The id to replace by a new one' }),
    }),
    answers: {},
    handle: async ({ sandbox: { worlds }, live, params: { id }, body: sent, once }) => {
      const request = live.findRequest(id)
      if (!request) throw notFound('id', `the log has no request ${id}`)
      const { method, body } = request
      if (typeof body === 'object') {
        throw ruleViolation(undefined, 'the log holds only a part of the body')
      }
      const { key, fresh } = sent
      if (key !== undefined && (worlds.findByKey(key) ?? worlds.main).live !== live) {
        throw invalidValue('key', inWords('the key of another world'), 'a key of this world')
      }
      const changed = isRead(request) ? undefined : changedBody(body, sent.body)
      const text = fresh === undefined ? changed : changed?.replaceAll(fresh, newRequestId())
      const headers = new Headers(sentHeaders(request))
      if (key !== undefined) headers.set('x-api-key', key)
      // Not resolved against a base: a path that starts with two slashes would name another host.
      const url = `http://localhost${sentTarget(request)}`
      const answer = await once(async () =>
        send(new Request(url, { method, headers, body: text ?? null })),
      )
      await live.requests.update()
      const [newest] = live.requests.newest({}, 0, 1)
      return ok({ request: answer.headers.get('x-request-id') ?? newest?.id })
    },
  })
