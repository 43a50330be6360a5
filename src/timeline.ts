import type { Later, MachineClock } from './clock.js'
import { Feed } from './journal/feed.js'
import { type Act, History } from './journal/history.js'
import { MemoryJournal } from './journal/memory.js'
import { RequestLog } from './journal/requests.js'
import { type Snapshot, snapshotOf } from './journal/snapshots.js'
import type { Pace } from './pace.js'
import { Pulse } from './pulse.js'
import { timeOf } from './world/clock.js'
import type { Cause, Entry } from './world/kernel/journal.js'
import type { Step } from './world/kernel/step.js'
import { LAST_INSTANT } from './world/kernel/time.js'
import { changesBetween, type Recorder, type World } from './world/world.js'

export interface TimelineParts {
  readonly id: string
  /** What every world of this line starts from. Kept for good, since a reset goes back to it. */
  readonly beginning: readonly Entry[]
  readonly machineClock: MachineClock
  readonly later: Later
  readonly report: (bug: unknown) => void
  /** How many exchanges the request log keeps. */
  readonly requestLog: number
}

/** Makes a world that tells the line what it does. */
export type MakeWorld = (record: Recorder) => World

/** Entries that an advance answers at most. */
const MOST_FIRED = 1_000

/** What an advance did: where the clock stands, how many entries it made, and the newest of them. */
export interface Advance {
  readonly now: number
  readonly count: number
  readonly fired: readonly Entry[]
}

/**
 * One world over machine time, and what stays of it through its resets: its journal, those who read it as
 * it grows, its history and its requests. A reset is an entry like others, so cursors and streams outlast it.
 */
export class Timeline {
  readonly id: string
  readonly journal = new MemoryJournal()
  readonly history = new History()
  readonly requests: RequestLog
  readonly #snapshots = new Map<string, Snapshot>()
  readonly feed: Feed
  readonly beginning: readonly Entry[]
  readonly #machineClock: MachineClock
  #world: World

  constructor(parts: TimelineParts, make: MakeWorld) {
    const { machineClock, later, report } = parts
    this.id = parts.id
    this.beginning = parts.beginning
    this.requests = new RequestLog(parts.requestLog)
    this.#machineClock = machineClock
    for (const entry of parts.beginning) this.journal.add(entry)
    const world = () => this.#world
    const tick = () => void this.current()
    const pulse = new Pulse({ world, tick, machineClock, later, report })
    this.feed = new Feed(this.journal, pulse, later)
    this.#world = make(this.#record)
  }

  /** The world, as it was when it was last brought up to its time. */
  get world(): World {
    return this.#world
  }

  /** The world, brought up to its clock: what is due has fired. At the last instant all clocks stand still. */
  current(): World {
    const world = this.#world
    if (world.tables.clock.get('clock')?.speed) world.advance(this.now)
    return world
  }

  /** The world's time by its clock, which it may not have been brought up to yet. */
  get now(): number {
    const { now, tables } = this.#world
    const clock = tables.clock.get('clock')
    if (!clock || clock.speed === 0) return now
    return Math.max(Math.min(timeOf(clock, this.#machineClock()), LAST_INSTANT), now)
  }

  /** Moves the world's time: to an instant, or until no timer is pending. */
  advance(to: number | 'idle', cause: Cause): Advance {
    const world = this.current()
    const before = world.seq
    this.history.begin(cause)
    try {
      if (to === 'idle') world.advanceUntilIdle()
      else world.advance(to)
    } finally {
      const clock = world.tables.clock.get('clock')
      if (clock) this.setPace(clock, cause)
    }
    // The entry that sets the clock is the call's own, not something that fired.
    const count = world.seq - before - 1
    const fired = this.journal.after(before, MOST_FIRED + 1).slice(0, -1)
    return { now: world.now, count, fired }
  }

  /** Sets how the world's time runs from its present time on. */
  setPace({ mode, speed }: Pace, cause: Cause): void {
    const machine_ms = this.#machineClock()
    this.#world.run('clock.set', { mode, speed, machine_ms }, cause)
  }

  /** Takes back the newest thing that was done from outside and all that followed; undefined when none is known. */
  undo(cause: Cause): Act | undefined {
    const act = this.history.pop()
    if (!act) return undefined
    const { replaced, steps } = act
    if (replaced) {
      replaced.comeBack(this.#world, changesBetween(this.#world.tables, replaced.tables), cause)
      this.#world = replaced
    } else this.#world.takeBack(steps, cause)
    return act
  }

  /** Worlds that were kept, the oldest first. */
  snapshots(): Snapshot[] {
    return [...this.#snapshots.values()]
  }

  snapshot(name: string): Snapshot | undefined {
    return this.#snapshots.get(name)
  }

  /** Keeps the world as it is now, in place of an earlier snapshot of that name. */
  takeSnapshot(name: string, cause: Cause): Snapshot {
    this.#world.run('snapshot.take', { name }, cause)
    const snapshot = snapshotOf(name, this.#world)
    this.#snapshots.delete(name)
    this.#snapshots.set(name, snapshot)
    return snapshot
  }

  dropSnapshot(name: string, cause: Cause): void {
    this.#world.run('snapshot.drop', { name }, cause)
    this.#snapshots.delete(name)
  }

  /** Puts another world in the place of this one. */
  replace(make: MakeWorld, cause: Cause): World {
    this.history.begin(cause, this.#world)
    this.#world = make(this.#record)
    return this.#world
  }

  readonly #record = (entry: Entry, step: Step): void => {
    this.journal.add(entry, this.#machineClock())
    this.history.add(entry, step)
    this.feed.notice()
  }
}
