import { broken } from '../world/kernel/refusal.js'
import type { Action } from './actions.js'
import { addressIn } from './addresses.js'
import { edited, pathOf, recordingOf, resendable, sentHeaders } from './recordings.js'

/** Answers a request as if it had come over the wire. */
export type Send = (request: Request) => Response | Promise<Response>

/** Methods that a client may use but a browser, and what stands for one, may not. */
const NOT_FOR_BROWSERS = ['CONNECT', 'TRACE', 'TRACK']
/** What a header may hold, as keys do. */
const HEADER_TEXT = /^[\x20-\x7e]*$/

/** Sends a request of the log once more, through all that a request goes through. */
export const resendAction = (send: Send): Action => ({
  path: '/console/requests/:id/send',
  operation: 'sendAgain',
  act: async ({ view, params: { id = '' }, fields }) => {
    const { worlds } = view.sandbox
    const recording = recordingOf(view, id)
    const body = resendable(recording)
    if (!body.complete) return 'Its body was too long for the log to keep it whole.'
    if (NOT_FOR_BROWSERS.includes(recording.method)) {
      throw broken(undefined, `a ${recording.method} request cannot be sent again from here`)
    }
    if (!HEADER_TEXT.test(fields.key ?? '')) {
      throw broken('key', `${JSON.stringify(fields.key)} has characters that no header can carry`)
    }
    const key = fields.key === undefined ? [] : [['x-api-key', fields.key] as const]
    const isRead = recording.method === 'GET' || recording.method === 'HEAD'
    const text = isRead ? body.text : edited(body.text, fields.body)
    const answer = await send(
      // A path may begin with two slashes: it is no address of another host.
      new Request(`http://localhost${pathOf(recording)}`, {
        method: recording.method,
        headers: Object.fromEntries([...sentHeaders(recording), ...key]),
        ...(text === undefined ? {} : { body: text }),
      }),
    )
    const opened = (fields.key && view.sandbox.findKey(fields.key)?.opened) || worlds.main
    const [newest] = opened.line.requests.newest({}, 0, 1)
    const sent = answer.headers.get('x-request-id') ?? newest?.id
    if (!view.sandbox.keepsRequests || sent === undefined) return 'It was sent.'
    const elsewhere =
      opened === view.opened
        ? ''
        : ' It had no key of the world that you were in, so it went to this one.'
    return {
      to: addressIn(opened.key && opened.line.id, `/requests/${sent}`),
      told: `It was sent again: this is what came of it.${elsewhere}`,
    }
  },
})
