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
import { hashSecret, lastFour } from './secrets.js'
import { type MakeWorld, Timeline } from './timeline.js'
import type { ApiKey } from './world/api-keys.js'
import type { FixtureSet } from './world/fixtures.js'
import type { Cause } from './world/kernel/journal.js'
import { copyWorld, type World } from './world/world.js'

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

  constructor(parts: SandboxParts) {
    this.#parts = parts
    this.#startedAt = parts.machineClock()
    this.keepsRequests = parts.requestLog > 0
    this.#ground = layGround(parts)
    this.main = this.#openLine('default', (record) =>
      bootWorld(this.#ground, this.#openMain(), {
        record,
        seq: this.#ground.base.seq,
        cause: BOOT,
      }),
    )
  }

  /** What a health check asks for. */
  health(): { version: string; uptime_s: number; worlds: number } {
    const { version, machineClock } = this.#parts
    return { version, uptime_s: Math.floor((machineClock() - this.#startedAt) / 1_000), worlds: 1 }
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
    line.feed.notice()
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

  #openLine(id: string, make: MakeWorld): Timeline {
    const { machineClock, later, requestLog } = this.#parts
    const { beginning } = this.#ground
    const report = (bug: unknown) => console.error(bug)
    const line = new Timeline({ id, beginning, machineClock, later, report, requestLog }, make)
    this.#lines.set(line.world, line)
    return line
  }

  #replace(line: Timeline, cause: Cause, make: MakeWorld): World {
    const world = line.replace(make, cause)
    this.#lines.set(world, line)
    return world
  }
}

/** Makes something when it is first asked for. */
const once = <T>(make: () => T): (() => T) => {
  let made: { readonly it: T } | undefined
  return () => {
    made ??= { it: make() }
    return made.it
  }
}
