import type { Context } from 'hono'
import { deleteCookie, getCookie, setCookie } from 'hono/cookie'
import type { Child } from 'hono/jsx'
import { truncate } from '../lib/text.js'
import { cookieName, cookieSettings } from './cookies.js'
import { Tickets } from './tickets.js'

/** The result of the last action. `undoable`: an undo reverts exactly this action. */
export interface Notice {
  readonly kind: 'done' | 'undoable' | 'error'
  readonly text: string
}

/** Shown once: a notice on the next page, or content such as a secret on the page at `to`. */
export interface Flash {
  readonly notice?: Notice
  readonly content?: { readonly to: string; readonly shown: Child }
}

export type FlashStore = ReturnType<typeof createFlashStore>

const FLASH_SECONDS = 30
const MAX_TEXT = 600

/** The server stores the text: a page on another port could set a cookie with any text. */
export const createFlashStore = (now: () => number) => {
  const tickets = new Tickets<Flash>(now, FLASH_SECONDS)
  return {
    put: (c: Context, { notice, content }: Flash): void => {
      const ticket = tickets.issue({
        ...(notice && { notice: { ...notice, text: truncate(notice.text, MAX_TEXT) } }),
        ...(content && { content }),
      })
      const settings = { ...cookieSettings(c), maxAge: FLASH_SECONDS }
      setCookie(c, cookieName(c, 'flash'), ticket, settings)
    },
    /** A refresh takes nothing. Content stays until its own page takes it. */
    take: (c: Context): Flash => {
      if (c.req.header('x-live') !== undefined) return {}
      const name = cookieName(c, 'flash')
      const ticket = getCookie(c, name)
      const flash = tickets.find(ticket)
      if (ticket === undefined || (flash?.content && flash.content.to !== pathOf(c))) return {}
      tickets.delete(ticket)
      deleteCookie(c, name, cookieSettings(c))
      return flash ?? {}
    },
  }
}

const pathOf = (c: Context): string | undefined => {
  const { pathname, search } = new URL(c.req.url)
  return c.req.method === 'GET' ? pathname + search : undefined
}
