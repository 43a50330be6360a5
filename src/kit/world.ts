import type {
  AccountName,
  AccountRegistration,
  ActivityGroup,
  AssumptionId,
  Audit,
  ClockAdvanced,
  Condition,
  Currency,
  Deposit,
  DestinationAccount,
  Entry,
  Expectation,
  ExpectedFields,
  FiatBalance,
  FixtureAccount,
  Fixtures,
  FixtureUser,
  FixtureWallet,
  LoggedExchange,
  OperationId,
  Operators,
  Outcome,
  ReadingOf,
  Redone,
  SandboxPayout,
  SandboxTransfer,
  SandboxUser,
  ScenarioName,
  Snapshot,
  Undone,
  UserName,
  Verified,
  WalletName,
  Why,
} from '../../generated/api-types.js'
import { type BodyBuilder, createBodyBuilder } from './bodies.js'
import type { ControlClient } from './control-client.js'
import { createNextCall, type DurationText, type NextCall, type NextOptions } from './next.js'
import { assertKnown, refuseSurplus } from './sandbox-error.js'

/** An object with these keys, and any others of your own fixtures. */
type Named<Names extends string, T> = Readonly<Record<Names, T>> &
  Readonly<Record<string, T | undefined>>

/** A duration such as `3d`, an instant, or until no timer is pending. */
export type Advance =
  | DurationText
  | { readonly by: DurationText }
  | { readonly to: string | Date }
  | { readonly until: 'idle' }

/** Filters of the request log, as in `GET /_sandbox/requests`. */
export interface RequestFilter {
  readonly operation?: string | undefined
  /** `503` or `4xx` */
  readonly status?: string | number | undefined
  readonly user_id?: string | undefined
  readonly size?: number | undefined
}

type TransferStatus = SandboxTransfer['status']

export interface TransferHandle {
  /** To the next status, or to this one. */
  advance(to?: TransferStatus): Promise<SandboxTransfer>
  fail(reason?: string): Promise<SandboxTransfer>
  cancel(reason?: string): Promise<SandboxTransfer>
  /** It goes on by itself, as if nothing had held it. */
  resume(): Promise<SandboxTransfer>
}

export interface PayoutHandle {
  process(): Promise<SandboxPayout>
  fail(reason?: string): Promise<SandboxPayout>
  /** The receiving bank returns a processed payout. */
  return(reason?: string): Promise<SandboxPayout>
}

export interface UserHandle {
  approve(): Promise<SandboxUser>
  reject(reasons?: readonly string[]): Promise<SandboxUser>
  pause(): Promise<SandboxUser>
}

export interface ScenarioSwitch {
  /** Plays a scenario before all others: a shipped one, or one of yours. */
  add(name: ScenarioName | (string & {})): Promise<void>
  /** The same for the text of a file. */
  post(yaml: string): Promise<void>
}

/** A condition on a field, whose values may all be known. */
type ConditionOn<Value> = unknown extends Value
  ? Condition | { readonly [field: string]: ConditionOn<unknown> }
  :
      | Value
      | readonly Value[]
      | (Omit<Operators, 'eq' | 'ne' | 'in'> & {
          readonly eq?: Value
          readonly ne?: Value
          readonly in?: readonly Value[]
        })

type ExpectedNouns = {
  readonly [Noun in keyof ExpectedFields]?: {
    readonly [Field in keyof ExpectedFields[Noun]]?: ConditionOn<ExpectedFields[Noun][Field]>
  }
}

type Orders = { readonly [Order in 'before' | 'after' | 'any_after']?: ExpectedNouns }

/** An expectation as in a scenario. Its conditions name fields of the noun that it counts. */
export type Expected = Expectation & ExpectedNouns & Orders

/** A missed expectation, with its near misses. */
export class ExpectationError extends Error {
  override readonly name = 'ExpectationError'

  constructor(
    message: string,
    readonly results: readonly Outcome[],
  ) {
    super(message)
  }
}

export interface WorldParts {
  readonly key: string
  readonly id: string
  readonly name: string | undefined
  readonly seed: string
  readonly tenant?: string | undefined
  readonly created_at?: string
  readonly fixtures: Fixtures
  readonly client: ControlClient
}

/** One isolated world of a sandbox, the same in process and over a port. */
export class SandboxWorld {
  /** The API key that opens it. */
  readonly key: string
  readonly id: string
  readonly name: string | undefined
  /** @internal By the time of the sandbox's machine. */
  readonly createdAt: string
  /** The fixtures by name. */
  readonly users: Named<UserName, FixtureUser>
  readonly accounts: Named<AccountName, FixtureAccount>
  readonly wallets: Named<WalletName, FixtureWallet>
  readonly build: BodyBuilder
  readonly scenarios: ScenarioSwitch
  readonly #client: ControlClient
  /** Headers that name the world, so that its log has requests with a wrong key or path. */
  readonly #logHeaders: Readonly<Record<string, string>>

  /** @internal */
  constructor({ key, id, name, seed, tenant, created_at = '', fixtures, client }: WorldParts) {
    const { controlToken } = client.transport
    this.key = key
    this.id = id
    this.name = name
    this.createdAt = created_at
    this.users = fixtures.users as Named<UserName, FixtureUser>
    this.accounts = fixtures.accounts as Named<AccountName, FixtureAccount>
    this.wallets = fixtures.wallets as Named<WalletName, FixtureWallet>
    this.build = createBodyBuilder(seed, fixtures)
    this.#client = client
    this.#logHeaders = {
      'x-sandbox-world': id,
      ...(tenant !== undefined && controlToken && { authorization: `Bearer ${controlToken}` }),
    }
    this.scenarios = refuseSurplus({
      add: async (scenario: string) => {
        const { active } = await client.get<{ active: readonly string[] }>('/scenarios')
        const names = [scenario, ...active.filter((it) => it !== scenario)]
        await client.send('PUT', '/scenarios/active', { names })
      },
      post: async (yaml: string) => {
        await client.send('POST', '/scenarios?activate=true', yaml)
      },
    })
  }

  /** Calls the service like the global `fetch`, with the key of the world unless a key is given. */
  readonly fetch = (input: string | URL | Request, init: RequestInit = {}): Promise<Response> => {
    const given = init.headers ?? (input instanceof Request ? input.headers : undefined)
    const headers = {
      'x-api-key': this.key,
      ...this.#logHeaders,
      ...Object.fromEntries(new Headers(given)),
    }
    return this.#client.transport.fetch(input, { ...init, headers })
  }

  /** Moves the clock of the world instead of waiting; in milliseconds. */
  readonly sleep = async (ms: number): Promise<void> => {
    await this.advance(`${Math.ceil(ms)}ms`)
  }

  /** The base URL of the sandbox. In process, the first call opens a port. */
  url(): Promise<string> {
    return this.#client.transport.url()
  }

  /** The time of the world, ISO 8601. */
  async now(): Promise<string> {
    return (await this.#client.get<{ now: string }>('/clock')).now
  }

  advance(how: Advance): Promise<ClockAdvanced> {
    return this.#client.send('POST', '/clock/advance', typeof how === 'string' ? { by: how } : how)
  }

  /** Simulates a deposit at an address or a wallet of the fixtures. Token and chain are those that it expects. */
  deposit(
    address: string,
    amount: string,
    details?: { readonly crypto?: string; readonly chain?: string },
  ): Promise<Deposit> {
    return this.#client.send('POST', '/deposits', { address, amount, ...details })
  }

  /** `user` is an id or a name of the fixtures. */
  credit(user: string, amount: string, currency: Currency): Promise<FiatBalance> {
    return this.#client.send('POST', `${userPath(user)}/balances`, { currency, amount })
  }

  /** Registers a destination account. */
  account(user: string, account: AccountRegistration): Promise<DestinationAccount> {
    return this.#client.send('POST', `${userPath(user)}/accounts`, account)
  }

  /** Decides what happens to the next call of an operation; of any, if none is named. */
  next(operation?: OperationId, options?: NextOptions): NextCall {
    const { times, userId, optional, ...others } = options ?? {}
    for (const name of Object.keys(others))
      assertKnown('option', name, ['times', 'userId', 'optional'])
    return createNextCall(this.#client, operation, { times, userId, optional })
  }

  /** Complaints about armed calls that no call took, unless they are optional. */
  async unusedCalls(): Promise<readonly string[]> {
    const { items } = await this.#list<{ complaint: string | null }>('/next')
    return items.flatMap(({ complaint }) => complaint ?? [])
  }

  transfer(id: string): TransferHandle {
    const move = (body: object) =>
      this.#client.send<SandboxTransfer>('POST', `/transfers/${id}/advance`, body)
    return refuseSurplus({
      advance: (to?: TransferStatus) => move({ to }),
      fail: (reason?: string) => move({ to: 'FAILED', reason }),
      cancel: (reason?: string) => move({ to: 'CANCELLED', reason }),
      resume: () => move({ resume: true }),
    })
  }

  payout(id: string): PayoutHandle {
    const move = (to: SandboxPayout['status'], reason?: string) =>
      this.#client.send<SandboxPayout>('POST', `/payouts/${id}/advance`, { to, reason })
    return refuseSurplus({
      process: () => move('PAYOUT_PROCESSED'),
      fail: (reason?: string) => move('PAYOUT_FAILED', reason),
      return: (reason?: string) => move('PAYOUT_FAILED', reason ?? 'returned'),
    })
  }

  user(user: string): UserHandle {
    const move = (status: SandboxUser['status'], reasons?: readonly string[]) =>
      this.#client.send<SandboxUser>('POST', `${userPath(user)}/status`, { status, reasons })
    return refuseSurplus({
      approve: () => move('active'),
      reject: (reasons?: readonly string[]) => move('rejected', reasons),
      pause: () => move('paused'),
    })
  }

  /** Chooses a reading of an open question for this world. */
  async assume<Id extends AssumptionId>(id: Id, reading: ReadingOf<Id>): Promise<void> {
    await this.#client.send('PATCH', `/assumptions/${id}`, { reading })
  }

  /** Requests to the service with their responses, oldest first; the newest 1,000 that match. */
  async requests(filter?: RequestFilter): Promise<readonly LoggedExchange[]> {
    return (await this.#list<LoggedExchange>('/requests', filter)).items.reverse()
  }

  /** The newest 1,000 entries of the journal, oldest first. */
  async journal(): Promise<readonly Entry[]> {
    return (await this.#list<Entry>('/journal')).items
  }

  /** Requests by payment, newest first, with bills that are paid twice. */
  async activity(): Promise<readonly ActivityGroup[]> {
    return (await this.#list<ActivityGroup>('/activity')).items
  }

  #list<T>(path: string, filter?: RequestFilter): Promise<{ items: T[] }> {
    return this.#client.get(path, { size: 1_000, ...filter })
  }

  /** The history of any record or request. */
  why(id: string): Promise<Why> {
    return this.#client.get(`/records/${id}/why`)
  }

  snapshot(name: string): Promise<Snapshot> {
    return this.#client.send('POST', '/snapshots', { name })
  }

  async restore(snapshot: string): Promise<void> {
    await this.#client.send('POST', `/snapshots/${encodeURIComponent(snapshot)}/restore`)
  }

  undo(): Promise<Undone> {
    return this.#client.send('POST', '/undo')
  }

  /** Takes back the newest undo, until the next change. */
  redo(): Promise<Redone> {
    return this.#client.send('POST', '/redo')
  }

  async reset(): Promise<void> {
    await this.#client.send('POST', '/reset')
  }

  /**
   * Checks expectations, as `expect` in a scenario does. Rejects with an ExpectationError that lists near misses. `until`
   * moves time first, by a duration or until `idle`.
   */
  async expect(
    expected: Expected | readonly Expected[],
    options?: { readonly until?: DurationText | 'idle' },
  ): Promise<void> {
    const expect = [expected].flat()
    const { missed, results } = await this.#client.send<Verified>('POST', '/verify', {
      expect,
      ...options,
    })
    if (missed !== undefined) throw new ExpectationError(missed, results)
  }

  /** Checks the ledger. */
  audit(): Promise<Audit> {
    return this.#client.get('/audit')
  }
}

refuseSurplus(SandboxWorld.prototype)

const userPath = (user: string) => `/users/${encodeURIComponent(user)}`
