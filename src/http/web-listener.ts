import type { IncomingMessage, ServerResponse } from 'node:http'
import type { App } from './api.js'
import { sentAlready } from './dropped-connection.js'

/**
 * What answers Node's requests in the way of the web. Those whose target or Host no URL can be made of are
 * left without an answer. `fail` hears of what is thrown, and answers in its place.
 */
export const createWebListener = async (
  { fetch }: Pick<App, 'fetch'>,
  fail: (bug: unknown, outgoing: ServerResponse) => void,
) => {
  const { getRequestListener } = await import('@hono/node-server')
  const answer: App['fetch'] = (request, env) => {
    const { incoming, outgoing } = env as Sides
    const failed = (bug: unknown) => {
      fail(bug, outgoing)
      return sentAlready()
    }
    try {
      const response = fetch(request, env)
      return response instanceof Promise
        ? response.then((it) => unlessGone(it, incoming), failed)
        : unlessGone(response, incoming)
    } catch (bug) {
      return failed(bug)
    }
  }
  return getRequestListener(answer, {
    // Its own answer is no error body.
    errorHandler: () => undefined,
    // They are those of the whole process, where a sandbox may be a guest.
    overrideGlobalObjects: false,
  })
}

interface Sides {
  readonly incoming: IncomingMessage
  readonly outgoing: ServerResponse
}

/** A stream to a client that has hung up before it began would stay open until it has something to say. */
const unlessGone = (response: Response, { socket }: IncomingMessage): Response => {
  if (!socket.readableEnded) return response
  const { status, headers, body } = response
  if (headers.get('content-type') !== 'text/event-stream') return response
  void body?.cancel()
  return new Response(null, { status, headers })
}
