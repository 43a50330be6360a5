import {
  BOOT,
  bootWorld,
  type Ground,
  groundFrom,
  layGround,
  type Opening,
  reactionsOf,
} from './boot.js'
import type { Later, MachineClock, Sleep } from './clock.js'
import type { Recording, Sent } from './journal/recording.js'
import type { Snapshot } from './journal/snapshots.js'
import type { Pace } from './pace.js'
import { requestRules } from './scenarios/faults.js'
import { momentsOf } from './scenarios/moments.js'
import {
  activeNames,
  type Catalogue,
  findScenario,
  namesIn,
  type ReadyRequestRule,
} from './scenarios/playbook.js'
import type { Scenario } from './scenarios/read.js'
import { type Reading, seenExchange } from './scenarios/reading.js'
import { hashSecret, lastFour } from './secrets.js'
import type { OpenedStore } from './store/open-store.js'
import type { FoundWorld } from './store/rebuild.js'
import type { Store, StoreHealth } from './store/store.js'
import { type MakeWorld, Timeline } from './timeline.js'
import type { ApiKey } from './world/api-keys.js'
import type { FixtureSet } from './world/fixtures.js'
import type { Cause } from './world/kernel/journal.js'
import { copyWorld, openWorld, type World } from './world/world.js'

export interface SandboxParts {
  readonly version: string
  readonly fixtures: FixtureSet
  readonly catalogue: Catalogue
  readonly pace: Pace
  readonly machineClock: MachineClock
  /** Runs what waits for machine time: the pulse of a watched world, heartbeats of streams. */
  readonly later: Later
  /** Waits out the delays that rules ask for. */
  readonly sleep: Sleep
  /** The seed of the world; drawn anew at each boot and reset when undefined. */
  readonly seed: string | undefined
  readonly drawSeed: () => string
  /** A full-access key of one's own for the default world. */
  readonly apiKey: string | undefined
  /** How many exchanges the request log of a world keeps; none when 0. */
  readonly requestLog: number
  /** What keeps the worlds beyond the process, and what it has found; nothing outlives it without. */
  readonly data?: OpenedStore | undefined
  /** Whether the pace was asked for: then a world that was kept goes on at it. */
  readonly paceGiven?: boolean
}

/** Puts a sandbox together: worlds, fixtures, scenarios, clock and journal. */
export class Sandbox {
  readonly #parts: SandboxParts
  readonly #ground: Ground
  readonly #lines = new WeakMap<World, Timeline>()
  readonly #startedAt: number
  /** The world of those who bring no key of a world of their own. */
  readonly main: Timeline
  /** Whether exchanges are recorded at all. */
  readonly keepsRequests: boolean
  readonly #store: Store | undefined

  constructor(parts: SandboxParts) {
    this.#parts = parts
    this.#startedAt = parts.machineClock()
    this.keepsRequests = parts.requestLog > 0
    const { store, found } = parts.data ?? {}
    this.#store = store
    this.#ground = found ? groundFrom(parts, found.base) : layGround(parts)
    const kept = found?.worlds.get(MAIN)
    this.main = kept ? this.#reopenLine(MAIN, kept) : this.#openMainLine()
    if (kept) this.#applyFlags()
    for (const [id, world] of found?.worlds ?? []) if (id !== MAIN) this.#reopenLine(id, world)
  }

  /** Begins to keep what happens, where something does. Both files are there when it comes back. */
  async begin(): Promise<void> {
    const { found } = this.#parts.data ?? {}
    const { base } = this.#ground
    await this.#store?.begin({
      seed: found?.seed ?? this.main.world.seed,
      base,
      isNew:
        !found || base.tables.playlist.get('active') !== found.base.tables.playlist.get('active'),
      lines: found?.lines ?? 0,
      standing: found?.standing,
    })
  }

  /** Resolves once all that was done so far will outlast a crash; undefined when it does already. */
  flushed(): Promise<void> | undefined {
    return this.#store?.pending
  }

  /** Whether nothing can be kept now: then changes are refused, and reads change nothing on the way. */
  get isHeld(): boolean {
    return this.#store?.isHeld ?? false
  }

  /** Lets go of the data file, with all that was done in it. */
  async close(): Promise<void> {
    await this.#store?.close()
  }

  /** What a health check asks for. */
  health(): { version: string; uptime_s: number; worlds: number; data: StoreHealth | null } {
    const { version, machineClock } = this.#parts
    const uptime_s = Math.floor((machineClock() - this.#startedAt) / 1_000)
    return { version, uptime_s, worlds: 1, data: this.#store?.health ?? null }
  }

  /** What a world belongs to, also one that a reset has replaced. */
  lineOf(world: World): Timeline {
    const line = this.#lines.get(world)
    if (!line) throw new Error('a world that this sandbox has not opened')
    return line
  }

  /** What stands in the place of a world now, brought up to its time. */
  current(world: World): World {
    return this.lineOf(world).current()
  }

  /** Goes back to the fixtures, exactly as at boot; only the numbers of entries go on. */
  reset(line: Timeline, cause: Cause): World {
    this.#store?.assertOpen()
    line.requests.reset()
    const { seq } = line.world
    return this.#replace(line, cause, (record) =>
      bootWorld(this.#ground, this.#openMain(), { record, seq, cause }),
    )
  }

  /** Goes back to a snapshot: its records, its time, its dice. */
  restore(line: Timeline, { name, world: kept }: Snapshot, cause: Cause): World {
    const { seq } = line.world
    const { count } = kept
    const machine_ms = this.machineTime()
    return this.#replace(line, cause, (record) => {
      const world = copyWorld(kept, { react: reactionsOf(this.#ground), record, seq })
      world.run('snapshot.restore', { name, count, machine_ms }, cause)
      return world
    })
  }

  /** Puts an exchange that has ended into the log of the world it entered, or of the default world. */
  keep(recording: Recording, sent: Sent | undefined, entered: World = this.main.world): void {
    const line = this.lineOf(entered)
    recording.at ??= line.now
    line.requests.add(recording, sent)
  }

  /** Waits for so much machine time. */
  sleep(ms: number): Promise<void> {
    return this.#parts.sleep(ms)
  }

  machineTime(): number {
    return this.#parts.machineClock()
  }

  /** The world that a secret opens, brought up to its time, and the key's record. */
  findKey(secret: string): { world: World; key: ApiKey } | undefined {
    const key = this.main.world.tables.api_keys.first('hash', hashSecret(secret))
    return key && { world: this.main.current(), key }
  }

  /** The scenario of this name in a world. */
  findScenario(world: World, name: string): Scenario | undefined {
    return findScenario(this.#parts.catalogue, world.tables, name)
  }

  /** The names of all scenarios that a world can play. */
  scenarioNames(world: World): string[] {
    return namesIn(this.#parts.catalogue, world.tables)
  }

  /** The names of the scenarios that a world plays, in order of precedence. */
  activeScenarios(world: World): string[] {
    return activeNames(world.tables)
  }

  /** The rules that can concern an operation, or a request that is none. */
  requestRules(
    world: World,
    names: readonly string[] | undefined,
    operation: string | undefined,
  ): readonly ReadyRequestRule[] {
    return requestRules(this.#parts.catalogue, world.tables, names, operation)
  }

  /** What expectations about a world are held against. */
  readingOf(world: World): Reading {
    const base = this.#ground.base.tables
    const { requests, journal } = this.lineOf(world)
    const exchanges = once(() => requests.list().map(seenExchange))
    return {
      tables: world.tables,
      firstOwn: (noun) => base[noun].next,
      exchanges,
      moments: once(() => momentsOf(journal.after(0), exchanges())),
    }
  }

  /** How many streams are open. */
  get streams(): number {
    return this.main.feed.size
  }

  /** Ends all open streams, and tells why. */
  endStreams(reason: string): void {
    this.main.feed.end(reason)
  }

  #openMain(): Opening {
    const { seed, drawSeed, apiKey } = this.#parts
    return {
      seed: seed ?? drawSeed(),
      ...(apiKey !== undefined && {
        key: { name: 'From --api-key', hash: hashSecret(apiKey), last_four: lastFour(apiKey) },
      }),
    }
  }

  #openMainLine(): Timeline {
    return this.#openLine(MAIN, (record) =>
      bootWorld(this.#ground, this.#openMain(), {
        record,
        seq: this.#ground.base.seq,
        cause: BOOT,
      }),
    )
  }

  /** Goes on with a world that was kept. */
  #reopenLine(id: string, found: FoundWorld): Timeline {
    const react = reactionsOf(this.#ground)
    return this.#openLine(id, (record) => openWorld(found, { react, record }), found)
  }

  #openLine(id: string, make: MakeWorld, reopened?: FoundWorld): Timeline {
    const { machineClock, later, requestLog } = this.#parts
    const { beginning } = this.#ground
    const report = (bug: unknown) => console.error(bug)
    const keeping = this.#store
    const line = new Timeline(
      { id, beginning, machineClock, later, report, requestLog, keeping, reopened },
      make,
    )
    this.#lines.set(line.world, line)
    this.#store?.opened(line, reopened?.key)
    return line
  }

  /** What the options of this start ask of a world that goes on: a pace, a key of one's own. */
  #applyFlags(): void {
    const { pace, paceGiven } = this.#parts
    const { main } = this
    const clock = main.world.tables.clock.get('clock')
    const isOther = clock?.mode !== pace.mode || clock.speed !== pace.speed
    if (paceGiven && isOther) main.setPace(pace, BOOT)
    const { key } = this.#openMain()
    if (!key || main.world.tables.api_keys.first('hash', key.hash)) return
    main.world.run('api_key.create', { ...key, permissions: 'full', expires_at: null }, BOOT)
  }

  #replace(line: Timeline, cause: Cause, make: MakeWorld): World {
    const world = line.replace(make, cause)
    this.#lines.set(world, line)
    return world
  }
}

/** The id of the world of those who bring no key of a world of their own. */
const MAIN = 'default'

/** Makes something when it is first asked for. */
const once = <T>(make: () => T): (() => T) => {
  let made: { readonly it: T } | undefined
  return () => {
    made ??= { it: make() }
    return made.it
  }
}
