import { type Context, Hono } from 'hono'
import { PAGE_PATHS } from './console/paths.js'
import type { Face } from './http/face.js'
import { type Bound, bound, mount, nothingHere } from './http/routes.js'
import { byWeb } from './http/web.js'
import { mountPages } from './pages.js'
import { whenAsked } from './when-asked.js'

/** What all faces are made of. */
export interface Faces {
  readonly service: Face
  readonly control: Face
  readonly controlToken: string | undefined
  /** The operations of the service, and those of the control face that are loaded with it. */
  readonly operations: readonly Bound[]
  readonly open: readonly Bound[]
}

/** Mounts the faces of a sandbox on one Hono app. */
export const routeFaces = ({ service, control, controlToken, operations, open }: Faces): Hono => {
  const app = new Hono()
  mount(app, service, operations)
  mountPages(app)
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
    return createConsole({ sandbox, token: controlToken, send, report })
  })
  for (const path of PAGE_PATHS) app.get(path, answerConsole)
  app.all('/console/*', answerConsole)
  app.notFound(byWeb(nothingHere(service, operations)))
  // Whoever called tells of it: Hono's own answer is no error body.
  app.onError((bug) => {
    throw bug
  })
  return app
}

/** Leaves an answer to a face that is loaded with the first call of it. */
const byFace = (load: () => Promise<Hono>) => {
  const face = whenAsked(load)
  return (c: Context): Response | Promise<Response> => face((app) => app.fetch(c.req.raw, c.env))
}
