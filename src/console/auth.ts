import { createHmac, randomBytes } from 'node:crypto'
import type { Context } from 'hono'
import { deleteCookie, getCookie, setCookie } from 'hono/cookie'
import { type Access, assertSameOrigin, requestHost } from '../http/pipeline/host-origin-guards.js'
import { isSameSecret } from '../lib/secrets.js'
import { isSessionSigned, signSession } from '../lib/session-keys.js'
import { truncate } from '../lib/text.js'
import type { Scope } from '../worlds/tenants.js'
import { THEMES, type Theme, type Toast } from './page-context.js'

const CONTENT_SECURITY_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; " +
  "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

// The opener policy keeps a page that opened the console from replacing it by a look-alike.
// Without a referrer, browsers would send forms without their origin.
const HEADERS = {
  'content-security-policy': CONTENT_SECURITY_POLICY,
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'same-origin',
  'cache-control': 'no-store',
}

export const setSecurityHeaders = (c: Context): void => {
  for (const [name, value] of Object.entries(HEADERS)) c.header(name, value)
}

const isNavigation = (c: Context): boolean =>
  (c.req.method === 'GET' || c.req.method === 'HEAD') &&
  c.req.header('origin') === undefined &&
  c.req.header('sec-fetch-mode') === 'navigate' &&
  c.req.header('sec-fetch-dest') === 'document'

const SESSION_SECONDS = 12 * 60 * 60
const TOAST_SECONDS = 30
const THEME_SECONDS = 365 * 24 * 60 * 60
const MAX_TOAST = 600

const sign = (key: string, text: string): string =>
  createHmac('sha256', key).update(text).digest('base64url')

/** Browsers send a cookie to all ports of a host, so the name contains the port. */
const cookieName = (c: Context, purpose: string): string =>
  `sandramp_${purpose}_${/:(\d+)$/.exec(requestHost(c))?.[1] ?? '80'}`

const cookieSettings = (c: Context) => {
  const secure = c.req.url.startsWith('https:')
  return { path: '/', httpOnly: true, sameSite: 'Strict', secure } as const
}

const readCookie = (c: Context, purpose: string): string | undefined =>
  getCookie(c, cookieName(c, purpose))

const writeCookie = (c: Context, purpose: string, value: string, maxAge: number): void =>
  setCookie(c, cookieName(c, purpose), value, { ...cookieSettings(c), maxAge })

/** Signed cookies, so that each replica accepts them. A key that follows from the token signs a session. */
export const createConsoleAuth = (access: Access, now: () => number) => {
  const secret = randomBytes(32).toString('hex')
  /** A page on another port of the host could set both cookies. */
  const toastKey = (c: Context): string =>
    access.needsToken(c) ? (readCookie(c, 'session') ?? secret) : secret

  return {
    /** Links on other sites may lead to a page: such a site cannot read or frame it. */
    assertAllowed: (c: Context): void => {
      if (!isNavigation(c)) assertSameOrigin(c, 'console')
      access.assertHost(c)
    },
    /** Undefined without a session, unless none is needed. */
    findScope: (c: Context): Scope | undefined => {
      if (!access.needsToken(c)) return access.findScope(c)
      const [, signed = '', expires, prefix, signature = ''] =
        /^((\d{1,15})\.(\w*))\.([\w-]+)$/.exec(readCookie(c, 'session') ?? '') ?? []
      const left_ms = Number(expires) - now()
      if (!(left_ms > 0 && left_ms <= SESSION_SECONDS * 1_000)) return undefined
      return access.findSession(c, prefix, (key) => isSessionSigned(key, signed, signature))
    },
    signIn: (c: Context, token: string): boolean => {
      if (!access.needsToken(c)) return true
      const scope = access.findScope(c, token)
      if (!scope) access.noteWrongToken(c)
      if (!scope) return false
      const signed = `${now() + SESSION_SECONDS * 1_000}.${scope.prefix ?? ''}`
      const session = `${signed}.${signSession(token, signed)}`
      writeCookie(c, 'session', session, SESSION_SECONDS)
      return true
    },
    readTheme: (c: Context): Theme =>
      THEMES.find((it) => it === readCookie(c, 'theme')) ?? 'system',
    putTheme: (c: Context, theme = ''): void => writeCookie(c, 'theme', theme, THEME_SECONDS),
    putToast: (c: Context, toast: Toast): void => {
      const value = JSON.stringify({ ...toast, text: truncate(toast.text, MAX_TOAST) })
      const signed = Buffer.from(value).toString('base64url')
      writeCookie(c, 'toast', `${signed}.${sign(toastKey(c), signed)}`, TOAST_SECONDS)
    },
    takeToast: (c: Context): Toast | undefined => {
      const cookie = readCookie(c, 'toast')
      if (cookie === undefined) return undefined
      deleteCookie(c, cookieName(c, 'toast'), cookieSettings(c))
      const [signed = '', signature = ''] = cookie.split('.')
      if (!isSameSecret(sign(toastKey(c), signed), signature)) return undefined
      return JSON.parse(Buffer.from(signed, 'base64url').toString())
    },
  }
}
