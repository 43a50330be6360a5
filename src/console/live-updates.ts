import type { Context } from 'hono'
import { EVENT_STREAM } from '../http/pipeline/response-headers.js'
import { type PageContext, readState } from './page-context.js'

/** Makes a page reload if its world is deleted. */
export const sendGone = (c: Context): Response =>
  c.body('event: gone\ndata: {}\n\n', 200, { 'content-type': 'text/event-stream' })

/** Sends an event without content per change. The page then fetches itself. */
export const streamTicks = (c: Context, { live, boot }: PageContext): Response => {
  for (const [name, value] of Object.entries(EVENT_STREAM)) c.header(name, value)
  if (c.req.method === 'HEAD') return c.body(null)
  return c.body(live.subscriptions.openTicks(() => readState(live), { boot }))
}
