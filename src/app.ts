import { enterControl } from './control/enter.js'
import { getHealth } from './control/health.js'
import type { Exchange } from './exchanges/exchange.js'
import type { App, Face } from './http/face.js'
import { wireOf } from './http/inbound.js'
import { assertOwnHost } from './http/own-host.js'
import { plainAnswers } from './http/plain.js'
import { bound } from './http/routes.js'
import type { RateLimit } from './rate-limit.js'
import type { Sandbox } from './sandbox.js'
import { enterByKey } from './service/gate.js'
import { serviceOperations } from './service/index.js'
import { limitRate } from './service/rate-limit.js'
import { strikeOf } from './striking.js'
import { whenAsked } from './when-asked.js'

export interface AppOptions {
  readonly controlToken: string | undefined
  /** Largest accepted body, in bytes. */
  readonly bodyLimit: number
  /** How many requests each key may make on the service face; no limit when undefined. */
  readonly rateLimit?: RateLimit | undefined
  readonly log: ((exchange: Exchange) => void) | undefined
  readonly report: (bug: unknown) => void
}

/** The faces of a sandbox. What routes requests of the web is loaded with the first of them: most are plain. */
export const createApp = (sandbox: Sandbox, options: AppOptions): App => {
  const { controlToken, rateLimit, ...others } = options
  const common = { ...others, strike: strikeOf(controlToken) }
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
  const operations = bound(service, serviceOperations)
  const open = bound(control, [getHealth])
  const routed = whenAsked(async () => {
    const { routeFaces } = await import('./routing.js')
    return routeFaces({ service, control, controlToken, operations, open })
  })
  return {
    fetch: (request, env) => routed((app) => app.fetch(request, env)),
    answerPlain: plainAnswers(common, [...operations, ...open]),
  }
}
