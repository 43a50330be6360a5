import type { Context } from 'hono'
import { deleteCookie, getCookie, setCookie } from 'hono/cookie'
import { truncate } from '../lib/text.js'
import { BRIEF_SECONDS, cookieName, cookieSettings } from './cookies.js'
import { Tickets } from './expiring-tickets.js'

/** What the last action came to, as the next page tells it. */
export interface Notice {
  /** `undoable` is done, and an undo would take just that back. */
  readonly kind: 'done' | 'undoable' | 'error'
  readonly text: string
}

export interface Notices {
  /** Leaves a notice for the page that an action leads to. */
  readonly leave: (c: Context, notice: Notice) => void
  /** Takes the notice that was left. A page that follows the world leaves it to the others. */
  readonly take: (c: Context) => Notice | undefined
}

/** A longer text is no sentence. */
const MAX_LENGTH = 600

/** Notices stay on the server, since a cookie could be set by a page of another port. */
export const createNotices = (now: () => number): Notices => {
  const tickets = new Tickets<Notice>(now, BRIEF_SECONDS)
  return {
    leave: (c, { kind, text }) => {
      const ticket = tickets.issue({ kind, text: truncate(text, MAX_LENGTH) })
      const settings = { ...cookieSettings(c), maxAge: BRIEF_SECONDS }
      setCookie(c, cookieName(c, 'notice'), ticket, settings)
    },
    take: (c) => {
      if (c.req.header('x-live') !== undefined) return undefined
      const name = cookieName(c, 'notice')
      const ticket = getCookie(c, name)
      if (ticket === undefined) return undefined
      const notice = tickets.find(ticket)
      tickets.delete(ticket)
      deleteCookie(c, name, cookieSettings(c))
      return notice
    },
  }
}
