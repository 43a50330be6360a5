import { createApp } from '../../src/app.js'
import type { ConfirmedReadings } from '../../src/assumptions/answers-file.js'
import type { App } from '../../src/http/operation/api.js'
import { BodyBudget } from '../../src/http/operation/body-limits.js'
import { CONNECTION_LIMITS, type ConnectionLimits } from '../../src/http/transport/connections.js'
import { type Listener, listen } from '../../src/http/transport/server.js'
import { resolveDependencies } from '../../src/runtime/build-sandbox.js'
import type { SandboxOptions } from '../../src/runtime/options.js'
import { Sandbox } from '../../src/runtime/sandbox.js'

interface Served extends Listener {
  readonly sandbox: Sandbox
  /** The bugs reported so far. */
  readonly bugs: readonly unknown[]
}

interface Serving {
  readonly options?: SandboxOptions
  readonly limits?: Partial<ConnectionLimits>
  readonly settled?: ConfirmedReadings
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
  settled: confirmed = new Map(),
  bodyLimit = 1_000,
  bodies = new BodyBudget(),
  tls = false,
  instead = () => ({}),
}: Serving = {}): Promise<Served> => {
  const parts = await resolveDependencies({ clock: 'manual', seed: 'tests', ...options })
  const sandbox = await Sandbox.start({ ...parts, confirmed: confirmed })
  const bugs: unknown[] = []
  const report = (bug: unknown) => bugs.push(bug)
  const app = createApp(sandbox, {
    controlToken: options?.controlToken,
    bodyLimit,
    bodies,
    trustProxy: options?.trustProxy ?? [],
    log: undefined,
    report,
  })
  const listener = await listen(
    { ...app, ...instead(app) },
    { port: 0, host: '127.0.0.1', tls },
    { endStreams: () => undefined, report },
    { ...CONNECTION_LIMITS, ...limits },
  )
  return { ...listener, sandbox, bugs }
}
