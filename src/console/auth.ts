import type { Context } from 'hono'
import { getCookie, setCookie } from 'hono/cookie'
import { type Access, assertSameOrigin } from '../http/pipeline/host-origin-guards.js'
import type { Scope } from '../runtime/tenants.js'
import { cookieName, cookieSettings } from './cookies.js'
import { Tickets } from './tickets.js'

/**
 * The same checks as for the control API, except that links on other sites may lead to a page: such a site
 * cannot read the page, frame it, or send more than its address.
 */
const assertAllowed = (c: Context, { assertHost }: Access): void => {
  if (!isNavigation(c)) assertSameOrigin(c, 'console')
  assertHost(c)
}

/** Whether the browser shows the response as a page, after a click on a link or a typed address. */
const isNavigation = (c: Context): boolean =>
  (c.req.method === 'GET' || c.req.method === 'HEAD') &&
  c.req.header('origin') === undefined &&
  c.req.header('sec-fetch-mode') === 'navigate' &&
  c.req.header('sec-fetch-dest') === 'document'

export interface ConsoleAuth {
  readonly assertAllowed: (c: Context) => void
  /** The scope of the browser's session; undefined without a session, unless none is needed. */
  readonly findScope: (c: Context) => Scope | undefined
  /** Starts a session if the token is right. */
  readonly signIn: (c: Context, token: string) => boolean
}

const SESSION_SECONDS = 12 * 60 * 60

/** Sessions are in memory: a restart ends them. */
export const createConsoleAuth = (access: Access, now: () => number): ConsoleAuth => {
  /** Tokens: a removed tenant's opens nothing any more. */
  const sessions = new Tickets<string>(now, SESSION_SECONDS)
  return {
    assertAllowed: (c) => assertAllowed(c, access),
    findScope: (c) => access.findScope(sessions.find(getCookie(c, cookieName(c, 'session')))),
    signIn: (c, token) => {
      if (!access.needsToken) return true
      if (!access.findScope(token)) return false
      const settings = { ...cookieSettings(c), maxAge: SESSION_SECONDS }
      setCookie(c, cookieName(c, 'session'), sessions.issue(token), settings)
      return true
    },
  }
}
