import { type Ground, groundFrom, layGround, reactionsOf } from './boot.js'
import type { Sleep } from './clock.js'
import type { Recording, Sent } from './exchanges/recording.js'
import { firedRules } from './journal/fired.js'
import { lineageOf } from './journal/lineage.js'
import type { Snapshot } from './journal/snapshots.js'
import { LineMaker, type LineParts, namedKey } from './line-maker.js'
import type { Redact } from './redact.js'
import { type Catalogue, findScenario, namesIn } from './scenarios/catalogue.js'
import { type Evidence, seenExchange } from './scenarios/evidence.js'
import { requestRules } from './scenarios/faults.js'
import { momentsOf } from './scenarios/moments.js'
import { activeNames, type ReadyRequestRule } from './scenarios/playbook.js'
import type { Scenario } from './scenarios/read.js'
import { hashSecret, isWorldKey, type KeptKey, lastFour } from './secrets.js'
import type { Settled } from './settled.js'
import type { OpenedStore } from './store/open-store.js'
import type { Store, StoreHealth } from './store/store.js'
import { DEFAULT_WORLD, type MakeWorld, type Timeline } from './timeline.js'
import type { ApiKey } from './world/api-keys.js'
import type { FixtureSet } from './world/fixtures.js'
import { Dice, uuidOf } from './world/kernel/dice.js'
import type { Cause } from './world/kernel/entry.js'
import type { Choices, Relied } from './world/readings.js'
import { copyWorld, type World } from './world/world.js'
import { type OpenWorld, type Shelf, Worlds } from './worlds.js'

export interface SandboxParts extends LineParts {
  readonly version: string
  readonly fixtures: FixtureSet
  readonly catalogue: Catalogue
  /** The seed that was asked for; without one it is drawn, at the boot and at each reset. */
  readonly seed: string | undefined
  readonly drawSeed: () => string
  /** Waits out the delays that rules ask for. */
  readonly sleep: Sleep
  /** How every world reads what the contract leaves open, until it chooses otherwise. */
  readonly readings: Choices
  /** What somebody who knows has answered about it. */
  readonly settled: Settled
  /** Whether the service refuses what rests on something that is neither documented nor chosen. */
  readonly strict: boolean
  /** How many worlds by key are open at most. */
  readonly worldLimit: number
  /** Where worlds by key are put that make room for others, unless `data` keeps them. */
  readonly shelf?: Shelf | undefined
  /** What keeps the worlds beyond the process, and what it has found; nothing outlives it without. */
  readonly data?: OpenedStore | undefined
  /** Tells whoever runs the sandbox. */
  readonly warn: (sentence: string) => void
}

/** Requests for paths that do not exist outside the service, and the path of the last one. */
export interface Misplaced {
  readonly count: number
  readonly last: string
}

/** What a secret opens: a world, brought up to its time, by the key of this record. */
export interface FoundKey {
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
  readonly #seed: string
  /** Whether nobody has asked for that seed: then a reset of the default world draws another one. */
  readonly #isDrawn: boolean
  readonly worlds: Worlds
  /** Whether exchanges are recorded at all. */
  readonly keepsRequests: boolean
  /** The questions that have been answered, and the readings that were said to be right. */
  readonly settled: Settled
  readonly settledChoices: Choices | undefined
  /** Whether the service refuses what rests on something that is neither documented nor chosen. */
  readonly isStrict: boolean
  readonly #store: Store | undefined
  #misplaced: Misplaced | undefined
  readonly #requestIds = new WeakMap<Timeline, { readonly dice: Dice; count: number }>()

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
    this.#isDrawn = parts.seed === undefined && (found?.isDrawn ?? true)
    const again = this.#isDrawn ? parts.drawSeed : () => this.#seed
    const lines = new LineMaker(parts, this.#ground, { seed: this.#seed, again }, store)
    const { machineClock, worldLimit: limit, isMemoryShort, warn } = parts
    this.worlds = new Worlds({
      main: this.#adopt(lines.main(found?.worlds.get(DEFAULT_WORLD))),
      limit,
      machineClock,
      isMemoryShort,
      start: (key, how) => this.#adopt(lines.byKey(key, how, this.worlds)),
      shelf: store ? lines.shelfOf(store) : parts.shelf,
      warn,
    })
    for (const [id, world] of found?.worlds ?? []) {
      if (id !== DEFAULT_WORLD) this.worlds.comeBack(lines.kept(id, world))
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
      isDrawn: this.#isDrawn,
      base: this.#ground.base,
      isNew: found?.isDrawn !== this.#isDrawn,
      lines: found?.lines ?? 0,
      lastFold: found?.lastFold,
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

  /** Counts a request for a path that is neither the service's nor a page's: no world has it. */
  countMisplaced(path: string): void {
    this.#misplaced = { count: (this.#misplaced?.count ?? 0) + 1, last: path }
  }

  get misplaced(): Misplaced | undefined {
    return this.#misplaced
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
    line.reset(cause)
    return this.#adopt(line).world
  }

  /** Goes back to a snapshot: its records, its time, its dice. */
  restore(line: Timeline, { name, seq: after, world: kept }: Snapshot, cause: Cause): World {
    const { seq } = line.world
    const { count } = kept
    const machine_ms = this.machineTime()
    const make: MakeWorld = (record) => {
      const world = copyWorld(kept, { react: reactionsOf(this.#ground), record, seq })
      world.run('snapshot.restore', { name, after, count, machine_ms }, cause)
      return world
    }
    line.replace(make, cause)
    return this.#adopt(line).world
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
  keep(
    recording: Recording,
    sent: Sent | undefined,
    redact: Redact,
    entered: World = this.main.world,
  ): void {
    const line = this.lineOf(entered)
    recording.at ??= line.now
    line.requests.add(recording, sent, redact)
    line.notice()
  }

  /** Counts what an answer relied on in the world it entered, or in the default world. */
  countReliance(relied: Relied, entered: World = this.main.world): void {
    this.lineOf(entered).requests.reliance.count(relied, entered.now)
  }

  /** Waits for so much machine time. */
  sleep(ms: number, early?: Promise<void>): Promise<void> {
    return this.#parts.sleep(ms, early)
  }

  /** A request id from the world's dice when runs are to repeat: with a seed and a manual clock. */
  drawRequestId(world: World = this.main.world): string | undefined {
    const { seed, pace } = this.#parts
    if (seed === undefined || pace.speed !== 0) return undefined
    const line = this.lineOf(world)
    const ids = this.#requestIds.get(line) ?? { dice: new Dice(`${world.seed}/requests`), count: 0 }
    this.#requestIds.set(line, ids)
    // After a restart the count begins anew, while the numbers of entries go on.
    return uuidOf(ids.dice.roll(world.seq, ids.count++))
  }

  machineTime(): number {
    return this.#parts.machineClock()
  }

  /** What a secret opens: a key of the form of such keys a world of its own, from its first use on. */
  findKey(secret: string): FoundKey | undefined {
    const hash = hashSecret(secret)
    const opened = isWorldKey(secret)
      ? this.worlds.open({ hash, last_four: lastFour(secret) })
      : this.worlds.ofOtherKey(hash)
    const world = this.worlds.use(opened).current()
    const key = world.tables.api_keys.first('hash', hash)
    return key && { opened, world, key }
  }

  /** Whether a text is an API key that opens some world. */
  isKnownKey(text: string): boolean {
    return this.worlds.hasKey(hashSecret(text))
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

  /**
   * Scenarios that were chosen before a restart and came from files that this start was not given, each with
   * the ids of the worlds that play it.
   */
  lostScenarios(): ReadonlyMap<string, readonly string[]> {
    const lost = new Map<string, string[]>()
    for (const { line } of this.worlds.list()) {
      for (const name of this.activeScenarios(line.world)) {
        if (this.findScenario(line.world, name)) continue
        const ids = lost.get(name) ?? []
        lost.set(name, ids)
        ids.push(line.id)
      }
    }
    return lost
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
  evidenceOf(world: World): Evidence {
    const base = this.#ground.base.tables
    const { requests, journal } = this.lineOf(world)
    const exchanges = once(() => requests.list().map(seenExchange))
    const lineage = once(() => lineageOf(journal.after(0)))
    return {
      tables: world.tables,
      firstOwn: (noun) => base[noun].next,
      exchanges,
      gone: this.keepsRequests ? requests.gone : Number.POSITIVE_INFINITY,
      moments: once(() => momentsOf(lineage(), exchanges())),
      fired: () => firedRules(lineage()),
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

  /** Remembers what the world of a line belongs to. */
  #adopt(line: Timeline): Timeline {
    this.#lines.set(line.world, line)
    return line
  }
}

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
