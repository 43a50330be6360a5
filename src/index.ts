import { openSandbox } from './app.js'
import type { ListenOptions } from './http/transport/listen-options.js'
import type { Listener } from './http/transport/server.js'
import { createClient, type SandboxClient } from './kit/connect.js'
import type { Environment } from './lib/arguments.js'
import { withVariables } from './runtime/option-flags.js'
import type { SandboxOptions } from './runtime/options.js'

export type {
  ApiError,
  AssumptionId,
  BalanceEntry,
  ConsentRequest,
  Currency,
  CustodyWallet,
  CustodyWalletRequest,
  Entry,
  LoggedExchange,
  OfframpAudit,
  OfframpInstruction,
  OfframpRequest,
  Outcome,
  Payout,
  PayoutRequest,
  ReadingOf,
  SandboxPayout,
  SandboxTransfer,
  SandboxUser,
  ScenarioName,
  TransferAudit,
  TransferTransaction as Transfer,
  User,
  UserRequest,
} from '../generated/api-types.js'
export type { Exchange } from './history/views.js'
export { type ConnectOptions, connect, type SandboxClient } from './kit/connect.js'
export type { Duration } from './kit/next.js'
export { SandboxError } from './kit/sandbox-error.js'
export { type Advance, ExpectationError, type Expected, SandboxWorld } from './kit/world.js'
export type { SandboxOptions } from './runtime/options.js'

/** The sandbox that `sandramp start` serves, inside a program and without a port. */
export interface Sandbox extends SandboxClient {
  /**
   * Handles a request in process. Accepts a path such as `/payment/api/v1/payout`, a URL or a `Request`. Rejects
   * like the global `fetch`: if the signal aborts, or a rule of a scenario cuts the connection.
   */
  fetch(input: string | URL | Request, init?: RequestInit): Promise<Response>
  /** Restores the fixtures and the seed of the start. */
  reset(): Promise<void>
  /** Opens a port, by default a free one on 127.0.0.1; with `tls` it serves HTTPS. */
  listen(options?: Partial<ListenOptions>): Promise<Listener>
  /** Ends streams, closes ports and releases the `data` file. Other calls reject afterwards. */
  close(): Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}

/**
 * Creates a sandbox. Rejects with an error that names the invalid option, file or line. With `env`, such as `process.env`,
 * the variables of `sandramp start` apply to all that `options` lacks.
 */
export const createSandbox = (options: SandboxOptions = {}, env?: Environment): Promise<Sandbox> =>
  env ? withVariables(options, env, open) : open(options)

const open = async (options: SandboxOptions): Promise<Sandbox> => {
  const { core, fetch, fetchText, listen, close } = await openSandbox(options)
  let url: Promise<string> | undefined
  const listenOnce = async () => {
    const listener = await listen()
    listener.unref()
    return listener.url
  }
  const client = createClient({
    transport: {
      fetch,
      fetchText,
      url: () => {
        url ??= listenOnce()
        return url
      },
      controlToken: options.controlToken,
    },
    // A start without tests needs no names.
    get fixtures() {
      return core.fixtures
    },
    seed: core.main.world.seed,
    defaultKey: options.apiKey,
  })
  return {
    world: client.world,
    get defaultWorld() {
      return client.defaultWorld
    },
    fetch,
    reset: () => client.defaultWorld.reset(),
    listen,
    close,
    [Symbol.asyncDispose]: close,
  }
}
