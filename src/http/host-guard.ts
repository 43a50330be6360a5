import { isIP } from 'node:net'
import { inWords } from '../lib/app-error.js'
import { SandboxError } from './api-error.js'
import type { RequestContext } from './context.js'

/** From where the faces may be called, beyond programs on this machine. */
export interface AccessOptions {
  readonly controlToken: string | undefined
  /** Host names beside the machine's own. */
  readonly allowHosts?: readonly string[]
  /** Origins whose pages may call the service. */
  readonly corsOrigins?: readonly string[]
}

export interface Access {
  readonly controlToken: string | undefined
  readonly corsOrigins: readonly string[]
  /** Refuses a Host that is neither the machine's own nor allowed, against DNS rebinding. */
  readonly assertHost: (c: RequestContext) => void
}

/** Names under which only the machine itself can be meant. */
const OWN_HOST =
  /^(([a-z0-9-]+\.)?localhost\.?|127(\.(25[0-5]|2[0-4]\d|1?\d?\d)){3}|\[::1\])(:\d{1,5})?$/i

/** The host that a request names; two headers together name none. */
export const requestHost = (c: RequestContext): string =>
  c.req.header('host') ?? new URL(c.req.url).host

export const createAccess = ({
  controlToken,
  allowHosts = [],
  corsOrigins = [],
}: AccessOptions): Access => {
  const allowed = new Set(allowHosts.map((name) => name.toLowerCase()))
  /** Nearly all requests name the same host as the one before. */
  let lastAllowed: string | undefined
  const isAllowed = (host: string): boolean => {
    if (host === lastAllowed) return true
    if (!OWN_HOST.test(host) && !allowed.has(parseHostname(host))) return false
    lastAllowed = host
    return true
  }
  return {
    controlToken,
    corsOrigins,
    assertHost: (c) => {
      const host = requestHost(c)
      if (isAllowed(host)) return
      if (controlToken !== undefined && isBeyondRebinding(host, isFromBrowser(c))) return
      throw new SandboxError('4031', {
        field: 'Host',
        received: inWords(host),
        expected: 'localhost or 127.0.0.1',
        hint: `To allow another name, start with --allow-host ${parseHostname(host)}`,
      })
    },
  }
}

/** Whether a browser sent it. Over plain HTTP a browser leaves these headers out of most GETs. */
export const isFromBrowser = ({ req }: RequestContext): boolean => {
  const mode = req.header('sec-fetch-mode')
  return (
    req.header('origin') !== undefined ||
    req.header('sec-fetch-site') !== undefined ||
    req.header('sec-fetch-dest') !== undefined ||
    // Node's own fetch sends `cors`, and no other of these headers.
    (mode !== undefined && mode !== 'cors')
  )
}

/**
 * Whether no DNS record of an attacker can lead to it: an address has none, and a name without a dot, as
 * containers have on their network, cannot be registered. A browser is believed the address alone.
 */
const isBeyondRebinding = (host: string, fromBrowser: boolean): boolean => {
  const name = parseHostname(host)
  return isIP(name.replace(/^\[(.*)\]$/, '$1')) !== 0 || (!fromBrowser && /^[\w-]+$/.test(name))
}

const parseHostname = (host: string): string => host.replace(/:\d{1,5}$/, '').toLowerCase()
