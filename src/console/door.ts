import type { Context } from 'hono'
import { getCookie, setCookie } from 'hono/cookie'
import type { Access } from '../http/access.js'
import { assertOwnPage } from '../http/own-page.js'
import { hashSecret, isSameSecret } from '../secrets.js'
import { cookieName, isSecure } from './notice.js'

/**
 * Who may use the console: the same as the control face, but that a link on another site may lead here.
 * That site learns nothing from it: it cannot read the page, frame it, or send more than its address.
 */
export const assertAllowed = (c: Context, { assertHost }: Access): void => {
  if (!isVisit(c)) assertOwnPage(c, 'console')
  assertHost(c)
}

/** Whether a browser comes to show a page in a tab, as by a link or the address bar. */
const isVisit = (c: Context): boolean =>
  (c.req.method === 'GET' || c.req.method === 'HEAD') &&
  c.req.header('origin') === undefined &&
  c.req.header('sec-fetch-mode') === 'navigate' &&
  c.req.header('sec-fetch-dest') === 'document'

/** What the cookie holds: not the token itself, so that nobody who sees it can use the control face. */
const passOf = (token: string): string => hashSecret(`console ${token}`)

/** Whether the browser has shown the token before, where there is one. */
export const isSignedIn = (c: Context, token: string | undefined): boolean => {
  if (token === undefined) return true
  const given = getCookie(c, cookieName(c, 'pass'))
  return given !== undefined && isSameSecret(given, passOf(token))
}

/** Lets the browser in when the token is right. */
export const signIn = (c: Context, token: string, given: string): boolean => {
  if (!isSameSecret(given, token)) return false
  setCookie(c, cookieName(c, 'pass'), passOf(token), {
    path: '/',
    httpOnly: true,
    sameSite: 'Strict',
    secure: isSecure(c),
  })
  return true
}
