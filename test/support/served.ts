import { createApp } from '../../src/app.js'
import { BodyBudget } from '../../src/http/body.js'
import { CONNECTION_LIMITS, type ConnectionLimits } from '../../src/http/connection-limits.js'
import type { App } from '../../src/http/face.js'
import { refuserOf } from '../../src/http/unrouted.js'
import type { SandboxOptions } from '../../src/options.js'
import { partsOf } from '../../src/parts.js'
import { Sandbox } from '../../src/sandbox.js'
import { type Listener, listen } from '../../src/server.js'
import type { Settled } from '../../src/settled.js'

interface Served extends Listener {
  readonly sandbox: Sandbox
  /** What was reported as a bug so far. */
  readonly bugs: readonly unknown[]
}

interface Serving {
  readonly options?: SandboxOptions
  readonly limits?: Partial<ConnectionLimits>
  readonly settled?: Settled
  readonly bodyLimit?: number
  readonly bodies?: BodyBudget
  readonly tls?: boolean
  /** Puts other ways to answer in the place of the sandbox's own. */
  readonly instead?: (app: App) => Partial<App>
}

/** A sandbox that listens, with what only tests give it. */
export const serve = async ({
  options,
  limits,
  settled = new Map(),
  bodyLimit = 1_000,
  bodies = new BodyBudget(),
  tls = false,
  instead = () => ({}),
}: Serving = {}): Promise<Served> => {
  const parts = await partsOf({ clock: 'manual', seed: 'tests', ...options })
  const sandbox = new Sandbox({ ...parts, settled })
  const bugs: unknown[] = []
  const report = (bug: unknown) => bugs.push(bug)
  const app = createApp(sandbox, {
    controlToken: undefined,
    bodyLimit,
    bodies,
    log: undefined,
    report,
  })
  const listener = await listen(
    { ...app, ...instead(app) },
    { port: 0, host: '127.0.0.1', tls },
    { endStreams: () => undefined, refuse: refuserOf(sandbox), report },
    { ...CONNECTION_LIMITS, ...limits },
  )
  return { ...listener, sandbox, bugs }
}
