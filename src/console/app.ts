import { type Context, Hono } from 'hono'
import { readState } from '../activity/once-per-state.js'
import { RECORD_TEXTS } from '../activity/record-sentences.js'
import { statusForCode } from '../contract/errors.js'
import type { Api } from '../http/operation/api.js'
import { toApiError } from '../http/operation/api-error.js'
import { SAFE_METHODS } from '../http/operation/context.js'
import type { Operation } from '../http/operation/operation.js'
import type { Access } from '../http/pipeline/host-origin-guards.js'
import { MAX_ATTEMPTS } from '../http/pipeline/pipeline.js'
import { createOnce } from '../http/pipeline/pipeline-context.js'
import { EVENT_STREAM, newRequestId } from '../http/pipeline/response-headers.js'
import { sendResponse } from '../http/transport/fetch-response.js'
import { WorldMovedError } from '../worlds/errors.js'
import type { LiveWorld } from '../worlds/live-world.js'
import { isVisible } from '../worlds/tenants.js'
import { type ActionRun, readForm, runAction, toSentForm } from './actions.js'
import { createConsoleAuth, setSecurityHeaders } from './auth.js'
import { drawLayout, listRecentWorlds } from './layout.js'
import {
  type DrawPage,
  findWorld,
  loadWorld,
  type Page,
  type PageContext,
  pageContext,
  type SentForm,
  type Toast,
  type Visit,
} from './page-context.js'
import { formatArchive } from './pages/activity.js'
import {
  drawClosedPage,
  drawSignIn,
  errorPage,
  unknownPageError,
} from './pages/login-and-errors.js'
import { REDIRECTS } from './paths.js'
import { createSenders, type Send } from './replay.js'
import { pages } from './routes.js'
import { type Drawing, forgetDrawings, restOf, shareDrawing } from './shared-drawings.js'
import { toUpdate } from './updates.js'

/** The newest update that a viewer has, or the one of an answer. */
const PAGE_ID = 'x-page-id'

type Handle = (c: Context) => Response | Promise<Response>

type Answer = Partial<{ toast: Toast; sent: SentForm; status: number }>

export const createConsole = (
  { sandbox, countStream, report }: Api,
  access: Access,
  controlOperations: readonly Operation[],
  serviceOperations: readonly Operation[],
  send: Send,
): Hono => {
  const operations = [...controlOperations, ...createSenders(send)]
  const boot = newRequestId()
  const auth = createConsoleAuth(access, () => sandbox.machineTime())
  const findOperation = (id: string) => operations.find((it) => it.id === id)
  const app = new Hono()

  /** A session may end while its request runs. */
  const visitOf = (c: Context): Visit => {
    const { toast, sent }: Answer = c.env?.answer ?? {}
    const scope = auth.findScope(c) ?? { tenants: [] }
    const theme = auth.readTheme(c)
    const opened = c.req.header('x-opened')
    return { boot, findOperation, serviceOperations, scope, theme, opened, toast, sent }
  }
  const contextFor = (c: Context): PageContext => pageContext(sandbox, c, visitOf(c))

  const guarded =
    (handle: Handle): Handle =>
    async (c) => {
      setSecurityHeaders(c)
      try {
        auth.assertAllowed(c)
        await sandbox.tenants?.refresh()
        return await handle(c)
      } catch (error) {
        return showError(c, error)
      }
    }

  const authenticated = (handle: Handle): Handle =>
    guarded((c) => {
      if (!auth.findScope(c)) return show(c, { page: drawSignIn(pagePath(c), false), status: 401 })
      if (lacksWorld(c, visitOf(c))) return c.redirect('/worlds', 303)
      return c.req.method === 'POST' ? handle(c) : attempt(c, () => persisted(handle(c)))
    })

  /** Handles a request, again if others change its world first. */
  const attempt = async (c: Context, handle: () => Promise<Response>): Promise<Response> => {
    for (let attempts = 1; ; attempts++) {
      try {
        await loadWorld(sandbox, c, visitOf(c).scope)
        return await handle()
      } catch (error) {
        if (!(error instanceof WorldMovedError) || attempts === MAX_ATTEMPTS) throw error
      }
    }
  }

  /** Waits until the changes that a response shows are on disk: of a world, or of all. */
  const persisted = async <T>(result: T | Promise<T>, live?: LiveWorld): Promise<T> => {
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

  const drawWhole = async (c: Context, ctx: PageContext, page: Page): Promise<Drawing> => {
    // A refresh keeps the toast of its page, so it takes none.
    const toast = ctx.toast ?? auth.takeToast(c)
    const recent = await listRecentWorlds(ctx)
    const status = c.env?.answer?.status ?? page.status ?? 200
    return { page: drawLayout({ ...ctx, toast }, page, recent), status }
  }

  const showError = (c: Context, error: unknown): Promise<Response> => {
    const known = toApiError(error)
    if (!known) report(error)
    const status = known ? statusForCode(known.code) : 500
    const message = known?.message ?? RECORD_TEXTS.bug.join('')
    const isClosed = status === 403 || !auth.findScope(c)
    if (isClosed) return show(c, { page: drawClosedPage(status, message), status })
    const visit = visitOf(c)
    const live = findWorld(sandbox, c, visit.scope)
    const ctx = pageContext(sandbox, c, visit, live ?? sandbox.main)
    const page = errorPage(ctx, status, message, status === 404 && !live)
    // Without its world, a page neither follows another one nor acts in it.
    return show(c, drawWhole(c, live ? ctx : { ...ctx, hasWorld: false }, page))
  }

  const page = (draw: DrawPage) =>
    authenticated(async (c) => {
      const ctx = contextFor(c)
      const drawPage = async () => drawWhole(c, ctx, await draw(ctx, c.req.param()))
      const address = JSON.stringify([c.req.url, ctx.scope.tenants, ctx.theme, ctx.opened])
      const isRefresh = c.req.header('hx-trigger') === 'refresh'
      if (!isRefresh) return show(c, drawPage())
      const drawing = await shareDrawing(ctx.live, address, drawPage)
      const has = c.req.header(PAGE_ID)
      if (has === undefined || drawing.status !== 200) return show(c, drawing)
      const { id, update } = toUpdate(ctx.live, address, String(drawing.page), has)
      c.header(PAGE_ID, id)
      c.header('content-type', 'application/json')
      const headers = Object.fromEntries(c.body(null).headers)
      return sendResponse(c, await persisted({ status: 200, text: update, headers }))
    })

  const showAfter = (c: Context, path: string, answer: Answer) => {
    const headers = new Headers(c.req.raw.headers)
    for (const name of ['content-type', 'content-length']) headers.delete(name)
    const request = new Request(new URL(path, c.req.url), { headers })
    return app.fetch(request, { ...c.env, answer })
  }

  const action = authenticated(async (c) => {
    const operation = findOperation(c.req.param('operation') ?? '')
    if (!operation || SAFE_METHODS.has(operation.method.toUpperCase())) throw unknownPageError(c)
    const run = { operation, values: await readForm(c), once: createOnce() }
    return attempt(c, () => act(c, run))
  })

  const act = async (c: Context, run: ActionRun): Promise<Response> => {
    await contextFor(c).live.busy
    const ctx = contextFor(c)
    const isInPlace = c.req.header('hx-request') !== undefined
    const back = pagePath(c)
    try {
      // If another world's failure counted, the action would run again although it is done.
      const { to: path, ...toast } = await persisted(runAction(ctx, c, run), ctx.live)
      forgetDrawings(ctx.live)
      const to = path === undefined ? closeForm(back, run.operation) : hrefAfter(ctx, path)
      if (!isInPlace && toast.secret === undefined) {
        auth.putToast(c, toast)
        return c.redirect(to, 303)
      }
      const response = await showAfter(c, to, { toast })
      if (to !== back) response.headers.set('hx-push-url', to)
      return response
    } catch (error) {
      const known = error instanceof WorldMovedError ? undefined : toApiError(error)
      if (!known) throw error
      const text = known.problems.map(({ message }) => message).join(' ')
      const toast = { kind: 'error', text } as const
      return showAfter(c, back, { toast, sent: toSentForm(run, known), status: known.status })
    }
  }

  const download = authenticated((c) => {
    c.header('content-type', 'application/json')
    c.header('content-disposition', 'attachment; filename="sandramp.har"')
    return c.body(formatArchive(contextFor(c)))
  })
  app.get('/requests.har', download)
  for (const [path, draw] of Object.entries(pages)) app.get(path, page(draw))
  for (const [old, path] of Object.entries(REDIRECTS)) {
    const redirect = authenticated((c) => {
      const { searchParams } = new URL(c.req.url)
      const to = path.replace(/:(\w+)/, (_, name) =>
        encodeURIComponent(c.req.param(name) ?? searchParams.get(name) ?? 'deposits'),
      )
      return c.redirect(addQuery(to, searchParams), 301)
    })
    app.get(old, redirect)
  }
  app.post('/console/do/:operation', action)
  const openLive = authenticated((c) => {
    for (const [name, value] of Object.entries(EVENT_STREAM)) c.header(name, value)
    if (!findWorld(sandbox, c, visitOf(c).scope)) return c.body('event: gone\ndata: {}\n\n')
    countStream(c)
    if (c.req.method === 'HEAD') return c.body(null)
    const { live } = contextFor(c)
    const state = () => readState(sandbox.worlds.use(live))
    return c.body(live.subscriptions.openTicks(state, { boot }, () => restOf(live)))
  })
  app.get('/console/live', openLive)
  const signIn = guarded(async (c) => {
    const form = await readForm(c)
    const back = toLocalPath(form.get('back')?.[0])
    const isRight = auth.signIn(c, form.get('token')?.[0] ?? '')
    if (isRight) return c.redirect(back, 303)
    await access.delayRefusal()
    return show(c, { page: drawSignIn(back, true), status: 401 })
  })
  app.post('/console/token', signIn)
  const chooseTheme = guarded(async (c) => {
    auth.putTheme(c, (await readForm(c)).get('theme')?.[0])
    return c.redirect(pagePath(c), 303)
  })
  app.post('/console/theme', chooseTheme)
  app.notFound(authenticated((c) => showError(c, unknownPageError(c))))
  return app
}

const NEEDS_NO_WORLD = /^\/worlds(?:\/|$)|^\/console\/do\/\w+World$/

const lacksWorld = ({ req }: Context, { scope }: Visit): boolean =>
  !isVisible(scope, undefined) && req.query('world') === undefined && !NEEDS_NO_WORLD.test(req.path)

const show = async (c: Context, drawing: Drawing | Promise<Drawing>): Promise<Response> => {
  const { page, status } = await drawing
  return c.html(`<!DOCTYPE html>${page}`, status as 200)
}

/** Returns `/` for addresses of other hosts, so that no redirect leaves the sandbox. */
const toLocalPath = (text: string | undefined): string => {
  if (text === undefined || !/^\/(?![/\\])/.test(text)) return '/'
  const { origin, pathname, search } = new URL(text, 'http://local')
  return origin === 'http://local' && !pathname.startsWith('//') ? pathname + search : '/'
}

/** Keeps the world, the filter and the opened form of an old address. */
const addQuery = (path: string, old: URLSearchParams): string => {
  const [to = '', own] = path.split('?')
  const query = new URLSearchParams(own)
  for (const [name, value] of old) if (!query.has(name)) query.append(name, value)
  return query.size === 0 ? to : `${to}?${query}`
}

/** The world of the page may be the one that the action deleted. */
const hrefAfter = ({ sandbox, scope, live, href }: PageContext, path: string): string =>
  sandbox.worlds.findIn(scope, live.id) ? href(path) : path

/** The address without its `do`, which would open the form again after it succeeded. */
const closeForm = (path: string, { id }: Operation): string =>
  path.replace(new RegExp(`([?&])do=${id}(&|$)`), '$1').replace(/[?&]$/, '')

/** The page that is asked for, or that of a form. Browsers and htmx send its address. */
const pagePath = (c: Context): string => {
  const form = c.req.header('hx-current-url') ?? c.req.header('referer') ?? ''
  const address = c.req.method === 'GET' ? c.req.url : form
  if (!URL.canParse(address)) return '/'
  const { pathname, search } = new URL(address)
  return toLocalPath(pathname.startsWith('/console/') ? c.req.query('page') : pathname + search)
}
