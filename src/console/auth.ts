import type { Context } from 'hono'
import { getCookie, setCookie } from 'hono/cookie'
import type { Access } from '../http/host-guard.js'
import { assertSameOrigin } from '../http/origin-guard.js'
import { isSameSecret } from '../lib/secrets.js'
import { cookieName, cookieSettings } from './cookies.js'
import { Tickets } from './expiring-tickets.js'

/**
 * Who may use the console: the same as the control face, but that a link on another site may lead here.
 * That site learns nothing from it: it cannot read the page, frame it, or send more than its address.
 */
const assertAllowed = (c: Context, { assertHost }: Access): void => {
  if (!isVisit(c)) assertSameOrigin(c, 'console')
  assertHost(c)
}

/** Whether a browser comes to show a page in a tab, as by a link or the address bar. */
const isVisit = (c: Context): boolean =>
  (c.req.method === 'GET' || c.req.method === 'HEAD') &&
  c.req.header('origin') === undefined &&
  c.req.header('sec-fetch-mode') === 'navigate' &&
  c.req.header('sec-fetch-dest') === 'document'

export interface ConsoleAuth {
  readonly assertAllowed: (c: Context) => void
  /** Whether the browser has a session, or none is needed. */
  readonly isSignedIn: (c: Context) => boolean
  /** Starts a session when the token is right. */
  readonly signIn: (c: Context, given: string) => boolean
}

const SESSION_SECONDS = 12 * 60 * 60

/** Sessions stay in memory: a new start of the sandbox ends them all. */
export const createConsoleAuth = (access: Access, now: () => number): ConsoleAuth => {
  const { controlToken } = access
  const sessions = new Tickets<true>(now, SESSION_SECONDS)
  return {
    assertAllowed: (c) => assertAllowed(c, access),
    isSignedIn: (c) =>
      controlToken === undefined ||
      sessions.find(getCookie(c, cookieName(c, 'session'))) !== undefined,
    signIn: (c, given) => {
      if (controlToken === undefined) return true
      if (!isSameSecret(given, controlToken)) return false
      const settings = { ...cookieSettings(c), maxAge: SESSION_SECONDS }
      setCookie(c, cookieName(c, 'session'), sessions.issue(true), settings)
      return true
    },
  }
}
