import { BOOT, bootWorld, type Ground, layGround, type Opening, reactionsOf } from './boot.js'
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
import { hashSecret, isWorldKey, type KeptKey, lastFour, worldIdOf } from './secrets.js'
import { type Boot, type Changed, type MakeWorld, Timeline } from './timeline.js'
import type { ApiKey } from './world/api-keys.js'
import type { FixtureSet } from './world/fixtures.js'
import type { Cause } from './world/kernel/journal.js'
import { copyWorld, type Recorder, type World } from './world/world.js'
import { DEFAULT_WORLD, type OpenWorld, type Shelf, Worlds } from './worlds.js'

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
  /** How many worlds by key are open, unless more are in use at once. */
  readonly worldLimit: number
  /** Where worlds by key are kept that make room for others. */
  readonly shelf?: Shelf | undefined
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

  constructor(parts: SandboxParts) {
    this.#parts = parts
    this.#startedAt = parts.machineClock()
    this.keepsRequests = parts.requestLog > 0
    this.#ground = layGround(parts)
    this.#seed = parts.seed ?? parts.drawSeed()
    const { machineClock, worldLimit: limit, shelf, warn } = parts
    const start = (key: KeptKey, again: boolean, make?: MakeWorld) =>
      this.#startByKey(key, again, make)
    this.worlds = new Worlds({ main: this.#startMain(), limit, machineClock, start, shelf, warn })
  }

  /** The world of those who bring no key of a world of their own. */
  get main(): Timeline {
    return this.worlds.main.line
  }

  /** What a health check asks for. */
  health(): { version: string; uptime_s: number; worlds: number } {
    const { version, machineClock } = this.#parts
    return {
      version,
      uptime_s: Math.floor((machineClock() - this.#startedAt) / 1_000),
      worlds: this.worlds.size,
    }
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
      moments: once(() => momentsOf(journal.after(0), exchanges())),
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

  #startMain(): Timeline {
    const { seed, drawSeed, apiKey } = this.#parts
    const key = apiKey === undefined ? undefined : keptKey(apiKey)
    const openingWith = (its: string): Opening => ({
      seed: its,
      ...(key && { key: { name: 'From --api-key', ...key } }),
    })
    return this.#startLine(DEFAULT_WORLD, {
      first: openingWith(this.#seed),
      anew: () => openingWith(seed ?? drawSeed()),
    })
  }

  #startByKey(kept: KeptKey, again: boolean, make?: MakeWorld): Timeline {
    const id = worldIdOf(kept.hash)
    const key = { name: 'The key of this world', ...kept }
    const opening: Opening = { seed: `${this.#seed}/${id}`, key, keyless: true }
    return this.#startLine(id, {
      first: again ? { ...opening, again } : opening,
      anew: () => opening,
      make,
      changed: this.worlds.changed,
    })
  }

  #startLine(id: string, { first, anew, make, changed }: LineStart): Timeline {
    const { machineClock, later, requestLog } = this.#parts
    const { base, beginning } = this.#ground
    const begin = (opening: Opening, record: Recorder, seq: number, cause: Cause) =>
      bootWorld(this.#ground, opening, { record, seq, cause })
    const boot: Boot = (record, seq, cause) => begin(anew(), record, seq, cause)
    const report = (bug: unknown) => console.error(bug)
    const parts = { id, beginning, machineClock, later, report, requestLog, boot, changed }
    const line = new Timeline(parts, make ?? ((record) => begin(first, record, base.seq, BOOT)))
    this.#adopt(line, line.world)
    return line
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
interface LineStart {
  readonly first: Opening
  readonly anew: () => Opening
  readonly make?: MakeWorld | undefined
  readonly changed?: Changed
}

const keptKey = (secret: string): KeptKey => ({
  hash: hashSecret(secret),
  last_four: lastFour(secret),
})

/** Makes something when it is first asked for. */
const once = <T>(make: () => T): (() => T) => {
  let made: { readonly it: T } | undefined
  return () => {
    made ??= { it: make() }
    return made.it
  }
}
