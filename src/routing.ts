import { type Context, Hono } from 'hono'
import { PAGE_PATHS } from './console/paths.js'
import { type Access, isFromBrowser } from './http/access.js'
import { isServicePath, MAX_PATH_SHOWN, whyNothingElsewhere } from './http/elsewhere.js'
import type { Face } from './http/face.js'
import { refuseUnrecorded } from './http/guarded.js'
import { type Bound, bound, mount, nothingHere } from './http/routes.js'
import { byWeb } from './http/web.js'
import { mountDocuments } from './openapi.js'
import { mountPages } from './pages.js'
import { whenAsked } from './when-asked.js'
import { shortened } from './world/shortened.js'

/** What all faces are made of. */
export interface Faces {
  readonly service: Face
  readonly control: Face
  readonly access: Access
  /** The operations of the service, and those of the control face that are loaded with it. */
  readonly operations: readonly Bound[]
  readonly open: readonly Bound[]
}

/** Mounts the faces of a sandbox on one Hono app. */
export const routeFaces = ({ service, control, access, operations, open }: Faces): Hono => {
  const app = new Hono()
  // The documents are no secret, but a page that reaches them under a name of its own is an attack.
  for (const path of DOCUMENTS) {
    app.use(path, async (c, next) => {
      try {
        if (isFromBrowser(c)) access.assertHost(c)
      } catch (error) {
        return byWeb(() => refuseUnrecorded(control, c, undefined, error))(c)
      }
      return next()
    })
  }
  mount(app, service, operations)
  mountPages(app)
  mountDocuments(app, service.sandbox, access)
  mount(app, control, open)
  const answerControl = byFace(async () => {
    const { controlOperations } = await import('./control/index.js')
    const face = new Hono()
    const operations = bound(control, controlOperations)
    mount(face, control, operations)
    face.notFound(byWeb(nothingHere(control, operations)))
    return face
  })
  app.all('/_sandbox', answerControl)
  app.all('/_sandbox/*', answerControl)
  const answerConsole = byFace(async () => {
    const { createConsole } = await import('./console/index.js')
    const { sandbox, report } = service
    const send = (request: Request) => app.fetch(request)
    return createConsole({ sandbox, access, send, report })
  })
  for (const path of PAGE_PATHS) app.get(path, answerConsole)
  app.all('/console/*', answerConsole)
  const missing = byWeb(nothingHere(service, operations))
  app.notFound((c) => (isServicePath(c.req.path) ? missing(c) : answerElsewhere(service, c)))
  // Whoever called tells of it: Hono's own answer is no error body.
  app.onError((bug) => {
    throw bug
  })
  return app
}

const DOCUMENTS = ['/openapi.json', '/_sandbox/openapi.json', '/reference', '/reference/*']

/** Answers 404 without the gate and without a record: such paths are no traffic of the service. */
const answerElsewhere = async (service: Face, c: Context): Promise<Response> => {
  const error = whyNothingElsewhere(c)
  service.sandbox.countMisplaced(service.redact(shortened(c.req.path, MAX_PATH_SHOWN)))
  if (!/\btext\/html\b/i.test(c.req.header('accept') ?? '')) {
    return byWeb(() => refuseUnrecorded(service, c, undefined, error))(c)
  }
  const { nowherePage } = await import('./console/nowhere.js')
  return nowherePage(c, error)
}

/** Leaves an answer to a face that is loaded with the first call of it. */
const byFace = (load: () => Promise<Hono>) => {
  const face = whenAsked(load)
  return (c: Context): Response | Promise<Response> => face((app) => app.fetch(c.req.raw, c.env))
}
