import { type Context, Hono } from 'hono'
import { PAGE_PATHS } from './console/paths.js'
import { enterControl } from './control/enter.js'
import { getHealth } from './control/health.js'
import type { App, Exchange, Face } from './http/face.js'
import { wireOf } from './http/inbound.js'
import { assertOwnHost } from './http/own-host.js'
import { plainAnswers } from './http/plain.js'
import { bound, mount, nothingHere } from './http/routes.js'
import { byWeb } from './http/web.js'
import { mountPages } from './pages.js'
import type { RateLimit } from './rate-limit.js'
import type { Sandbox } from './sandbox.js'
import { enterByKey } from './service/gate.js'
import { serviceOperations } from './service/index.js'
import { limitRate } from './service/rate-limit.js'

export interface AppOptions {
  readonly controlToken: string | undefined
  /** Largest accepted body, in bytes. */
  readonly bodyLimit: number
  /** How many requests each key may make on the service face; no limit when undefined. */
  readonly rateLimit?: RateLimit | undefined
  readonly log: ((exchange: Exchange) => void) | undefined
  readonly report: (bug: unknown) => void
}

/** Mounts the faces of a sandbox on one Hono app. */
export const createApp = (sandbox: Sandbox, options: AppOptions): App => {
  const { controlToken, rateLimit, ...common } = options
  const count = rateLimit && limitRate(rateLimit, () => sandbox.machineTime())
  const service: Face = {
    ...common,
    sandbox,
    kind: 'request',
    enter: (c, operation, readings) => {
      // Everybody knows the keys of the fixtures: a page that gave this machine's address another name
      // could use them. In process there is no such page.
      if (controlToken === undefined && wireOf(c).incoming) assertOwnHost(c)
      return enterByKey(sandbox, c, count, operation, readings)
    },
  }
  const control: Face = {
    ...common,
    sandbox,
    kind: 'control',
    enter: (c, operation) => enterControl(sandbox, controlToken, c, operation),
  }
  const app = new Hono()
  const operations = bound(service, serviceOperations)
  mount(app, service, operations)
  mountPages(app)
  mount(app, control, bound(control, [getHealth]))
  const answerControl = whenAsked(async () => {
    const { controlOperations } = await import('./control/index.js')
    const face = new Hono()
    const operations = bound(control, controlOperations)
    mount(face, control, operations)
    face.notFound(byWeb(nothingHere(control, operations)))
    return face
  })
  app.all('/_sandbox', answerControl)
  app.all('/_sandbox/*', answerControl)
  const answerConsole = whenAsked(async () => {
    const { createConsole } = await import('./console/index.js')
    const send = (request: Request) => app.fetch(request)
    return createConsole({ sandbox, token: controlToken, send, report: options.report })
  })
  for (const path of PAGE_PATHS) app.get(path, answerConsole)
  app.all('/console/*', answerConsole)
  app.notFound(byWeb(nothingHere(service, operations)))
  return { fetch: app.fetch, answerPlain: plainAnswers(service, operations) }
}

/** Loads a face with the first call of it: all that it consists of would take its time at a start. */
const whenAsked = (load: () => Promise<Hono>) => {
  let ready: Hono | undefined
  return (c: Context): Response | Promise<Response> =>
    ready
      ? ready.fetch(c.req.raw, c.env)
      : load().then((app) => {
          ready ??= app
          return ready.fetch(c.req.raw, c.env)
        })
}
