import type { Context } from 'hono'
import { requestHost } from '../http/host-guard.js'

/** Cookies are shared by all ports of a host, so that each sandbox has names of its own. */
export const cookieName = (c: Context, what: string): string => {
  const port = /:(\d+)$/.exec(requestHost(c))?.[1] ?? '80'
  return `sandramp_${what}_${port}`
}

export const cookieSettings = (c: Context) =>
  ({
    path: '/',
    httpOnly: true,
    sameSite: 'Strict',
    secure: c.req.url.startsWith('https:'),
  }) as const

/** By then a browser has long followed a redirect. */
export const BRIEF_SECONDS = 30
