import type { Inbound } from './inbound.js'
import { hostOf } from './own-host.js'
import { WireError } from './wire-error.js'

/** Refuses what a browser sends on behalf of another site. */
export const assertOwnPage = (c: Inbound, face = 'control face'): void => {
  const origin = c.req.header('origin')
  const host = hostOf(c)
  const foreign =
    origin !== undefined && origin !== `http://${host}` && origin !== `https://${host}`
  const site = c.req.header('sec-fetch-site')
  if (foreign || site === 'cross-site' || site === 'same-site') {
    throw new WireError(
      '4031',
      `the request comes from another site${origin ? `, ${origin}` : ''}, to Host ${host}; the ${face} answers only the sandbox’s own pages and programs`,
    )
  }
}
