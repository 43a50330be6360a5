import { SandboxError } from './api-error.js'
import type { RequestContext } from './context.js'
import { requestHost } from './host-guard.js'

/** Refuses what a browser sends on behalf of another site, unless that site is one of `origins`. */
export const assertSameOrigin = (
  c: RequestContext,
  face: string,
  origins: readonly string[] = [],
  hint = '',
): void => {
  const origin = c.req.header('origin')
  if (origin !== undefined && origins.includes(origin)) return
  const host = requestHost(c)
  const foreign =
    origin !== undefined && origin !== `http://${host}` && origin !== `https://${host}`
  const site = c.req.header('sec-fetch-site')
  if (foreign || site === 'cross-site' || site === 'same-site') {
    throw new SandboxError(
      '4031',
      `the request comes from another site${origin ? `, ${origin}` : ''}, to Host ${host}; the ${face} answers only the sandbox’s own pages and programs${hint}`,
    )
  }
}
