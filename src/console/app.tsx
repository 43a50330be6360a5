import { type Context, type Handler, Hono } from 'hono'
import { statusForCode } from '../contract/errors.js'
import { ApiError, toApiError } from '../http/api-error.js'
import type { Access } from '../http/host-guard.js'
import type { Operation } from '../http/operation.js'
import { newRequestId } from '../http/request-id.js'
import type { Cause } from '../kernel/entry.js'
import type { Sandbox } from '../runtime/sandbox.js'
import { type Action, type Call, type Fields, type Outcome, readForm } from './actions.js'
import { localPath, withHeaders } from './answer.js'
import { createConsoleAuth } from './auth.js'
import { answerDownload } from './download.js'
import { Layout } from './layout.js'
import { param } from './list-query.js'
import { follow, tellGone } from './live-updates.js'
import { createNotices, type Notices } from './notices.js'
import { createFlashStore, type FlashStore } from './one-time-flash.js'
import {
  type DrawPage,
  fallbackContext,
  missingWorld,
  type Page,
  type PageContext,
  pageContext,
} from './page-context.js'
import { downloads, findActionPage, listActions, pages } from './page-routes.js'
import { ErrorPage, errorTitle, notFoundMessage } from './pages/error-page.js'
import { ClosedPage, SignInPage, WRONG_TOKEN } from './pages/login.js'
import { found, nothingFoundPage, othersInWords } from './pages/search.js'
import { missingWorldPage } from './pages/worlds.js'
import type { Send } from './replay.js'
import { runOperation } from './run-operation.js'

export interface ConsoleOptions {
  readonly sandbox: Sandbox
  readonly access: Access
  /** Answers a request as if it had come over the wire. */
  readonly send: Send
  /** The operations of the control API, which the forms run. */
  readonly operations: readonly Operation[]
  readonly report: (bug: unknown) => void
}

/** The console: pages drawn on the server, actions that lead back to them, and a stream that tells of news. */
export const createConsole = (options: ConsoleOptions): Hono => {
  const { sandbox, access, send, operations, report } = options
  const { controlToken: token } = access
  const now = () => sandbox.machineTime()
  const auth = createConsoleAuth(access, now)
  const notices = createNotices(now)
  const run = { boot: newRequestId(), needsToken: token !== undefined, takeNotice: notices.take }
  const look = (c: Context): PageContext => pageContext(sandbox, c, run)
  const flash = createFlashStore(now)
  const app = new Hono()

  /** Lets in whoever may come in, and answers what goes wrong with a page. */
  const guarded =
    (answer: (c: Context) => Response | Promise<Response>): Handler =>
    async (c) => {
      withHeaders(c)
      try {
        auth.assertAllowed(c)
        if (auth.isSignedIn(c)) return await kept(answer(c))
        const wrong = notices.take(c)?.text === WRONG_TOKEN
        return show(c, <SignInPage back={returnPath(c)} wrong={wrong} />, 401)
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
    const known = toApiError(error)
    if (!known) report(error)
    const status = known ? statusForCode(known.code) : 500
    const message = known?.message ?? 'The sandbox has a bug. Its log has the details.'
    const title = errorTitle(status)
    if (status === 403 || !auth.isSignedIn(c)) {
      return show(c, <ClosedPage title={title} message={message} />, status)
    }
    const ctx = fallbackContext(sandbox, c, run)
    const missing = missingWorld(sandbox, c)
    if (missing !== undefined) return showPage(c, ctx, missingWorldPage(missing))
    const body = <ErrorPage ctx={ctx} title={title} message={message} />
    return showPage(c, ctx, { title, status, body })
  }

  const page = (draw: DrawPage) =>
    guarded(async (c) => {
      const seen = look(c)
      const ctx = { ...seen, flash: flash.take(c, seen.currentPath) }
      return showPage(c, ctx, await draw(ctx, c.req.param()))
    })

  const callFor = (c: Context, ctx: PageContext, fields: Fields, id: string): Call => ({
    ctx,
    fields,
    params: c.req.param(),
    startedAt: ctx.world.now,
    run: (input) => {
      const operation = operations.find((it) => it.id === id)
      if (!operation) throw new Error(`The control API has no operation ${id}`)
      const cause: Cause = { kind: 'control', request: newRequestId(), operation: id }
      return runOperation(operation, ctx, input, { cause, request: c.req })
    },
  })

  const action = ({ operation, act }: Action) =>
    guarded(async (c) => {
      const { back, ...fields } = await readForm(c)
      await look(c).live.busy
      const ctx = { ...look(c), currentPath: localPath(back) }
      const { history } = ctx.live
      const before = history.newest?.n ?? 0
      const outcome = await runAction(() => kept(act(callFor(c, ctx, fields, operation))))
      const done = (history.newest?.n ?? 0) > before ? 'undoable' : 'done'
      return conclude(c, ctx, outcome, done, { flash, notices })
    })

  for (const it of downloads)
    app.get(
      it.path,
      guarded((c) => answerDownload(c, it, look(c))),
    )
  for (const [path, draw] of pages) app.get(path, page(draw))
  for (const it of listActions(send)) app.post(it.path, action(it))
  app.get(
    '/find',
    guarded((c) => {
      const ctx = look(c)
      const text = param(ctx, 'q')
      const hit = text === undefined ? undefined : found(ctx, text)
      if (text === undefined || !hit) return showPage(c, ctx, nothingFoundPage(ctx))
      if (hit.near > 1) notices.leave(c, { kind: 'done', text: othersInWords(hit.near, text) })
      return c.redirect(ctx.href(hit.page), 303)
    }),
  )
  app.get(
    '/console/live',
    guarded((c) => (missingWorld(sandbox, c) === undefined ? follow(c, look(c)) : tellGone(c))),
  )
  app.post('/console/token', async (c) => {
    withHeaders(c)
    try {
      auth.assertAllowed(c)
      const { token: typed = '', back } = await readForm(c)
      if (!auth.signIn(c, typed)) {
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
      const page = c.req.method === 'GET' ? findActionPage(c.req.path) : undefined
      return page === undefined
        ? troubled(c, notFoundMessage(c))
        : c.redirect(look(c).href(page), 303)
    }) as (c: Context) => Promise<Response>,
  )
  return app
}

const show = (c: Context, element: { toString(): string }, status: number): Response =>
  c.html(`<!DOCTYPE html>${element}`, status as 200)

const showPage = (c: Context, ctx: PageContext, page: Page): Response =>
  show(c, <Layout ctx={ctx} page={page} />, page.status ?? 200)

/** Where a browser wants to be once it has shown the token: for a form, on the page that it stands on. */
const returnPath = (c: Context): string => {
  const wanted = c.req.method === 'GET' ? c.req.url : (c.req.header('referer') ?? '')
  if (!URL.canParse(wanted)) return '/'
  const { pathname, search } = new URL(wanted)
  return pathname.startsWith('/console/') ? '/' : localPath(pathname + search)
}

/** What is refused is told on the page that it was tried from, since that shows why. */
const runAction = async (act: () => Outcome | Promise<Outcome>): Promise<Outcome | ApiError> => {
  try {
    return await act()
  } catch (error) {
    const known = toApiError(error)
    if (known) return known
    throw error
  }
}

/** Leads on from an action, but where it has a page of its own. A reload then repeats the page, not the action. */
const conclude = (
  c: Context,
  ctx: PageContext,
  outcome: Outcome | ApiError,
  done: 'done' | 'undoable',
  { flash, notices }: { readonly flash: FlashStore; readonly notices: Notices },
): Response => {
  if (outcome instanceof ApiError) {
    notices.leave(c, { kind: 'error', text: outcome.message })
    return leadBack(c, ctx.currentPath)
  }
  if (typeof outcome === 'string') {
    notices.leave(c, { kind: done, text: outcome })
    return leadBack(c, ctx.currentPath)
  }
  if ('body' in outcome) return showPage(c, ctx, outcome)
  if (outcome.message !== undefined) notices.leave(c, { kind: done, text: outcome.message })
  if (outcome.shownOnce !== undefined) flash.leave(c, outcome.to, outcome.shownOnce)
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
