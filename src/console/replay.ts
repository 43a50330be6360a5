import * as z from 'zod'
import { type Operation, ok, operation } from '../http/operation/operation.js'
import { newRequestId } from '../http/pipeline/response-headers.js'
import { notFound, ruleViolation } from '../kernel/refusal.js'
import { invalidValue, inWords } from '../lib/app-error.js'
import { edited, pathWithQuery, resendable, sentHeaders } from './logged-request.js'

/** The constructor of Request throws for these methods. */
const NOT_FOR_BROWSERS = ['CONNECT', 'TRACE', 'TRACK']

/** Sends a logged request again, through the whole pipeline. Only forms of the console run it. */
export const createSendAgain = (
  send: (request: Request) => Response | Promise<Response>,
): Operation =>
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
    handle: async ({ sandbox, live, params: { id }, body: { key, body, fresh }, once }) => {
      const logRecord = live.requests.find(id)
      if (!logRecord) throw notFound('id', `the log has no request ${id}`)
      const kept = resendable(logRecord)
      if (!kept.complete) throw ruleViolation(undefined, 'the log holds only a part of the body')
      if (NOT_FOR_BROWSERS.includes(logRecord.method)) {
        throw ruleViolation(undefined, `${logRecord.method} requests cannot be sent from here`)
      }
      if (
        key !== undefined &&
        (sandbox.worlds.findByKey(key) ?? sandbox.worlds.main).live !== live
      ) {
        throw invalidValue('key', inWords('the key of another world'), 'a key of this world')
      }
      const isRead = logRecord.method === 'GET' || logRecord.method === 'HEAD'
      const typed = isRead ? kept.text : edited(kept.text, body)
      const text = fresh === undefined ? typed : typed?.replaceAll(fresh, newRequestId())
      const answer = await once(async () =>
        send(
          // Not resolved against a base: a path that starts with two slashes would name another host.
          new Request(`http://localhost${pathWithQuery(logRecord)}`, {
            method: logRecord.method,
            headers: Object.fromEntries([
              ...sentHeaders(logRecord),
              ...(key === undefined ? [] : [['x-api-key', key]]),
            ]),
            ...(text === undefined ? {} : { body: text }),
          }),
        ),
      )
      const [newest] = live.requests.newest({}, 0, 1)
      return ok({ request: answer.headers.get('x-request-id') ?? newest?.id })
    },
  })
