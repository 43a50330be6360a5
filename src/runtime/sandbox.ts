import type { ConfirmedReadings } from '../assumptions/answers-file.js'
import type { Choices } from '../assumptions/use.js'
import { readClockSetting, startAt } from '../domain/clock.js'
import { type NamedFixtures, nameFixtures } from '../domain/fixture-names.js'
import type { FixtureSet } from '../domain/seed-data/load.js'
import { copyWorld, type World } from '../domain/world.js'
import { buildLineage } from '../history/lineage.js'
import { findPaidTwice } from '../history/paid-twice.js'
import { RequestLog } from '../history/request-log.js'
import { firedRules } from '../history/rule-activity.js'
import type { Cause } from '../kernel/entry.js'
import type { MachineClock, Sleep } from '../lib/machine-clock.js'
import { DEFAULT_WORLD, type HashedKey } from '../lib/secrets.js'
import { activeNames } from '../scenarios/evaluate/compiled-rules.js'
import { type Catalogue, findRule, findScenario } from '../scenarios/language/catalogue.js'
import { buildCreationOrder } from '../scenarios/verify/creation-order.js'
import { toLoggedRequest } from '../scenarios/verify/logged-request.js'
import type { VerificationInput } from '../scenarios/verify/subjects.js'
import {
  type BaseWorld,
  createBaseWorld,
  restoreBaseWorld,
  setBaseReadings,
} from '../worlds/base-world.js'
import { Commits } from '../worlds/commit.js'
import { WorldMovedError } from '../worlds/errors.js'
import {
  LiveWorldFactory,
  type LiveWorldFactoryOptions,
  worldKeyRecord,
} from '../worlds/factory.js'
import type { CreateWorld, LiveWorld } from '../worlds/live-world.js'
import type { CompactionSource, LogHealth, Origin, WholeWorld, WorldLog } from '../worlds/port.js'
import { WorldRegistry } from '../worlds/registry.js'
import type { Snapshot } from '../worlds/snapshots.js'
import { isVisible, type Scope, Tenants } from '../worlds/tenants.js'
import { OptionError } from './options.js'

export interface SandboxDependencies extends LiveWorldFactoryOptions {
  readonly version: string
  readonly fixtures: FixtureSet
  readonly catalogue: Catalogue
  /** The seed of the options; without it, boot and reset generate one. */
  readonly seed: string | undefined
  readonly drawSeed: () => string
  readonly sleep: Sleep
  /** Readings of all worlds, until a world chooses others. */
  readonly readings: Choices
  readonly confirmed: ConfirmedReadings
  /** With --strict: the service rejects responses that rely on unconfirmed assumptions. */
  readonly strict: boolean
  readonly worldLimit: number
  /** The largest size of a world, and of all worlds of a tenant; undefined without a limit. */
  readonly worldBytes: number | undefined
  readonly tenantBytes: number | undefined
  readonly log?: WorldLog | undefined
  /** With --tenants: the machine's own clock. The shared one may wait for the database's. */
  readonly tenantsClock: MachineClock | undefined
}

/** Requests for paths that do not exist outside the service, and the path of the last one. */
export interface Misplaced {
  readonly count: number
  readonly last: string
}

/** A log that takes longer to answer is as good as away. */
const READY_MS = 1_000

export class Sandbox {
  readonly #parts: SandboxDependencies
  readonly #base: BaseWorld
  readonly catalogue: Catalogue
  readonly #startedAt: number
  readonly #seed: string
  /** True if the seed was generated: then a reset of the default world generates another one. */
  readonly #isDrawn: boolean
  readonly worlds: WorldRegistry
  /** Undefined without --tenants. */
  readonly tenants: Tenants | undefined
  /** For hashes of keys in logs: alike after a restart, and in all sandboxes of one seed. */
  readonly keySalt: string
  readonly keepsRequests: boolean
  confirmed: ConfirmedReadings
  confirmedChoices: Choices | undefined
  /** With --strict: the service rejects responses that rely on unconfirmed assumptions. */
  readonly isStrict: boolean
  /** Whether two runs give requests the same ids: there is a seed, one process, and the clock is paused. */
  readonly hasRepeatableIds: boolean
  readonly #commits: Commits | undefined
  #misplaced: Misplaced | undefined
  #isDraining = false
  #fixtures: NamedFixtures | undefined

  private constructor(parts: SandboxDependencies, commits?: Commits, main?: WholeWorld) {
    this.#parts = parts
    this.catalogue = parts.catalogue
    this.#startedAt = parts.machineClock()
    this.keepsRequests = parts.requestLog > 0
    const found = parts.log?.origin
    this.#commits = commits
    this.isStrict = parts.strict
    this.hasRepeatableIds =
      parts.seed !== undefined && parts.clock.speed === 0 && !parts.log?.isShared
    this.confirmed = parts.confirmed
    this.confirmedChoices = toChoices(parts.confirmed)
    const starting = { ...parts, readings: { ...this.confirmedChoices, ...parts.readings } }
    this.#base = found ? restoreBaseWorld(starting, found.base) : createBaseWorld(starting)
    this.#seed = found?.seed ?? parts.seed ?? parts.drawSeed()
    this.keySalt = `request log/${this.#seed}/`
    this.#isDrawn = parts.seed === undefined && (found?.isDrawn ?? true)
    const seedAfterReset = this.#isDrawn ? parts.drawSeed : () => this.#seed
    const { machineClock, schedule, worldLimit: limit, warn } = parts
    const { tenantsClock: clock, log, worldBytes, tenantBytes } = parts
    this.tenants = clock && log?.index && new Tenants(log.index, clock, parts.sleep, tenantBytes)
    const factory = new LiveWorldFactory({
      ...parts,
      baseWorld: this.#base,
      seed: this.#seed,
      seedAfterReset,
      commits,
      byteLimits:
        worldBytes === undefined ? undefined : { world: worldBytes, tenants: this.tenants },
    })
    this.worlds = new WorldRegistry({
      main: factory.main(main),
      limit,
      machineClock,
      schedule,
      factory,
      commits,
      tenants: this.tenants,
      warn,
    })
  }

  /** Opens the worlds of the log and appends new entries to it. */
  static async start(parts: SandboxDependencies): Promise<Sandbox> {
    const { log } = parts
    // All sandboxes of a shared log start from what it holds, the first one too.
    if (log?.isShared && !log.origin) await log.begin(new Sandbox(parts).#origin, NO_WORLDS)
    try {
      return await Sandbox.#open(parts)
    } catch (error) {
      // Another process changed the default world at the same time.
      if (error instanceof WorldMovedError) return Sandbox.start(parts)
      throw error
    }
  }

  static async #open(parts: SandboxDependencies): Promise<Sandbox> {
    const { log, seed } = parts
    if (log) assertSeed(log, seed)
    const commits = log && new Commits(log)
    const sandbox = new Sandbox(parts, commits, await commits?.read(DEFAULT_WORLD))
    for (const id of log?.list() ?? []) await sandbox.worlds.load(id)
    await commits?.begin(sandbox.#origin, () => sandbox.worlds.copies)
    return sandbox
  }

  get #origin(): Origin {
    return { seed: this.#seed, isDrawn: this.#isDrawn, base: this.#base.base }
  }

  /** Replaces the answers of the operator. */
  confirm(confirmed: ConfirmedReadings): void {
    this.confirmed = confirmed
    this.confirmedChoices = toChoices(confirmed)
    setBaseReadings(this.#base.base, { ...this.confirmedChoices, ...this.#parts.readings })
  }

  get main(): LiveWorld {
    return this.worlds.main
  }

  /** Resolves once all that a world did so far is stored, or all worlds; undefined if it is. */
  flushed(live?: LiveWorld): Promise<void> | undefined {
    return live ? this.#commits?.pendingFor(live) : this.#commits?.pending
  }

  /** True while nothing can be stored: changes are refused, and reads change nothing. */
  get isReadOnly(): boolean {
    return this.#commits?.isReadOnly ?? false
  }

  async close(): Promise<void> {
    await this.#commits?.close()
  }

  /** Counts a request for a path that belongs neither to the service nor to a page. No world logs it. */
  countMisplaced(path: string): void {
    this.#misplaced = { count: (this.#misplaced?.count ?? 0) + 1, last: path }
  }

  get misplaced(): Misplaced | undefined {
    return this.#misplaced
  }

  health(): { version: string; uptime_s: number; worlds: number; data: LogHealth | null } {
    const { version, machineClock, log } = this.#parts
    const uptime_s = Math.floor((machineClock() - this.#startedAt) / 1_000)
    return { version, uptime_s, worlds: this.worlds.size, data: log?.health ?? null }
  }

  fork(from: LiveWorld, { name, world: kept }: Snapshot, key: HashedKey, cause: Cause): LiveWorld {
    from.budget?.addFork(kept)
    const { count } = kept
    const start = startAt(readClockSetting(kept.tables), this.machineTime())
    const { base, evaluateRules } = this.#base
    const create: CreateWorld = (record) => {
      const world = copyWorld(kept, {
        evaluateRules,
        record,
        seq: base.seq,
      })
      const forking = { name, from: from.id, count, ...start, key: worldKeyRecord(key) }
      world.run('world.fork', forking, cause)
      return world
    }
    return this.worlds.create(key, create, kept)
  }

  /** The request logs as they are now: of a world, or of all that a caller sees. */
  async readLogs(live: LiveWorld, scope: Scope, worlds?: 'all'): Promise<RequestLog[]> {
    const { requestLog, log } = this.#parts
    const inMemory = worlds ? this.worlds.list() : [live]
    const logs =
      worlds && log?.requests
        ? [new RequestLog(requestLog, log.requests, scope.tenants)]
        : inMemory.filter((it) => isVisible(scope, it.tenant)).map((it) => it.requests)
    await Promise.all(logs.map((it) => it.update()))
    return logs
  }

  /** Runs what reads or changes much, so that a tenant keeps nothing from others. */
  inTurn<T>(scope: Scope, task: () => Promise<T>): Promise<T> {
    return this.tenants ? this.tenants.inTurn(scope, task) : task()
  }

  /** From now on it is not ready: it is about to close. */
  drain(): void {
    this.#isDraining = true
  }

  /** Why a load balancer must not send requests here; undefined if it may. */
  async findUnreadiness(): Promise<string | undefined> {
    if (this.#isDraining) return 'The sandbox drains: it is about to close.'
    const { log } = this.#parts
    if (!log) return undefined
    let hasAnswered = false
    const note = () => {
      hasAnswered = true
    }
    await this.sleep(
      READY_MS,
      log.ping().then(note, () => {}),
    )
    return hasAnswered ? undefined : `${log.name} does not answer. Retry.`
  }

  sleep(ms: number, early?: Promise<void>): Promise<void> {
    return this.#parts.sleep(ms, early)
  }

  machineTime(): number {
    return this.#parts.machineClock()
  }

  /** Active scenarios whose files this start did not get, each with the ids of its worlds. */
  lostScenarios(): ReadonlyMap<string, readonly string[]> {
    const lost = new Map<string, string[]>()
    for (const live of this.worlds.list()) {
      for (const name of activeNames(live.world.tables)) {
        if (findScenario(this.catalogue, live.world.tables, name)) continue
        const ids = lost.get(name) ?? []
        lost.set(name, ids)
        ids.push(live.id)
      }
    }
    return lost
  }

  /** Records that every world begins with. */
  get fixtures(): NamedFixtures {
    this.#fixtures ??= nameFixtures(this.#base.base.tables)
    return this.#fixtures
  }

  /** The state that expectations about a world are checked against. */
  verificationInput(live: LiveWorld, world: World = live.current()): VerificationInput {
    const base = this.#base.base.tables
    const { requests, journal } = live
    const exchanges = memoize(() => requests.list().map(toLoggedRequest))
    const lineage = memoize(() => buildLineage(journal.all()))
    return {
      tables: world.tables,
      names: this.fixtures,
      firstOwn: (noun) => base[noun].next,
      exchanges,
      evictedCount: this.keepsRequests ? requests.evictedCount : Number.POSITIVE_INFINITY,
      order: memoize(() => buildCreationOrder(lineage(), exchanges())),
      findSteps: (rule) => findRule(this.catalogue, world.tables, rule)?.then ?? [],
      fired: () => firedRules(lineage()),
      paidTwice: memoize(() => {
        const { payouts } = world.tables
        const own = payouts.all().filter(({ n }) => n >= base.payouts.next)
        return findPaidTwice(own, exchanges, lineage)
      }),
    }
  }
}

/** A log keeps the seed that it began with. */
const assertSeed = ({ origin, name }: WorldLog, seed = origin?.seed): void => {
  if (!origin || seed === origin.seed) return
  const expected = `${JSON.stringify(origin.seed)}, with which ${name} began, or none`
  const hint = 'Another seed takes another file or database'
  throw new OptionError({ received: seed, expected, hint }, 'seed')
}

const NO_WORLDS: CompactionSource = {
  worlds: () => ({ worlds: {}, persisted: async () => {} }),
  onWritable: () => {},
}

const toChoices = (confirmed: ConfirmedReadings): Choices | undefined =>
  confirmed.size === 0
    ? undefined
    : Object.fromEntries([...confirmed].map(([id, { reading }]) => [id, reading]))

const memoize = <T>(make: () => T): (() => T) => {
  let made: { readonly it: T } | undefined
  return () => {
    made ??= { it: make() }
    return made.it
  }
}
