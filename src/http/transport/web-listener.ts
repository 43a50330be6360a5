import type { ServerResponse } from 'node:http'
import type { App } from '../operation/api.js'
import type { NodeStreams } from '../operation/context.js'
import { isEventStream } from '../pipeline/response-headers.js'
import { sentAlready } from './fetch-response.js'

/**
 * Answers Node's requests through the fetch API. A request whose target or Host forms no URL gets no
 * response here. `fail` receives errors and responds in its place.
 */
export const createWebListener = async (
  { fetch }: Pick<App, 'fetch'>,
  controlToken: string | undefined,
  fail: (bug: unknown, outgoing: ServerResponse) => void,
) => {
  const { getRequestListener } = await import('@hono/node-server')
  const answer: App['fetch'] = (request, env) => {
    const { outgoing } = env as Required<NodeStreams>
    const failed = (bug: unknown) => {
      fail(bug, outgoing)
      return sentAlready()
    }
    try {
      const response = fetch(request, { ...env, controlToken })
      return response instanceof Promise
        ? response.then((it) => endWithClient(it, outgoing), failed)
        : endWithClient(response, outgoing)
    } catch (bug) {
      return failed(bug)
    }
  }
  return getRequestListener(answer, {
    // The default handler sends no error body.
    errorHandler: () => undefined,
    // The global objects belong to the whole process, in which the sandbox may be a guest.
    overrideGlobalObjects: false,
  })
}

/** A stream would notice only with its next event that its client has left. */
const endWithClient = (response: Response, outgoing: ServerResponse): Response => {
  const { status, headers, body } = response
  if (!isEventStream(headers)) return response
  const { socket } = outgoing.req
  if (socket.readableEnded) {
    void body?.cancel()
    return new Response(null, { status, headers })
  }
  socket.once('end', () => outgoing.destroy())
  return response
}
