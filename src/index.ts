import {
  type ProgramCommands,
  parseCommandInput,
  programCommands,
} from './api/control/command-inputs.js'
import { openSandbox } from './app.js'
import { type AuditReport, audit } from './domain/audit.js'
import {
  deepFreeze,
  deepFreezeAll,
  type ReadonlyTables,
  readonlyTables,
} from './domain/readonly-tables.js'
import type { World } from './domain/world.js'
import { type LoggedExchange, showExchange } from './history/views.js'
import type { ListenOptions } from './http/transport/listen-options.js'
import type { Listener } from './http/transport/server.js'
import { toPlainEntry } from './kernel/command-record.js'
import type { Cause, Entry } from './kernel/entry.js'
import { Refusal } from './kernel/refusal.js'
import { DURATION_HELP, type Instant, toIso } from './kernel/time.js'
import { createClient, type SandboxClient } from './kit/connect.js'
import { AppError, formatInvalid } from './lib/app-error.js'
import type { Environment } from './lib/arguments.js'
import { type AdvanceRequest, parseAdvanceTarget, parseUntil } from './runtime/clock.js'
import { withVariables } from './runtime/option-flags.js'
import { type SandboxOptions, unknownOptionMessage } from './runtime/options.js'
import { unknownScenario } from './scenarios/language/catalogue.js'
import type { Expectation } from './scenarios/language/expectations.js'
import type { Verification } from './scenarios/verify/verify.js'

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
export { Refusal } from './kernel/refusal.js'
export { type ConnectOptions, connect, type SandboxClient } from './kit/connect.js'
export type { Duration } from './kit/next.js'
export { SandboxError } from './kit/sandbox-error.js'
export { type Advance, ExpectationError, type Expected, SandboxWorld } from './kit/world.js'
export type { SandboxOptions } from './runtime/options.js'
export type { Expectation } from './scenarios/language/expectations.js'
export type { Outcome, Verification } from './scenarios/verify/verify.js'

/** A new object per call: entries with the same cause form one undo unit. */
const libraryCause = (): Cause => ({ kind: 'library' })

/** The result of an advance, as in `POST /_sandbox/clock/advance`. */
export interface Advanced {
  /** The world's time after it, ISO 8601. */
  readonly now: string
  /** Number of journal entries. */
  readonly count: number
  /** The newest 1,000 of them. */
  readonly fired: readonly Entry[]
}

/** The sandbox that `sandramp start` serves, inside a program and without a port. */
export interface Sandbox extends SandboxClient {
  /**
   * Handles a request in process. Accepts a path such as `/payment/api/v1/payout`, a URL or a `Request`. Rejects
   * like the global `fetch`: if the signal aborts, or a rule of a scenario cuts the connection.
   */
  fetch(input: string | URL | Request, init?: RequestInit): Promise<Response>
  /**
   * Runs a command in the default world, such as `balance.credit`, and returns its result. Throws a Refusal if
   * the input is invalid or the world refuses it.
   */
  run<K extends keyof ProgramCommands>(
    command: K,
    input: ProgramCommands[K]['input'],
  ): ProgramCommands[K]['result']
  /**
   * Moves the time of the default world: by a duration such as `30m`, to an instant, or until no timer is
   * pending. Throws a TypeError for an invalid target, and an Error that names the rules of an endless loop.
   */
  advance(how: string | { by: string } | { to: string | Date } | { until: 'idle' }): Advanced
  /**
   * Checks expectations on the default world and its requests, as `expect` in a scenario does. `until` moves
   * time first, by a duration or until `idle`. Rejects with a TypeError if an expectation is invalid.
   */
  verify(expect: readonly Expectation[], how?: { until?: string }): Promise<Verification>
  /** The newest 10,000 entries of the journal, frozen, oldest first. A reset does not remove entries. */
  entries(): Entry[]
  /** The newest requests to the service with their responses, at most `requestLog`, oldest first. */
  requests(): LoggedExchange[]
  /** Restores the fixtures and the seed of the start. */
  reset(): void
  /** The world's time, ISO 8601. */
  readonly now: string
  readonly seed: string
  /** The records of the default world, read-only. */
  readonly tables: ReadonlyTables
  /** Checks the ledger: every asset sums to zero, and every balance follows from its postings. */
  audit(): AuditReport
  /** Opens a port, by default a free one on 127.0.0.1; with `tls` it serves HTTPS. */
  listen(options?: Partial<ListenOptions>): Promise<Listener>
  /** With `data`: resolves when all changes so far are on disk. Rejects if the file cannot be written. */
  flushed(): Promise<void>
  /**
   * Ends streams, closes ports and releases the `data` file. Calls that change state fail afterwards; `entries`,
   * `requests`, `tables`, `audit` and `verify` still work.
   */
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
  const opened = await openSandbox(options)
  const { core, fetch, fetchText, assertOpen } = opened
  const { main } = core
  let url: Promise<string> | undefined
  const client = createClient({
    transport: {
      fetch,
      fetchText,
      url: () => {
        url ??= sandbox.listen().then((listener) => {
          listener.unref()
          return listener.url
        })
        return url
      },
      controlToken: options.controlToken,
    },
    // A start without tests needs no names.
    get fixtures() {
      return core.fixtures
    },
    seed: main.world.seed,
    defaultKey: options.apiKey,
  })
  const sandbox: Sandbox = {
    world: client.world,
    get defaultWorld() {
      return client.defaultWorld
    },
    fetch,
    run: (command, input) => {
      assertOpen()
      if (!programCommands.includes(command)) {
        throw new TypeError(formatInvalid('command', command, programCommands.join(', ')))
      }
      const valid = parseCommandInput(command, input)
      const world = main.current()
      if ('names' in valid) {
        for (const [i, name] of valid.names.entries()) {
          const problem = unknownScenario(core.catalogue, world.tables, `names.${i}`, name)
          if (problem) throw new Refusal('unknown', problem)
        }
      }
      return deepFreeze(world.run(command, valid, libraryCause()))
    },
    advance: (how) => {
      assertOpen()
      const target = parseTarget(main.current(), how)
      const { now, count, fired } = main.advance(target, libraryCause())
      return { now: toIso(now), count, fired: deepFreezeAll(fired.map(toPlainEntry)) }
    },
    verify: async (expect, how) => {
      const { until, ...others } = how ?? {}
      const strange = unknownOptionMessage(others, ['until'])
      if (strange !== undefined) throw new TypeError(strange)
      const { readExpectations, verify } = await import('./scenarios/verify/parse-expectations.js')
      const read = readExpectations(expect, core.catalogue, main.current().tables, core.fixtures)
      if ('problems' in read)
        throw new TypeError(read.problems.map(({ message }) => message).join('\n'))
      if (until !== undefined) {
        assertOpen()
        const target = withTypeError(() => parseUntil(main.current(), until))
        main.advance(target, libraryCause())
      }
      if (opened.isOpen) await main.requests.update()
      return verify(read.expectations, core.verificationInput(main))
    },
    entries: () => deepFreezeAll(main.journal.all().map(toPlainEntry)),
    requests: () => main.requests.list().map(showExchange),
    reset: () => {
      assertOpen()
      main.reset(libraryCause())
    },
    get now() {
      return toIso(main.current().now)
    },
    get seed() {
      return main.world.seed
    },
    get tables() {
      return readonlyTables(main.current().tables)
    },
    audit: () => audit(main.world.tables),
    listen: (options) => opened.listen(options),
    flushed: async () => {
      await core.flushed()
    },
    close: () => opened.close(),
    [Symbol.asyncDispose]: () => sandbox.close(),
  }
  return sandbox
}

const ADVANCE_FORMS = `${DURATION_HELP}, { by }, { to } or { until: 'idle' }`

const parseTarget = (world: World, how: unknown): Instant | 'idle' => {
  const request = typeof how === 'string' ? { by: how } : how
  if (typeof request !== 'object' || request === null) {
    throw new TypeError(formatInvalid('target', how, ADVANCE_FORMS))
  }
  const { by, to, until, ...others } = request as AdvanceRequest
  const unknown = unknownOptionMessage(others, ['by', 'to', 'until'])
  if (unknown !== undefined) throw new TypeError(unknown)
  return withTypeError(() => parseAdvanceTarget(world, { by, to, until }, 'target'))
}

/** Programs expect a TypeError for a wrong argument. */
const withTypeError = <T>(parse: () => T): T => {
  try {
    return parse()
  } catch (error) {
    throw error instanceof AppError ? new TypeError(error.message) : error
  }
}
