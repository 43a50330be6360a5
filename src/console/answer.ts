import type { Context } from 'hono'

/** Scripts, styles and pictures come from here alone, forms lead here alone, and nobody frames a page. */
const POLICY = [
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
 * What every answer of the console carries. Whoever has opened a page in a tab cannot lead it elsewhere
 * later, such as to one that looks alike and asks for the token. The referrer goes to our own pages: without one, browsers
 * would send forms without their origin.
 */
const HEADERS = {
  'content-security-policy': POLICY,
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'same-origin',
  'cache-control': 'no-store',
}

export const withHeaders = (c: Context): void => {
  for (const [name, value] of Object.entries(HEADERS)) c.header(name, value)
}

/** A path of this sandbox: whatever came, a redirect never leads elsewhere. */
export const localPath = (text: string | undefined): string => {
  if (text === undefined || !/^\/(?![/\\])/.test(text)) return '/'
  try {
    const { origin, pathname, search } = new URL(text, 'http://local')
    return origin === 'http://local' && !pathname.startsWith('//') ? pathname + search : '/'
  } catch {
    return '/'
  }
}
