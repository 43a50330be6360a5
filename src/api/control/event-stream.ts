import * as z from 'zod'
import type { RequestView } from '../../http/operation/context.js'
import { EVENT_STREAM } from '../../http/pipeline/response-headers.js'

export const eventStreamAnswers = {
  200: {
    description: 'The stream',
    schema: z.string().meta({ description: 'Server-sent events' }),
    type: 'text/event-stream',
  },
}

/** Nobody would read or close the body of a HEAD request. */
export const sendEvents = ({ method }: RequestView, open: () => ReadableStream): Response =>
  new Response(method === 'HEAD' ? null : open(), { headers: EVENT_STREAM })
