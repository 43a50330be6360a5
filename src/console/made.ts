import type { Context } from 'hono'
import { deleteCookie, getCookie, setCookie } from 'hono/cookie'
import type { Child } from 'hono/jsx'
import { later } from '../clock.js'
import { newRequestId } from '../http/request-id.js'
import { BRIEF_SECONDS, cookieName, cookieSettings } from './notice.js'

export type MadeThings = ReturnType<typeof madeThings>

/**
 * What an action has made and can show once, such as a secret, until the page that it leads to takes it. The
 * browser gets no more of it than a number, so that a reload neither shows it again nor makes another.
 */
export const madeThings = () => {
  const waiting = new Map<string, { readonly to: string; readonly shown: Child }>()
  return {
    /** Leaves it for the page at `to`, path and query. */
    leave: (c: Context, to: string, shown: Child): void => {
      const ticket = newRequestId()
      waiting.set(ticket, { to, shown })
      later(BRIEF_SECONDS * 1_000, () => waiting.delete(ticket))
      const settings = { ...cookieSettings(c), maxAge: BRIEF_SECONDS }
      setCookie(c, cookieName(c, 'made'), ticket, settings)
    },
    /** What was left for the page at `here`. One that only follows the world leaves it to the others. */
    take: (c: Context, here: string): Child | undefined => {
      const name = cookieName(c, 'made')
      const ticket = getCookie(c, name) ?? ''
      const made = waiting.get(ticket)
      if (made?.to !== here || c.req.method !== 'GET' || c.req.header('x-live')) return undefined
      waiting.delete(ticket)
      deleteCookie(c, name, cookieSettings(c))
      return made.shown
    },
  }
}
