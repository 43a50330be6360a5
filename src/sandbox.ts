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
import { lineageOf } from './journal/lineage.js'
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
import { hashSecret, isWorldKey, type KeptKey, keptKey, lastFour, worldIdOf } from './secrets.js'
import type { Settled } from './settled.js'
import type { OpenedStore } from './store/open-store.js'
import type { FoundWorld } from './store/rebuild.js'
import type { Store, StoreHealth } from './store/store.js'
import { type Boot, type Changed, type MakeWorld, type ReopenedLine, Timeline } from './timeline.js'
import type { ApiKey } from './world/api-keys.js'
import type { FixtureSet } from './world/fixtures.js'
import type { Cause } from './world/kernel/journal.js'
import type { Choices, Relied } from './world/readings.js'
import { copyWorld, openWorld, type Recorder, type World } from './world/world.js'
import {
  type Beginning,
  DEFAULT_WORLD,
  type Kept,
  type OpenWorld,
  type Shelf,
  Worlds,
} from './worlds.js'

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
  /** How every world reads what the contract leaves open, until it chooses otherwise. */
  readonly readings: Choices
  /** What somebody who knows has answered about it. */
  readonly settled: Settled
  /** Whether the service refuses what rests on something that is neither documented nor chosen. */
  readonly strict: boolean
  /** How many exchanges the request log of a world keeps; none when 0. */
  readonly requestLog: number
  /** How many worlds by key are open, unless more are in use at once. */
  readonly worldLimit: number
  /** Where worlds by key are put that make room for others, unless `data` keeps them. */
  readonly shelf?: Shelf | undefined
  /** What keeps the worlds beyond the process, and what it has found; nothing outlives it without. */
  readonly data?: OpenedStore | undefined
  /** Whether the pace was asked for: then a world that was kept goes on at it. */
  readonly paceGiven?: boolean
  /** Tells whoever runs the sandbox. */
  readonly warn: (sentence: string) => void
}

/** What a secret opens: a world, brought up to its time, by the key of this record. */
export interface Found {
  readonly opened: OpenWorld
  readonly world: World
  readonly key: ApiKey
}

/** Puts a sandbox together: worlds, fixtures, scenarios, clock and journal. */
export class Sandbox {
  readonly #parts: SandboxParts
  readonly #ground: Ground
  readonly #lines = new WeakMap<World, Timeline>()
  readonly #startedAt: number
  /** The seed of the default world's boot, which those of worlds by key are made of. */
  readonly #seed: string
  readonly worlds: Worlds
  /** Whether exchanges are recorded at all. */
  readonly keepsRequests: boolean
  /** The questions that have been answered, and the readings that were said to be right. */
  readonly settled: Settled
  readonly settledChoices: Choices | undefined
  /** Whether the service refuses what rests on something that is neither documented nor chosen. */
  readonly isStrict: boolean
  readonly #store: Store | undefined

  constructor(parts: SandboxParts) {
    this.#parts = parts
    this.#startedAt = parts.machineClock()
    this.keepsRequests = parts.requestLog > 0
    const { store, found } = parts.data ?? {}
    this.#store = store
    this.isStrict = parts.strict
    this.settled = parts.settled
    this.settledChoices = choicesOf(parts.settled)
    const starting = { ...parts, readings: { ...this.settledChoices, ...parts.readings } }
    this.#ground = found ? groundFrom(starting, found.base) : layGround(starting)
    this.#seed = found?.seed ?? parts.seed ?? parts.drawSeed()
    const { machineClock, worldLimit: limit, warn } = parts
    this.worlds = new Worlds({
      main: this.#startMain(found?.worlds.get(DEFAULT_WORLD)),
      limit,
      machineClock,
      start: (key, how) => this.#startByKey(key, how),
      shelf: store ? this.#shelfOf(store) : parts.shelf,
      warn,
    })
    for (const [id, world] of found?.worlds ?? []) {
      if (id !== DEFAULT_WORLD) this.worlds.comeBack(this.#keptFrom(id, world))
    }
  }

  /** The world of those who bring no key of a world of their own. */
  get main(): Timeline {
    return this.worlds.main.line
  }

  /** Begins to keep what happens, where something does. Both files are there when it comes back. */
  async begin(): Promise<void> {
    const { found } = this.#parts.data ?? {}
    await this.#store?.begin({
      seed: this.#seed,
      base: this.#ground.base,
      isNew: !found,
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
    return { version, uptime_s, worlds: this.worlds.size, data: this.#store?.health ?? null }
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
    return this.#adopt(line, line.reset(cause))
  }

  /** Goes back to a snapshot: its records, its time, its dice. */
  restore(line: Timeline, { name, seq: after, world: kept }: Snapshot, cause: Cause): World {
    const { seq } = line.world
    const { count } = kept
    const machine_ms = this.machineTime()
    return this.#replace(line, cause, (record) => {
      const world = copyWorld(kept, { react: reactionsOf(this.#ground), record, seq })
      world.run('snapshot.restore', { name, after, count, machine_ms }, cause)
      return world
    })
  }

  /** Opens a snapshot as a world of its own. */
  fork(from: Timeline, { name, world: kept }: Snapshot, key: KeptKey, cause: Cause): OpenWorld {
    const { count } = kept
    const machine_ms = this.machineTime()
    const { base } = this.#ground
    return this.worlds.begin(key, (record) => {
      const world = copyWorld(kept, { react: reactionsOf(this.#ground), record, seq: base.seq })
      const forking = { name, from: from.id, count, machine_ms, key: namedKey(key) }
      world.run('world.fork', forking, cause)
      return world
    })
  }

  /** Puts an exchange that has ended into the log of the world it entered, or of the default world. */
  keep(recording: Recording, sent: Sent | undefined, entered: World = this.main.world): void {
    const line = this.lineOf(entered)
    recording.at ??= line.now
    line.requests.add(recording, sent)
    line.notice()
  }

  /** Counts what an answer relied on in the world it entered, or in the default world. */
  countReliance(relied: Relied, entered: World = this.main.world): void {
    this.lineOf(entered).requests.reliance.count(relied, entered.now)
  }

  /** Waits for so much machine time. */
  sleep(ms: number): Promise<void> {
    return this.#parts.sleep(ms)
  }

  machineTime(): number {
    return this.#parts.machineClock()
  }

  /** What a secret opens: a key of the form of such keys a world of its own, from its first use on. */
  findKey(secret: string): Found | undefined {
    const hash = hashSecret(secret)
    const opened = isWorldKey(secret)
      ? this.worlds.open({ hash, last_four: lastFour(secret) })
      : this.worlds.ofOtherKey(hash)
    const world = this.worlds.use(opened).current()
    const key = world.tables.api_keys.first('hash', hash)
    return key && { opened, world, key }
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
      moments: once(() => momentsOf(lineageOf(journal.after(0)), exchanges())),
    }
  }

  /** How many streams are open, of all worlds together. */
  get streams(): number {
    return this.worlds.streams
  }

  /** Ends all open streams, and tells why. */
  endStreams(reason: string): void {
    this.worlds.endStreams(reason)
  }

  #startMain(found: FoundWorld | undefined): Timeline {
    const { seed, drawSeed, apiKey } = this.#parts
    const key = apiKey === undefined ? {} : { key: { name: 'From --api-key', ...keptKey(apiKey) } }
    const line = this.#startLine(DEFAULT_WORLD, {
      first: { seed: this.#seed, ...key },
      anew: () => ({ seed: seed ?? drawSeed(), ...key }),
      ...(found && this.#goingOn(found)),
    })
    if (found) this.#applyFlags(line, key.key)
    return line
  }

  #startByKey(kept: KeptKey, { again, make, reopened }: Beginning): Timeline {
    const id = worldIdOf(kept.hash)
    const opening: Opening = { seed: `${this.#seed}/${id}`, key: namedKey(kept), keyless: true }
    // A world whose beginning cannot be kept has never been.
    this.#store?.assertOpen()
    if (!reopened) this.#store?.alongside(() => this.worlds.forget(id))
    return this.#startLine(id, {
      first: again ? { ...opening, again } : opening,
      anew: () => opening,
      make,
      reopened,
      changed: this.worlds.changed,
    })
  }

  /** A world by key that was kept: what opens it is among its own keys. */
  #keptFrom(id: string, found: FoundWorld): Kept {
    const keys = found.tables.api_keys.list('all', '')
    const key = keys.find(({ hash }) => worldIdOf(hash) === id)
    if (!key) throw new Error(`world ${id} has no key that opens it`)
    return { key: { hash: key.hash, last_four: key.last_four }, ...this.#goingOn(found) }
  }

  /** How a line goes on with what was kept of it. */
  #goingOn(found: FoundWorld): { readonly make: MakeWorld; readonly reopened: ReopenedLine } {
    const react = reactionsOf(this.#ground)
    return { make: (record) => openWorld(found, { react, record }), reopened: found }
  }

  /** Puts worlds aside, into files of their own, when others need their room. */
  #shelfOf(store: Store): Shelf {
    return {
      putAside: (line, leave) => store.putAside(line, leave),
      open: (id) => {
        const found = store.findAside(id, this.#ground.base)
        return found && this.#keptFrom(id, found)
      },
      drop: (id, takeBack) => {
        store.assertOpen()
        store.alongside(takeBack)
        // What cannot be kept is told with the answer, and taken back.
        store.deleted(id).catch(() => {})
      },
    }
  }

  #startLine(id: string, { first, anew, make, reopened, changed }: LineStart): Timeline {
    const { machineClock, later, requestLog } = this.#parts
    const { base, beginning } = this.#ground
    const begin = (opening: Opening, record: Recorder, seq: number, cause: Cause) =>
      bootWorld(this.#ground, opening, { record, seq, cause })
    const boot: Boot = (record, seq, cause) => begin(anew(), record, seq, cause)
    const report = (bug: unknown) => console.error(bug)
    const keeping = this.#store
    const line = new Timeline(
      {
        id,
        beginning,
        machineClock,
        later,
        report,
        requestLog,
        boot,
        changed,
        keeping,
        reopened,
      },
      make ?? ((record) => begin(first, record, base.seq, BOOT)),
    )
    keeping?.opened(line)
    this.#adopt(line, line.world)
    return line
  }

  /** What the options of this start ask of a world that goes on: a pace, a key of one's own. */
  #applyFlags(main: Timeline, key: Opening['key']): void {
    const { pace, paceGiven } = this.#parts
    const clock = main.world.tables.clock.get('clock')
    const isOther = clock?.mode !== pace.mode || clock.speed !== pace.speed
    if (paceGiven && isOther) main.setPace(pace, BOOT)
    if (!key || main.world.tables.api_keys.first('hash', key.hash)) return
    main.world.run('api_key.create', { ...key, permissions: 'full', expires_at: null }, BOOT)
  }

  #replace(line: Timeline, cause: Cause, make: MakeWorld): World {
    return this.#adopt(line, line.replace(make, cause))
  }

  /** Remembers what a world belongs to. */
  #adopt(line: Timeline, world: World): World {
    this.#lines.set(world, line)
    return world
  }
}

/** How a line begins, how it does anew at a reset, and what makes its world in place of a beginning. */
interface LineStart extends Pick<Beginning, 'make' | 'reopened'> {
  readonly first: Opening
  readonly anew: () => Opening
  readonly changed?: Changed
}

/** The key that opens a world by its form, as a record of that world. */
const namedKey = (key: KeptKey) => ({ name: 'The key of this world', ...key })

/** The readings that were said to be right; undefined when nothing was. */
const choicesOf = (settled: Settled): Choices | undefined =>
  settled.size === 0
    ? undefined
    : Object.fromEntries([...settled].map(([id, { reading }]) => [id, reading]))

/** Makes something when it is first asked for. */
const once = <T>(make: () => T): (() => T) => {
  let made: { readonly it: T } | undefined
  return () => {
    made ??= { it: make() }
    return made.it
  }
}
