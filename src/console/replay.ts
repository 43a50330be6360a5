import { ruleViolation } from '../kernel/refusal.js'
import type { Action } from './actions.js'
import { edited, findRecord, pathWithQuery, resendable, sentHeaders } from './logged-request.js'
import { worldPath } from './page-context.js'

/** Sends a request to the service in process. */
export type Send = (request: Request) => Response | Promise<Response>

/** The constructor of Request throws for these methods. */
const NOT_FOR_BROWSERS = ['CONNECT', 'TRACE', 'TRACK']
const HEADER_TEXT = /^[\x20-\x7e]*$/

/** Sends a logged request again, through the whole pipeline. */
export const resendAction = (send: Send): Action => ({
  path: '/console/requests/:id/send',
  operation: 'sendAgain',
  act: async ({ ctx, params: { id = '' }, fields }) => {
    const { worlds } = ctx.sandbox
    const logRecord = findRecord(ctx, id)
    const body = resendable(logRecord)
    if (!body.complete) return 'The log holds only a part of the body.'
    if (NOT_FOR_BROWSERS.includes(logRecord.method)) {
      throw ruleViolation(undefined, `a ${logRecord.method} request cannot be sent again from here`)
    }
    if (!HEADER_TEXT.test(fields.key ?? '')) {
      throw ruleViolation(
        'key',
        `${JSON.stringify(fields.key)} has characters that no header can carry`,
      )
    }
    const key = fields.key === undefined ? [] : [['x-api-key', fields.key] as const]
    const isRead = logRecord.method === 'GET' || logRecord.method === 'HEAD'
    const text = isRead ? body.text : edited(body.text, fields.body)
    const answer = await send(
      // Not resolved against a base: a path that starts with two slashes would name another host.
      new Request(`http://localhost${pathWithQuery(logRecord)}`, {
        method: logRecord.method,
        headers: Object.fromEntries([...sentHeaders(logRecord), ...key]),
        ...(text === undefined ? {} : { body: text }),
      }),
    )
    const handle = (fields.key && worlds.findByKey(fields.key)) || worlds.main
    await handle.live.requests.update()
    const [newest] = handle.live.requests.newest({}, 0, 1)
    const sent = answer.headers.get('x-request-id') ?? newest?.id
    if (!ctx.sandbox.keepsRequests || sent === undefined) return 'It was sent.'
    const elsewhere = handle === ctx.handle ? '' : '  Its key belongs to this world.'
    return {
      to: worldPath(handle.key && handle.live.id, `/requests/${sent}`),
      message: `Sent again. This is the new request.${elsewhere}`,
    }
  },
})
