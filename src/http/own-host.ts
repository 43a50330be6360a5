import type { Inbound } from './inbound.js'
import { OwnError } from './wire-error.js'

/** Names under which only the machine itself can be meant; against DNS rebinding. */
const OWN_HOST =
  /^(([a-z0-9-]+\.)?localhost\.?|127(\.(25[0-5]|2[0-4]\d|1?\d?\d)){3}|\[::1\])(:\d{1,5})?$/i

/** The host that a request names; two headers together name none. */
export const hostOf = (c: Inbound): string => c.req.header('host') ?? new URL(c.req.url).host

/** The last host that was found to be this machine's: nearly all requests name the same one. */
let known: string | undefined

/** Refuses a request that names another host than this machine. */
export const assertOwnHost = (c: Inbound): void => {
  const host = hostOf(c)
  if (host === known) return
  if (OWN_HOST.test(host)) {
    known = host
    return
  }
  throw new OwnError(
    '4031',
    `Host ${host} came; accepted: localhost or 127.0.0.1. To be reached by another name, start with --control-token`,
  )
}
