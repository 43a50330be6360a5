import type { Context } from 'hono'
import { getCookie, setCookie } from 'hono/cookie'
import { type Access, assertSameOrigin } from '../http/pipeline/host-origin-guards.js'
import { isSameSecret } from '../lib/secrets.js'
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
  /** Without a control token, always true. */
  readonly isSignedIn: (c: Context) => boolean
  /** Starts a session if the token is right. */
  readonly signIn: (c: Context, token: string) => boolean
}

const SESSION_SECONDS = 12 * 60 * 60

/** Sessions are in memory: a restart ends them. */
export const createConsoleAuth = (access: Access, now: () => number): ConsoleAuth => {
  const { controlToken } = access
  const sessions = new Tickets<true>(now, SESSION_SECONDS)
  return {
    assertAllowed: (c) => assertAllowed(c, access),
    isSignedIn: (c) =>
      controlToken === undefined ||
      sessions.find(getCookie(c, cookieName(c, 'session'))) !== undefined,
    signIn: (c, token) => {
      if (controlToken === undefined) return true
      if (!isSameSecret(token, controlToken)) return false
      const settings = { ...cookieSettings(c), maxAge: SESSION_SECONDS }
      setCookie(c, cookieName(c, 'session'), sessions.issue(true), settings)
      return true
    },
  }
}
