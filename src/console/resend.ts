import type { Action } from './actions.js'
import { addressIn } from './addresses.js'
import { edited, pathOf, recordingOf, resendable, sentHeaders } from './recordings.js'

/** Answers a request as if it had come over the wire. */
export type Send = (request: Request) => Response | Promise<Response>

/** Sends a request of the log once more, through all that a request goes through. */
export const resendAction = (send: Send): Action => ({
  path: '/console/requests/:id/send',
  operation: 'sendAgain',
  act: async ({ view, params: { id = '' }, fields }) => {
    const { worlds } = view.sandbox
    const recording = recordingOf(view, id)
    const body = resendable(recording)
    if (!body.complete) return 'Its body was too long for the log to keep it whole.'
    const key = fields.key === undefined ? [] : [['x-api-key', fields.key] as const]
    const isRead = recording.method === 'GET' || recording.method === 'HEAD'
    const text = isRead ? body.text : edited(body.text, fields.body)
    const answer = await send(
      new Request(new URL(pathOf(recording), 'http://localhost'), {
        method: recording.method,
        headers: Object.fromEntries([...sentHeaders(recording), ...key]),
        ...(text === undefined ? {} : { body: text }),
      }),
    )
    const opened = (fields.key && view.sandbox.findKey(fields.key)?.opened) || worlds.main
    const [newest] = opened.line.requests.newest({}, 0, 1)
    const sent = answer.headers.get('x-request-id') ?? newest?.id
    if (!view.sandbox.keepsRequests || sent === undefined) return 'It was sent.'
    const elsewhere = opened === view.opened ? '' : ' The key is one of another world, this one.'
    return {
      to: addressIn(opened.key && opened.line.id, `/requests/${sent}`),
      told: `It was sent again: this is what came of it.${elsewhere}`,
    }
  },
})
