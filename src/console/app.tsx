import { type Context, type Handler, Hono } from 'hono'
import { statusForCode } from '../contract/errors.js'
import { type ApiError, toApiError } from '../http/operation/api-error.js'
import type { Operation } from '../http/operation/operation.js'
import type { CountStream } from '../http/operation/stream-limits.js'
import type { Access } from '../http/pipeline/host-origin-guards.js'
import { MAX_ATTEMPTS } from '../http/pipeline/pipeline.js'
import { createOnce } from '../http/pipeline/pipeline-context.js'
import { newRequestId } from '../http/pipeline/response-headers.js'
import type { Cause } from '../kernel/entry.js'
import { WorldMovedError } from '../persistence/errors.js'
import type { LiveWorld } from '../runtime/live-world.js'
import type { Sandbox } from '../runtime/sandbox.js'
import { isVisible } from '../runtime/tenants.js'
import { respondToAction, toLocalPath } from './action-response.js'
import { type Action, type Call, type Fields, type Outcome, readForm } from './actions.js'
import { createConsoleAuth } from './auth.js'
import { listRecentWorlds } from './components/world-picker.js'
import { sendDownload } from './download.js'
import { createFlashStore } from './flash.js'
import { Layout } from './layout.js'
import { param } from './list-query.js'
import { sendGone, streamTicks } from './live-updates.js'
import {
  type DrawPage,
  fallbackContext,
  loadWorld,
  missingWorld,
  type Page,
  type PageContext,
  pageContext,
  type Visit,
} from './page-context.js'
import { downloads, findActionPage, listActions, pages } from './page-routes.js'
import { ErrorPage, errorTitle, unknownPageError } from './pages/error-page.js'
import { ClosedPage, SignInPage, WRONG_TOKEN } from './pages/login.js'
import { describeOtherHits, findAnything, noHitPage } from './pages/search.js'
import { missingWorldPage } from './pages/worlds.js'
import type { Send } from './replay.js'
import { runOperation } from './run-operation.js'
import { setSecurityHeaders } from './security-headers.js'

export interface ConsoleOptions {
  readonly sandbox: Sandbox
  readonly access: Access
  /** Sends a request to the service in process. */
  readonly send: Send
  /** The operations of the control API. Forms run them. */
  readonly operations: readonly Operation[]
  readonly countStream: CountStream
  readonly report: (bug: unknown) => void
}

/** The console: pages rendered by the server, actions that redirect to them, and an event stream. */
export const createConsole = (options: ConsoleOptions): Hono => {
  const { sandbox, access, send, operations, countStream, report } = options
  const now = () => sandbox.machineTime()
  const auth = createConsoleAuth(access, now)
  const flash = createFlashStore(now)
  const run = { boot: newRequestId(), needsToken: access.needsToken }
  // A session may end while its request runs.
  const visitOf = (c: Context) => ({ ...run, scope: auth.findScope(c) ?? { tenants: [] } })
  const contextFor = (c: Context): PageContext => pageContext(sandbox, c, visitOf(c))
  const app = new Hono()

  const authenticated =
    (handle: (c: Context) => Response | Promise<Response>): Handler =>
    async (c) => {
      setSecurityHeaders(c)
      try {
        auth.assertAllowed(c)
        await sandbox.tenants?.refresh()
        if (auth.findScope(c)) {
          if (lacksWorld(c, visitOf(c))) return c.redirect('/worlds', 303)
          return await (c.req.method === 'POST'
            ? handle(c)
            : attempt(c, () => persisted(handle(c))))
        }
        const isWrong = flash.take(c).notice?.text === WRONG_TOKEN
        return show(c, <SignInPage back={returnPath(c)} wrong={isWrong} />, 401)
      } catch (error) {
        return showError(c, error)
      }
    }

  /** Handles a request, again if others change its world first. */
  const attempt = async (
    c: Context,
    handle: () => Promise<Response>,
    attempts = 1,
  ): Promise<Response> => {
    try {
      await loadWorld(sandbox, c)
      return await handle()
    } catch (error) {
      if (!(error instanceof WorldMovedError) || attempts === MAX_ATTEMPTS) throw error
      return attempt(c, handle, attempts + 1)
    }
  }

  /** Waits until the changes that a response shows are on disk: of a world, or of all. */
  const persisted = async <T,>(result: T | Promise<T>, live?: LiveWorld): Promise<T> => {
    const response = await result
    try {
      await sandbox.flushed(live)
    } catch (error) {
      // A stream without a reader would stay open.
      if (response instanceof Response) void response.body?.cancel()
      throw error
    }
    return response
  }

  const showError = async (c: Context, error: unknown): Promise<Response> => {
    const known = toApiError(error)
    if (!known) report(error)
    const status = known ? statusForCode(known.code) : 500
    const message = known?.message ?? 'The sandbox has a bug. Its log has the details.'
    const title = errorTitle(status)
    if (status === 403 || !auth.findScope(c)) {
      return show(c, <ClosedPage title={title} message={message} />, status)
    }
    const ctx = withFlash(c, fallbackContext(sandbox, c, visitOf(c)))
    const missing = status === 404 ? missingWorld(sandbox, c, ctx.scope) : undefined
    if (missing !== undefined) return showPage(c, ctx, missingWorldPage(ctx, missing))
    const body = <ErrorPage ctx={ctx} title={title} message={message} />
    return showPage(c, ctx, { title, status, body })
  }

  const withFlash = (c: Context, ctx: PageContext): PageContext => {
    const { notice = ctx.notice, content } = flash.take(c)
    return { ...ctx, notice, flash: content?.shown }
  }

  const page = (draw: DrawPage) =>
    authenticated(async (c) => {
      const ctx = withFlash(c, contextFor(c))
      return showPage(c, ctx, await draw(ctx, c.req.param()))
    })

  const callFor = (c: Context, ctx: PageContext, { fields, once }: Form, id: string): Call => ({
    ctx,
    fields,
    params: c.req.param(),
    startedAt: ctx.world.now,
    run: (input) => {
      const operation = operations.find((it) => it.id === id)
      if (!operation) throw new Error(`The control API has no operation ${id}`)
      const cause: Cause = { kind: 'control', request: newRequestId(), operation: id }
      return runOperation(operation, ctx, input, { cause, request: c.req, once })
    },
  })

  const action = ({ operation, act }: Action) =>
    authenticated(async (c) => {
      const { back, ...fields } = await readForm(c)
      const form = { back, fields, once: createOnce() }
      return attempt(c, () => runForm(c, form, operation, act))
    })

  const runForm = async (
    c: Context,
    form: Form,
    operation: string,
    act: Action['act'],
  ): Promise<Response> => {
    await contextFor(c).live.busy
    const ctx = { ...contextFor(c), currentPath: toLocalPath(form.back) }
    const { history } = ctx.live
    const before = history.newest?.n ?? 0
    // If another world's failure counted, the action would run again although it is done.
    const outcome = await runAction(() =>
      persisted(act(callFor(c, ctx, form, operation)), ctx.live),
    )
    const done = (history.newest?.n ?? 0) > before ? 'undoable' : 'done'
    const showOutcome = (shown: Page) => showPage(c, ctx, shown)
    return respondToAction(c, outcome, { back: ctx.currentPath, done, flash, show: showOutcome })
  }

  for (const it of downloads) {
    app.get(
      it.path,
      authenticated((c) => sendDownload(c, it, contextFor(c))),
    )
  }
  for (const [path, draw] of pages) app.get(path, page(draw))
  for (const it of listActions(send)) app.post(it.path, action(it))
  app.get(
    '/find',
    authenticated((c) => {
      const ctx = contextFor(c)
      const text = param(ctx, 'q')
      const hit = text === undefined ? undefined : findAnything(ctx, text)
      if (text === undefined || !hit) return showPage(c, withFlash(c, ctx), noHitPage(ctx))
      if (hit.near > 1) {
        flash.put(c, { notice: { kind: 'done', text: describeOtherHits(hit.near, text) } })
      }
      return c.redirect(ctx.href(hit.page), 303)
    }),
  )
  app.get(
    '/console/live',
    authenticated((c) => {
      if (missingWorld(sandbox, c, visitOf(c).scope) !== undefined) return sendGone(c)
      countStream(c)
      return streamTicks(c, contextFor(c))
    }),
  )
  app.post('/console/token', async (c) => {
    setSecurityHeaders(c)
    try {
      auth.assertAllowed(c)
      await sandbox.tenants?.refresh()
      const { token = '', back } = await readForm(c)
      if (!auth.signIn(c, token)) flash.put(c, { notice: { kind: 'error', text: WRONG_TOKEN } })
      return c.redirect(toLocalPath(back), 303)
    } catch (error) {
      return showError(c, error)
    }
  })
  app.notFound(
    authenticated((c) => {
      const actionPage = c.req.method === 'GET' ? findActionPage(c.req.path) : undefined
      return actionPage === undefined
        ? showError(c, unknownPageError(c))
        : c.redirect(contextFor(c).href(actionPage), 303)
    }) as (c: Context) => Promise<Response>,
  )
  return app
}

/** Pages and actions that need no world. */
const NEEDS_NO_WORLD = /^(?:\/console)?\/worlds(?:\/|$)/

/** With --tenants there is no default world. */
const lacksWorld = ({ req }: Context, { scope }: Visit): boolean =>
  !isVisible(scope, undefined) && req.query('world') === undefined && !NEEDS_NO_WORLD.test(req.path)

/** A form that was sent, for all attempts. */
interface Form {
  readonly back: string | undefined
  readonly fields: Fields
  readonly once: ReturnType<typeof createOnce>
}

const show = (c: Context, element: { toString(): string }, status: number): Response =>
  c.html(`<!DOCTYPE html>${element}`, status as 200)

const showPage = async (c: Context, ctx: PageContext, page: Page): Promise<Response> => {
  const recent = await listRecentWorlds(ctx)
  return show(c, <Layout ctx={ctx} page={page} recent={recent} />, page.status ?? 200)
}

/** The page to show after the sign-in: for a form, the page of the form. */
const returnPath = (c: Context): string => {
  const address = c.req.method === 'GET' ? c.req.url : (c.req.header('referer') ?? '')
  if (!URL.canParse(address)) return '/'
  const { pathname, search } = new URL(address)
  return pathname.startsWith('/console/') ? '/' : toLocalPath(pathname + search)
}

const runAction = async (act: () => Outcome | Promise<Outcome>): Promise<Outcome | ApiError> => {
  try {
    return await act()
  } catch (error) {
    const known = error instanceof WorldMovedError ? undefined : toApiError(error)
    if (known) return known
    throw error
  }
}
