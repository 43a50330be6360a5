import { isIP } from 'node:net'
import { inWords } from '../../lib/app-error.js'
import { isSameSecret } from '../../lib/secrets.js'
import { sessionKey } from '../../lib/session-keys.js'
import { limitConcurrency } from '../../lib/turns.js'
import type { Sandbox } from '../../runtime/sandbox.js'
import { EVERYTHING, type Scope } from '../../worlds/tenants.js'
import type { HandlerResult } from '../operation/api.js'
import { ApiError, SandboxError } from '../operation/api-error.js'
import { nodeStreams, type RequestContext } from '../operation/context.js'
import { toJsonResponse } from './respond.js'

/** Origins and hosts that may call the APIs, beyond programs on this machine. */
export interface AccessOptions {
  readonly controlToken: string | undefined
  /** Host names besides the machine's own. */
  readonly allowHosts?: readonly string[]
  /** Origins whose pages may call the service. */
  readonly corsOrigins?: readonly string[]
}

export interface Access {
  /** Whether a caller of the control API or the console needs a token. */
  readonly needsToken: (c: RequestContext) => boolean
  /** Undefined for a wrong token. */
  readonly findScope: (c: RequestContext, token?: string) => Scope | undefined
  /** The scope of a session, which knows no token but the prefix of a tenant; the operator has none. */
  readonly findSession: (
    c: RequestContext,
    prefix: string | undefined,
    isSigned: (sessionKey: string) => boolean,
  ) => Scope | undefined
  /** Throws if its sender sent too many. */
  readonly noteWrongToken: (c: RequestContext) => void
  /** Resolves once a refusal may be sent: on a shared server they follow each other at a distance. */
  readonly delayRefusal: () => Promise<void>
  /** Sends refusals that came over a connection so late. */
  readonly refuseLate: (
    c: RequestContext,
    answer: () => Promise<HandlerResult>,
  ) => Promise<HandlerResult>
  readonly corsOrigins: readonly string[]
  /** Refuses a Host that is neither the machine's own nor allowed, against DNS rebinding. */
  readonly assertHost: (c: RequestContext) => void
}

/** Between two refusals on a shared server: a client that guesses tokens or keys leaves its time to others. */
const REFUSAL_MS = 20

/** Host names that always mean this machine. */
const OWN_HOST =
  /^(([a-z0-9-]+\.)?localhost\.?|127(\.(25[0-5]|2[0-4]\d|1?\d?\d)){3}|\[::1\])(:\d{1,5})?$/i

/** The Host of a request. In process, a request may have none; then its URL names the host. */
export const requestHost = (c: RequestContext): string =>
  c.req.header('host') ?? new URL(c.req.url).host

export const createAccess = ({
  controlToken,
  allowHosts = [],
  corsOrigins = [],
  sandbox,
  noteWrongToken,
}: AccessOptions & Pick<Access, 'noteWrongToken'> & { readonly sandbox: Sandbox }): Access => {
  const { tenants } = sandbox
  const refuseInLine = limitConcurrency(1)
  const delayRefusal = async () => {
    if (tenants) await refuseInLine(() => sandbox.sleep(REFUSAL_MS))
  }
  const tokenFor = (c: RequestContext) => controlToken ?? nodeStreams(c).controlToken
  const needsToken = (c: RequestContext) => tokenFor(c) !== undefined || tenants !== undefined
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
    needsToken,
    findScope: (c, token = '') => {
      if (!needsToken(c)) return EVERYTHING
      const own = tokenFor(c)
      const isOperator = own !== undefined && isSameSecret(own, token)
      if (isOperator) return tenants?.operatorScope ?? EVERYTHING
      return tenants?.findScope(token)
    },
    findSession: (c, prefix, isSigned) => {
      if (prefix) return tenants?.findSession(prefix, isSigned)
      const own = tokenFor(c)
      const isOperator = own !== undefined && isSigned(sessionKey(own))
      return isOperator ? (tenants?.operatorScope ?? EVERYTHING) : undefined
    },
    noteWrongToken,
    delayRefusal,
    refuseLate: async (c, answer) => {
      const answered = await answer()
      const { status } = toJsonResponse(answered) ?? {}
      if (nodeStreams(c).incoming && (status === 401 || status === 429)) await delayRefusal()
      return answered
    },
    corsOrigins,
    assertHost: (c) => {
      const host = requestHost(c)
      if (isAllowed(host)) return
      if (needsToken(c) && isBeyondRebinding(host, isFromBrowser(c))) return
      throw new SandboxError('4031', {
        field: 'Host',
        received: inWords(host),
        expected: 'localhost or 127.0.0.1',
        hint: `To allow another name, start with --allow-host ${parseHostname(host)}`,
      })
    },
  }
}

/** Whether a browser sent the request. Over plain HTTP, browsers leave these headers out of most GETs. */
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

/** Refuses requests that a browser sends on behalf of another site, unless it is one of `origins`. */
export const assertSameOrigin = (
  c: RequestContext,
  api: string,
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
      `The request comes from another site${origin ? `, ${origin}` : ''}, to Host ${host}. The ${api} accepts only the sandbox’s own pages, and programs${hint}.`,
    )
  }
}

export const bearerToken = (c: RequestContext): string | undefined =>
  /^Bearer +(\S+)$/i.exec(c.req.header('authorization') ?? '')?.[1]

/**
 * Checks access to the control API, and returns what the caller sees. A page of another site must never read or
 * reset a sandbox: browsers need the sandbox's own pages, other clients the machine's own name or the token.
 */
export const authorize = (c: RequestContext, access: Access): Scope => {
  const { needsToken, assertHost } = access
  assertSameOrigin(c, 'control API')
  // A page that reaches the sandbox under another name does not know the token, but may find it.
  if (!needsToken(c) || isFromBrowser(c)) assertHost(c)
  const given = bearerToken(c)
  const scope = access.findScope(c, given)
  if (scope) return scope
  if (given !== undefined) access.noteWrongToken(c)
  throw new ApiError(
    '4011',
    {
      field: 'control token',
      received: given && inWords('a wrong one'),
      expected: 'that of --control-token or of a tenant, as authorization: Bearer <token>',
    },
    { 'www-authenticate': 'Bearer' },
  )
}
