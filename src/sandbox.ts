import type { Later, MachineClock, Sleep } from './clock.js'
import type { MemoryJournal } from './journal/memory.js'
import type { Recording, Sent } from './journal/recording.js'
import { RequestLog } from './journal/requests.js'
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
import { reactWith } from './scenarios/react.js'
import type { Scenario } from './scenarios/read.js'
import { type Reading, seenExchange } from './scenarios/reading.js'
import { hashSecret, lastFour } from './secrets.js'
import type { Settled } from './settled.js'
import { Timeline } from './timeline.js'
import type { ApiKey } from './world/api-keys.js'
import { timeOf } from './world/clock.js'
import type { FixtureSet } from './world/fixtures.js'
import type { Cause, Entry } from './world/kernel/journal.js'
import { LAST_INSTANT } from './world/kernel/time.js'
import type { Choices, Readings } from './world/readings.js'
import { createWorld, type World } from './world/world.js'

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
}

const BOOT: Cause = { kind: 'boot' }

/** Entries that an advance answers at most. */
const MOST_FIRED = 1_000

/** What an advance did: where the clock stands, how many entries it made, and the newest of them. */
export interface Advance {
  readonly now: number
  readonly count: number
  readonly fired: readonly Entry[]
}

/** Puts a sandbox together: world, fixtures, scenarios, clock and journal. */
export class Sandbox {
  readonly #parts: SandboxParts
  readonly #base: World
  readonly #timelines = new WeakMap<World, Timeline>()
  readonly #timeline: Timeline
  readonly #requests = new WeakMap<World, RequestLog>()
  readonly #startedAt: number
  /** Whether exchanges are recorded at all. */
  readonly keepsRequests: boolean
  /** The questions that have been answered, and the readings that were said to be right. */
  readonly settled: Settled
  readonly settledChoices: Choices | undefined
  /** Whether the service refuses what rests on something that is neither documented nor chosen. */
  readonly isStrict: boolean
  #world: World

  constructor(parts: SandboxParts) {
    this.#parts = parts
    this.#startedAt = parts.machineClock()
    const beginning: Entry[] = []
    this.keepsRequests = parts.requestLog > 0
    this.#base = createWorld({
      seed: 'fixtures',
      now: parts.fixtures.now,
      react: () => undefined,
      record: (entry) => beginning.push(entry),
    })
    this.#base.run('fixtures.load', parts.fixtures, { kind: 'fixtures' })
    this.#base.run('scenarios.activate', { names: parts.catalogue.start }, BOOT)
    this.isStrict = parts.strict
    this.settled = parts.settled
    this.settledChoices = choicesOf(parts.settled)
    for (const [id, reading] of Object.entries({ ...this.settledChoices, ...parts.readings })) {
      this.#base.run('reading.choose', { id, reading }, BOOT)
    }
    this.#timeline = new Timeline(beginning, {
      world: () => this.#world,
      tick: () => this.current(),
      machineClock: parts.machineClock,
      later: parts.later,
      report: (bug) => console.error(bug),
    })
    this.#world = this.#boot(this.#timeline, this.#base.seq, BOOT)
  }

  /** The default world, as it was when it was last ticked. */
  get world(): World {
    return this.#world
  }

  /** The default world, brought up to its time. */
  current(): World {
    return this.tick(this.#world)
  }

  /** What a health check asks for. */
  health(): { version: string; uptime_s: number; worlds: number } {
    const { version, machineClock } = this.#parts
    return { version, uptime_s: Math.floor((machineClock() - this.#startedAt) / 1_000), worlds: 1 }
  }

  /** Goes back to the fixtures, exactly as at boot; only the numbers of entries go on. */
  reset(cause: Cause): World {
    const requests = this.requestsOf(this.#world)
    requests.reset()
    this.#world = this.#boot(this.#timeline, this.#world.seq, cause)
    // What is in flight has entered the world that was, and ends up in the one log.
    this.#requests.set(this.#world, requests)
    return this.#world
  }

  /** The request log of a world. */
  requestsOf(world: World): RequestLog {
    const known = this.#requests.get(world)
    if (known) return known
    const log = new RequestLog(this.#parts.requestLog)
    this.#requests.set(world, log)
    return log
  }

  /** Puts an exchange that has ended into the log of the world it entered, or of the default world. */
  keep(recording: Recording, sent: Sent | undefined, entered: World = this.#world): void {
    recording.at ??= this.#timeOf(entered)
    this.requestsOf(entered).add(recording, sent)
  }

  /** Counts what an answer relied on in the world it entered, or in the default world. */
  countReliance(readings: Readings, entered: World = this.#world): void {
    this.requestsOf(entered).reliance.count(readings, entered.now)
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
    const key = this.#world.tables.api_keys.first('hash', hashSecret(secret))
    return key && { world: this.current(), key }
  }

  /** Brings a world up to its clock: fires what is due. At the last instant all clocks stand still. */
  tick(world: World): World {
    if (world.tables.clock.get('clock')?.speed) world.advance(this.#timeOf(world))
    return world
  }

  /** The time of a world by its clock, which it may not have been brought up to yet. */
  #timeOf(world: World): number {
    const clock = world.tables.clock.get('clock')
    if (!clock || clock.speed === 0) return world.now
    const now = Math.min(timeOf(clock, this.#parts.machineClock()), LAST_INSTANT)
    return Math.max(now, world.now)
  }

  /** Moves a world's time: to an instant, or until no timer is pending. */
  advance(world: World, to: number | 'idle', cause: Cause): Advance {
    this.tick(world)
    const before = world.seq
    try {
      if (to === 'idle') world.advanceUntilIdle()
      else world.advance(to)
    } finally {
      const clock = world.tables.clock.get('clock')
      if (clock) this.setPace(world, clock, cause)
    }
    // The entry that sets the clock is the call's own, not something that fired.
    const count = world.seq - before - 1
    const fired = this.journalOf(world)
      .after(before, MOST_FIRED + 1)
      .slice(0, -1)
    return { now: world.now, count, fired }
  }

  /** Sets how the world's time runs from its present time on. */
  setPace(world: World, { mode, speed }: Pace, cause: Cause): void {
    const machine_ms = this.#parts.machineClock()
    world.run('clock.set', { mode, speed, machine_ms }, cause)
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
    const base = this.#base.tables
    const exchanges = once(() => this.requestsOf(world).list().map(seenExchange))
    return {
      tables: world.tables,
      firstOwn: (noun) => base[noun].next,
      exchanges,
      moments: once(() => momentsOf(this.journalOf(world).after(0), exchanges())),
    }
  }

  /** The journal of a world, which goes on through its resets. */
  journalOf(world: World): MemoryJournal {
    return this.timelineOf(world).journal
  }

  timelineOf(world: World): Timeline {
    return this.#timelines.get(world) ?? this.#timeline
  }

  /** How many streams are open. */
  get streams(): number {
    return this.#timeline.feed.size
  }

  /** Ends all open streams, and tells why. */
  endStreams(reason: string): void {
    this.#timeline.feed.end(reason)
  }

  #boot(timeline: Timeline, seq: number, cause: Cause): World {
    const { fixtures, pace, seed, drawSeed, catalogue, apiKey, machineClock } = this.#parts
    const world = createWorld({
      base: this.#base,
      seed: seed ?? drawSeed(),
      now: pace.mode === 'real' ? Math.max(machineClock(), fixtures.now) : fixtures.now,
      react: reactWith(catalogue),
      record: timeline.record,
      seq,
    })
    this.#timelines.set(world, timeline)
    world.run('world.begin', { seed: world.seed }, cause)
    this.setPace(world, pace, BOOT)
    if (apiKey !== undefined) {
      const hash = hashSecret(apiKey)
      const given = { name: 'From --api-key', permissions: 'full', expires_at: null } as const
      world.run('api_key.create', { ...given, hash, last_four: lastFour(apiKey) }, BOOT)
    }
    return world
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
