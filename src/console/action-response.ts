import type { Context } from 'hono'
import { ApiError } from '../http/operation/api-error.js'
import type { Outcome } from './actions.js'
import type { FlashStore, Notice } from './flash.js'
import type { Page } from './page-context.js'

/** Returns `/` for addresses of other hosts, so that no redirect leaves the sandbox. */
export const toLocalPath = (text: string | undefined): string => {
  if (text === undefined || !/^\/(?![/\\])/.test(text)) return '/'
  try {
    const { origin, pathname, search } = new URL(text, 'http://local')
    return origin === 'http://local' && !pathname.startsWith('//') ? pathname + search : '/'
  } catch {
    return '/'
  }
}

/** Redirects to a page, so that a reload repeats the page and not the action. */
export const respondToAction = (
  c: Context,
  outcome: Outcome | ApiError,
  {
    back,
    done,
    flash,
    show,
  }: {
    /** The page of the form. */
    readonly back: string
    readonly done: Notice['kind']
    readonly flash: FlashStore
    readonly show: (page: Page) => Promise<Response>
  },
): Response | Promise<Response> => {
  if (outcome instanceof ApiError) {
    // The page of the form shows why the action was rejected.
    flash.put(c, { notice: { kind: 'error', text: outcome.message } })
    return redirect(c, back)
  }
  if (typeof outcome === 'string') {
    flash.put(c, { notice: { kind: done, text: outcome } })
    return redirect(c, back)
  }
  if ('body' in outcome) return show(outcome)
  const { to, message, shownOnce } = outcome
  flash.put(c, {
    ...(message !== undefined && { notice: { kind: done, text: message } }),
    ...(shownOnce !== undefined && { content: { to, shown: shownOnce } }),
  })
  return redirect(c, to)
}

const redirect = (c: Context, to: string): Response => {
  const shown = c.req.header('hx-current-url')
  if (c.req.header('hx-request') === undefined || (shown !== undefined && isPage(to, shown))) {
    return c.redirect(to, 303)
  }
  // htmx would update the page in place under the old address.
  c.header('hx-redirect', to)
  return c.body(null)
}

/** The client sends the address, so it may be invalid. */
const isPage = (page: string, address: string): boolean => {
  if (!URL.canParse(address)) return false
  const { pathname, search } = new URL(address)
  return pathname + search === page
}
