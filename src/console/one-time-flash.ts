import type { Context } from 'hono'
import { deleteCookie, getCookie, setCookie } from 'hono/cookie'
import type { Child } from 'hono/jsx'
import { BRIEF_SECONDS, cookieName, cookieSettings } from './cookies.js'
import { Tickets } from './expiring-tickets.js'

export type FlashStore = ReturnType<typeof createFlashStore>

/**
 * What an action has made and can show once, such as a secret, until the page that it leads to takes it. The
 * browser gets a ticket alone, so that a reload neither shows it again nor makes another.
 */
export const createFlashStore = (now: () => number) => {
  const tickets = new Tickets<{ readonly to: string; readonly shown: Child }>(now, BRIEF_SECONDS)
  return {
    /** Leaves it for the page at `to`, path and query. */
    leave: (c: Context, to: string, shown: Child): void => {
      const settings = { ...cookieSettings(c), maxAge: BRIEF_SECONDS }
      setCookie(c, cookieName(c, 'made'), tickets.issue({ to, shown }), settings)
    },
    /** What was left for the page at `here`. One that only follows the world leaves it to the others. */
    take: (c: Context, here: string): Child | undefined => {
      const name = cookieName(c, 'made')
      const ticket = getCookie(c, name) ?? ''
      const made = tickets.find(ticket)
      if (made?.to !== here || c.req.method !== 'GET' || c.req.header('x-live')) return undefined
      tickets.delete(ticket)
      deleteCookie(c, name, cookieSettings(c))
      return made.shown
    },
  }
}
