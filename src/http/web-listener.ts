import type { ServerResponse } from 'node:http'
import { sentAlready } from './cut.js'
import type { App } from './face.js'

/**
 * What answers Node's requests in the way of the web. Those whose target or Host no URL can be made of are
 * left without an answer. `fail` hears of what is thrown, and answers in its place.
 */
export const webListener = async (
  { fetch }: Pick<App, 'fetch'>,
  fail: (bug: unknown, outgoing: ServerResponse) => void,
) => {
  const { getRequestListener } = await import('@hono/node-server')
  const answer: App['fetch'] = (request, env) => {
    const failed = (bug: unknown) => {
      fail(bug, (env as { outgoing: ServerResponse }).outgoing)
      return sentAlready()
    }
    try {
      const response = fetch(request, env)
      return response instanceof Promise ? response.catch(failed) : response
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
