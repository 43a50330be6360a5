import { type Context, Hono } from 'hono'
import { PAGE_PATHS } from '../console/paths.js'
import { sentTarget } from '../history/views.js'
import type { Api } from '../http/operation/api.js'
import { ApiError } from '../http/operation/api-error.js'
import { answerPreflight } from '../http/pipeline/cors.js'
import { type Access, isFromBrowser } from '../http/pipeline/host-origin-guards.js'
import { refuseUnrecorded } from '../http/pipeline/pipeline.js'
import { addHeaders, newRequestId } from '../http/pipeline/response-headers.js'
import { sendResponse, toFetchHandler } from '../http/transport/fetch-response.js'
import { type Endpoint, mount, notFoundHandler } from '../http/transport/routes.js'
import { type Lazy, lazy } from '../lib/lazy.js'
import { DOCS } from '../lib/paths.js'
import { truncate } from '../lib/text.js'
import { DOC_PATHS, mountDocs } from './reference/docs.js'
import { mountDocuments } from './reference/openapi.js'
import { mountPages } from './reference/page.js'

interface RoutedApis {
  readonly service: Api
  readonly control: Api
  readonly access: Access
  /** The service's operations, and the control operations that need no lazy load. */
  readonly endpoints: readonly Endpoint[]
  readonly open: readonly Endpoint[]
  readonly withControl: Lazy<readonly Endpoint[]>
}

export const createApis = (apis: RoutedApis): Hono => {
  const { service, control, access, endpoints, open, withControl } = apis
  const app = new Hono()
  // The documents are public, but a foreign Host means a DNS rebinding attack.
  for (const path of DOCUMENTS) {
    app.use(path, async (c, next) => {
      try {
        if (isFromBrowser(c)) access.assertHost(c)
      } catch (error) {
        return toFetchHandler(async () => refuseUnrecorded(control, c, undefined, error))(c)
      }
      return next()
    })
  }
  mount(app, endpoints)
  mountPages(app)
  mountDocs(app)
  mountDocuments(app, service.sandbox, access, async (view) => {
    const { serviceDocument } = await import('./service/document.js')
    return serviceDocument(view)
  })
  mount(app, open)
  const answerControl = selectApi(async () =>
    withControl((endpoints) => {
      const controlApp = new Hono()
      mount(controlApp, endpoints)
      controlApp.notFound(toFetchHandler(notFoundHandler(control, endpoints)))
      return controlApp
    }),
  )
  app.all('/_sandbox', answerControl)
  app.all('/_sandbox/*', answerControl)
  const answerConsole = selectApi(async () => {
    const [{ createConsole }, { controlOperations }, { serviceOperations }] = await Promise.all([
      import('../console/app.js'),
      import('./control/index.js'),
      import('./service/index.js'),
    ])
    const send = (request: Request) => app.fetch(request)
    return createConsole(service, access, controlOperations, serviceOperations, send)
  })
  for (const path of PAGE_PATHS) {
    app.get(path, answerConsole)
    // No page of another origin may read what the console answers.
    app.all(path, (c) => respondElsewhere(control, c, answerConsole))
  }
  app.all('/console/*', answerConsole)
  const missing = toFetchHandler(notFoundHandler(service, endpoints))
  app.notFound((c) => {
    if (SERVICE_PATH.test(c.req.path)) return missing(c)
    const outcome = answerPreflight(c, access.corsOrigins)
    if (!outcome) return respondElsewhere(service, c, answerConsole)
    return sendResponse(c, addHeaders(outcome, { requestId: newRequestId() }))
  })
  // The caller reports bugs; Hono's default response is not an error body.
  app.onError((bug) => {
    throw bug
  })
  return app
}

const DOCUMENTS = [
  ...['/openapi.json', '/_sandbox/openapi.json', '/reference', '/reference/*'],
  ...DOC_PATHS,
]

/** The prefixes of the service. The gate is for these paths only. */
const SERVICE_PATH = /^\/(payment|onboarding)(?=\/|$)/
const MAX_PATH_SHOWN = 200

/** Returns 404 without a key check: these paths do not belong to the service. */
const respondElsewhere = (
  api: Api,
  c: Context,
  answerConsole: (c: Context) => Response | Promise<Response>,
): Response | Promise<Response> => {
  const path = truncate(c.req.path, MAX_PATH_SHOWN)
  api.sandbox.countMisplaced(api.redact(truncate(sentTarget(c.req), MAX_PATH_SHOWN)))
  if (/\btext\/html\b/i.test(c.req.header('accept') ?? '')) return answerConsole(c)
  const error = new ApiError(
    '4040',
    `Invalid path: got ${c.req.method} ${path}. Expected a path of the service, which begins with /payment/ or /onboarding/, or a page of the sandbox. GET ${DOCS} lists the docs.`,
  )
  return toFetchHandler(async () =>
    refuseUnrecorded(api, c, undefined, error, undefined, await api.findLog?.(c)),
  )(c)
}

/** Loads an app with its first request. */
const selectApi = (load: () => Promise<Hono>) => {
  const withApp = lazy(load)
  return (c: Context): Response | Promise<Response> => withApp((app) => app.fetch(c.req.raw, c.env))
}
