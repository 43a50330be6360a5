import { type Context, type Handler, Hono } from 'hono'
import { statusOf } from '../contract/errors.js'
import type { Access } from '../http/access.js'
import { newRequestId } from '../http/request-id.js'
import { WireError, wireErrorOf } from '../http/wire-error.js'
import type { Sandbox } from '../sandbox.js'
import type { Cause } from '../world/kernel/entry.js'
import { type Action, type Outcome, readForm } from './actions.js'
import { localPath, withHeaders } from './answer.js'
import { createDoor } from './door.js'
import { answerDownload } from './download.js'
import { found, nothingFoundPage, othersInWords } from './find.js'
import { follow, tellGone } from './follow.js'
import { Layout } from './layout.js'
import { type MadeThings, madeThings } from './made.js'
import { createNotices, type Notices } from './notice.js'
import { actionsOf, downloads, pageOf, pages } from './pages.js'
import type { Send } from './resend.js'
import { given } from './selecting.js'
import { ClosedPage, SignInPage, WRONG_TOKEN } from './sign-in.js'
import { nothingAt, Trouble, titleOf } from './trouble.js'
import { type DrawPage, missingWorld, type Page, type View, viewAround, viewOf } from './view.js'
import { missingWorldPage } from './worlds.js'

export interface ConsoleParts {
  readonly sandbox: Sandbox
  readonly access: Access
  /** Answers a request as if it had come over the wire. */
  readonly send: Send
  readonly report: (bug: unknown) => void
}

/** The console: pages drawn on the server, actions that lead back to them, and a stream that tells of news. */
export const createConsole = ({ sandbox, access, send, report }: ConsoleParts): Hono => {
  const { controlToken: token } = access
  const now = () => sandbox.machineTime()
  const door = createDoor(access, now)
  const notices = createNotices(now)
  const run = { boot: newRequestId(), needsToken: token !== undefined, takeNotice: notices.take }
  const look = (c: Context): View => viewOf(sandbox, c, run)
  const made = madeThings(now)
  const app = new Hono()

  /** Lets in whoever may come in, and answers what goes wrong with a page. */
  const guarded =
    (answer: (c: Context) => Response | Promise<Response>): Handler =>
    async (c) => {
      withHeaders(c)
      try {
        door.assertAllowed(c)
        if (door.isSignedIn(c)) return await kept(answer(c))
        const wrong = notices.take(c)?.text === WRONG_TOKEN
        return show(c, <SignInPage back={backOf(c)} wrong={wrong} />, 401)
      } catch (error) {
        return troubled(c, error)
      }
    }

  /** Nobody is told of what a crash could still take back. */
  const kept = async <T,>(told: T | Promise<T>): Promise<T> => {
    const it = await told
    try {
      await sandbox.flushed()
    } catch (error) {
      // A stream that nobody will read would stay open.
      if (it instanceof Response) void it.body?.cancel()
      throw error
    }
    return it
  }

  /** What cannot be done, or is a bug: told on a page, in the words of the service. */
  const troubled = (c: Context, error: unknown): Response => {
    const known = wireErrorOf(error)
    if (!known) report(error)
    const status = known ? statusOf(known.code) : 500
    const message = known?.message ?? 'The sandbox has a bug; its log tells more.'
    const title = titleOf(status)
    if (status === 403 || !door.isSignedIn(c)) {
      return show(c, <ClosedPage title={title} message={message} />, status)
    }
    const view = viewAround(sandbox, c, run)
    const missing = missingWorld(sandbox, c)
    if (missing !== undefined) return showPage(c, view, missingWorldPage(missing))
    const body = <Trouble view={view} title={title} message={message} />
    return showPage(c, view, { title, status, body })
  }

  const page = (draw: DrawPage) =>
    guarded(async (c) => {
      const seen = look(c)
      const view = { ...seen, made: made.take(c, seen.here) }
      return showPage(c, view, await draw(view, c.req.param()))
    })

  const action = ({ operation, act }: Action) =>
    guarded(async (c) => {
      const fields = await readForm(c)
      const cause: Cause = { kind: 'control', request: newRequestId(), operation }
      await look(c).line.busy
      const view = { ...look(c), here: localPath(fields.back) }
      const { history } = view.line
      const before = history.newest?.n ?? 0
      const outcome = await outcomeOf(() =>
        kept(act({ view, fields, cause, params: c.req.param() })),
      )
      const done = (history.newest?.n ?? 0) > before ? 'undoable' : 'done'
      return conclude(c, view, outcome, done, { made, notices })
    })

  for (const it of downloads)
    app.get(
      it.path,
      guarded((c) => answerDownload(c, it, look(c))),
    )
  for (const [path, draw] of pages) app.get(path, page(draw))
  for (const it of actionsOf(send)) app.post(it.path, action(it))
  app.get(
    '/find',
    guarded((c) => {
      const view = look(c)
      const text = given(view, 'q')
      const hit = text === undefined ? undefined : found(view, text)
      if (text === undefined || !hit) return showPage(c, view, nothingFoundPage(view))
      if (hit.near > 1) notices.leave(c, { kind: 'done', text: othersInWords(hit.near, text) })
      return c.redirect(view.to(hit.page), 303)
    }),
  )
  app.get(
    '/console/live',
    guarded((c) => (missingWorld(sandbox, c) === undefined ? follow(c, look(c)) : tellGone(c))),
  )
  app.post('/console/token', async (c) => {
    withHeaders(c)
    try {
      door.assertAllowed(c)
      const { token: typed = '', back } = await readForm(c)
      if (!door.signIn(c, typed)) {
        notices.leave(c, { kind: 'error', text: WRONG_TOKEN })
      }
      // Whoever goes back must not come to a form that was sent.
      return c.redirect(localPath(back), 303)
    } catch (error) {
      return troubled(c, error)
    }
  })
  app.notFound(
    guarded((c) => {
      const page = c.req.method === 'GET' ? pageOf(c.req.path) : undefined
      return page === undefined ? troubled(c, nothingAt(c)) : c.redirect(look(c).to(page), 303)
    }) as (c: Context) => Promise<Response>,
  )
  return app
}

const show = (c: Context, element: { toString(): string }, status: number): Response =>
  c.html(`<!DOCTYPE html>${element}`, status as 200)

const showPage = (c: Context, view: View, page: Page): Response =>
  show(c, <Layout view={view} page={page} />, page.status ?? 200)

/** Where a browser wants to be once it has shown the token: for a form, on the page that it stands on. */
const backOf = (c: Context): string => {
  const wanted = c.req.method === 'GET' ? c.req.url : (c.req.header('referer') ?? '')
  if (!URL.canParse(wanted)) return '/'
  const { pathname, search } = new URL(wanted)
  return pathname.startsWith('/console/') ? '/' : localPath(pathname + search)
}

/** What is refused is told on the page that it was tried from, since that shows why. */
const outcomeOf = async (act: () => Outcome | Promise<Outcome>): Promise<Outcome | WireError> => {
  try {
    return await act()
  } catch (error) {
    const known = wireErrorOf(error)
    if (known) return known
    throw error
  }
}

/** Leads on from an action, but where it has a page of its own. A reload then repeats the page, not the action. */
const conclude = (
  c: Context,
  view: View,
  outcome: Outcome | WireError,
  done: 'done' | 'undoable',
  { made, notices }: { readonly made: MadeThings; readonly notices: Notices },
): Response => {
  if (outcome instanceof WireError) {
    notices.leave(c, { kind: 'error', text: outcome.message })
    return leadBack(c, view.here)
  }
  if (typeof outcome === 'string') {
    notices.leave(c, { kind: done, text: outcome })
    return leadBack(c, view.here)
  }
  if ('body' in outcome) return showPage(c, view, outcome)
  if (outcome.told !== undefined) notices.leave(c, { kind: done, text: outcome.told })
  if (outcome.made !== undefined) made.leave(c, outcome.to, outcome.made)
  return leadBack(c, outcome.to)
}

const leadTo = (c: Context, to: string): Response => {
  if (c.req.header('hx-request') === undefined) return c.redirect(to, 303)
  // What exchanges a part of a page would leave it under the wrong address.
  c.header('hx-redirect', to)
  return c.body(null)
}

/** Most forms lead back to the page that they are on, where a part is exchanged. */
const leadBack = (c: Context, to: string): Response => {
  const shown = c.req.header('hx-current-url')
  return shown !== undefined && isAddressOf(to, shown) ? c.redirect(to, 303) : leadTo(c, to)
}

/** Whether an address, which anybody may send, is that of a page. */
const isAddressOf = (page: string, address: string): boolean => {
  if (!URL.canParse(address)) return false
  const { pathname, search } = new URL(address)
  return pathname + search === page
}
