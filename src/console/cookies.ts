import type { Context } from 'hono'
import { requestHost } from '../http/pipeline/host-origin-guards.js'

/** Browsers send a cookie to all ports of a host, so the name contains the port. */
export const cookieName = (c: Context, purpose: string): string => {
  const port = /:(\d+)$/.exec(requestHost(c))?.[1] ?? '80'
  return `sandramp_${purpose}_${port}`
}

export const cookieSettings = (c: Context) =>
  ({
    path: '/',
    httpOnly: true,
    sameSite: 'Strict',
    secure: c.req.url.startsWith('https:'),
  }) as const
