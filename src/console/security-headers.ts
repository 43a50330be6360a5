import type { Context } from 'hono'

/** Pages load scripts, styles and images only from here, send forms only here, and cannot be framed. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ')

/**
 * The opener policy keeps a page that opened the console from replacing it by a look-alike that asks for the
 * token. Without a referrer, browsers would send forms without their origin.
 */
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
