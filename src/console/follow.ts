import type { Context } from 'hono'
import { EVENT_STREAM } from '../http/event-stream.js'
import { WireError } from '../http/wire-error.js'
import { stateOf, type View } from './view.js'

/** A page whose world has gone is told so once, and asks for itself anew. */
export const tellGone = (c: Context): Response =>
  c.body('event: gone\ndata: {}\n\n', 200, { 'content-type': 'text/event-stream' })

/** As many as the control face opens. */
const MOST_STREAMS = 100

/** Tells a page when there is news: only that, for the page then asks for what it shows. */
export const follow = (c: Context, { line, sandbox, boot }: View): Response => {
  if (sandbox.streams >= MOST_STREAMS) {
    throw new WireError(
      '5030',
      `${MOST_STREAMS} streams are open, which is the limit; close a page`,
    )
  }
  for (const [name, value] of Object.entries(EVENT_STREAM)) c.header(name, value)
  if (c.req.method === 'HEAD') return c.body(null)
  return c.body(line.feed.openTicks(() => stateOf(line), { boot }))
}
