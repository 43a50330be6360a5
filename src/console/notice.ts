import type { Context } from 'hono'
import { deleteCookie, getCookie, setCookie } from 'hono/cookie'
import { hostOf } from '../http/access.js'
import { shortened } from '../world/shortened.js'

/** What the last action came to, as the next page tells it. */
export interface Notice {
  /** `undoable` is done, and an undo would take just that back. */
  readonly kind: 'done' | 'undoable' | 'error'
  readonly text: string
}

/** More than this is no sentence, and would not fit into a cookie once it is encoded. */
const LONGEST = 600
/** By then a browser has long followed a redirect. */
export const BRIEF_SECONDS = 30

/** Cookies are shared by all ports of a host, so that each sandbox has names of its own. */
export const cookieName = (c: Context, what: string): string => {
  const port = /:(\d+)$/.exec(hostOf(c))?.[1] ?? '80'
  return `sandramp_${what}_${port}`
}

export const isSecure = (c: Context): boolean => c.req.url.startsWith('https:')

export const cookieSettings = (c: Context) =>
  ({ path: '/', httpOnly: true, sameSite: 'Strict', secure: isSecure(c) }) as const

/** Leaves a notice for the page that an action leads to. */
export const leaveNotice = (c: Context, { kind, text }: Notice): void => {
  setCookie(c, cookieName(c, 'notice'), `${kind}:${wellFormed(shortened(text, LONGEST))}`, {
    ...cookieSettings(c),
    maxAge: BRIEF_SECONDS,
  })
}

/** Half of a character, which what is told of may hold, cannot be encoded. */
const wellFormed = (text: string): string => Buffer.from(text).toString()

/** The notice that was left, which is shown once. A page that follows the world leaves it to the others. */
export const takeNotice = (c: Context): Notice | undefined => {
  if (c.req.header('x-live') !== undefined) return undefined
  const name = cookieName(c, 'notice')
  const [, kind, text] = /^(done|undoable|error):(.+)$/s.exec(getCookie(c, name) ?? '') ?? []
  if (kind === undefined || text === undefined) return undefined
  deleteCookie(c, name, cookieSettings(c))
  return { kind: kind as Notice['kind'], text }
}
