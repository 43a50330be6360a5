import type { Context } from 'hono'
import { ApiError } from '../http/api-error.js'
import { EVENT_STREAM } from '../http/event-stream.js'
import { type PageContext, readState } from './page-context.js'

/** A page whose world has gone is told so once, and asks for itself anew. */
export const tellGone = (c: Context): Response =>
  c.body('event: gone\ndata: {}\n\n', 200, { 'content-type': 'text/event-stream' })

/** As many as the control face opens. */
const MAX_STREAMS = 100

/** Tells a page when there is news: only that, for the page then asks for what it shows. */
export const follow = (c: Context, { live, sandbox, boot }: PageContext): Response => {
  if (sandbox.streams >= MAX_STREAMS) {
    throw new ApiError('5030', `At most ${MAX_STREAMS} streams can be open. Close a page`)
  }
  for (const [name, value] of Object.entries(EVENT_STREAM)) c.header(name, value)
  if (c.req.method === 'HEAD') return c.body(null)
  return c.body(live.subscriptions.openTicks(() => readState(live), { boot }))
}
