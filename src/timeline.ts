import type { Later, MachineClock } from './clock.js'
import { RequestLog } from './exchanges/requests.js'
import { Feed } from './journal/feed.js'
import { type Act, History, stepsOf } from './journal/history.js'
import { MemoryJournal } from './journal/memory.js'
import { copyAsOf } from './journal/past.js'
import { type Snapshot, snapshotOf } from './journal/snapshots.js'
import type { Keeping, KeptLine } from './keeping.js'
import type { IsMemoryShort } from './memory.js'
import type { Pace } from './pace.js'
import { Pulse } from './pulse.js'
import { inSlices } from './slices.js'
import { timeOf } from './world/clock.js'
import { atOnce } from './world/kernel/at-once.js'
import type { Cause, Entry } from './world/kernel/entry.js'
import type { Step } from './world/kernel/step.js'
import { isoTime, LAST_INSTANT } from './world/kernel/time.js'
import { changesBetween, type Recorder, type World } from './world/world.js'

/** The id of the world of those who bring no key of a world of their own. */
export const DEFAULT_WORLD = 'default'

export interface TimelineParts {
  readonly id: string
  /** What every world of this line starts from. Kept for good, since a reset goes back to it. */
  readonly beginning: readonly Entry[]
  readonly machineClock: MachineClock
  readonly later: Later
  readonly isMemoryShort: IsMemoryShort
  readonly report: (bug: unknown) => void
  /** How many exchanges the request log keeps. */
  readonly requestLog: number
  /** Begins its world anew, at each reset. */
  readonly boot: Boot
  readonly changed?: Changed | undefined
  /** Keeps the line beyond the process. */
  readonly keeping?: Keeping | undefined
  /** What was kept of a line that goes on. */
  readonly reopened?: ReopenedLine | undefined
}

export interface ReopenedLine {
  readonly journal: MemoryJournal
  readonly snapshots: ReadonlyMap<string, Snapshot>
}

/** Makes a world that tells the line what it does. */
export type MakeWorld = (record: Recorder) => World

/** What hears that an entry was made, or, without one, that another world stands in a line now. */
export type Changed = (line: Timeline, entry?: Entry) => void

/** Begins a world; the numbers of its entries go on from `seq`. */
export type Boot = (record: Recorder, seq: number, cause: Cause) => World

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
export class Timeline implements KeptLine {
  readonly id: string
  readonly journal: MemoryJournal
  readonly history = new History()
  readonly beginning: readonly Entry[]
  readonly #parts: TimelineParts
  readonly #machineClock: MachineClock
  readonly #keeping: Keeping | undefined
  /** The newest entry that readers may see: with a keeping, one that will outlast a crash. */
  #shown: number
  /** Made when there is something for them: there may be thousands of lines. */
  #snapshots: Map<string, Snapshot> | undefined
  #feed: Feed | undefined
  #pulse: Pulse | undefined
  #requests: RequestLog
  #busy: Promise<void> | undefined
  /** How often an undo or another world has turned away from where it was. */
  #turns = 0
  #world: World

  constructor(parts: TimelineParts, make: MakeWorld) {
    const { keeping, reopened } = parts
    this.#parts = parts
    this.id = parts.id
    this.journal = reopened?.journal ?? new MemoryJournal()
    if (reopened?.snapshots.size) this.#snapshots = new Map(reopened.snapshots)
    this.#keeping = keeping
    this.beginning = parts.beginning
    this.#requests = new RequestLog(parts.requestLog)
    this.#machineClock = parts.machineClock
    if (!reopened) for (const entry of parts.beginning) this.journal.add(entry)
    this.#shown = keeping ? this.journal.newest : Number.POSITIVE_INFINITY
    this.#world = this.#make(make)
  }

  /** Shows its journal, as it grows, to those who read along. */
  get feed(): Feed {
    if (this.#feed) return this.#feed
    const { machineClock, later, report, keeping } = this.#parts
    const world = () => this.#world
    const tick = () => void this.current()
    const isHeld = () => keeping?.isHeld ?? false
    this.#pulse = new Pulse({ world, tick, machineClock, later, report, isHeld })
    this.#feed = new Feed(this.journal, this.#pulse, later, () => this.#shown)
    return this.#feed
  }

  /** Tells those who read along that there is something new. */
  notice(): void {
    this.#feed?.notice()
  }

  /** Its exchanges since its world began. */
  get requests(): RequestLog {
    return this.#requests
  }

  /** How many streams of it are open. */
  get streams(): number {
    return this.#feed?.size ?? 0
  }

  /** Ends its open streams, and tells why. */
  endStreams(reason: string): void {
    this.#feed?.end(reason)
  }

  /** The world, as it was when it was last brought up to its time. */
  get world(): World {
    return this.#world
  }

  /** The world, brought up to its clock: what is due has fired. At the last instant all clocks stand still. */
  current(): World {
    const world = this.#world
    if (this.#keeping?.isHeld || this.#busy) return world
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

  /** A copy of the world as it was so many milliseconds ago, by its own time. */
  ago(ms: number): World {
    const world = this.current()
    return copyAsOf(world, this.journal, this.history, world.now - ms)
  }

  /** Moves the world's time: to an instant, or until no timer is pending. */
  advance(to: number | 'idle', cause: Cause): Advance {
    return atOnce(this.#advancing(to, cause))
  }

  /**
   * Does what `advance` does, in slices between which others have their turn; requests of this world wait
   * for `busy`. Each slice is kept on its own: when a write fails, the kept slices stay, and the error names
   * the instant at which the clock stopped.
   */
  async advanceInSlices(to: number | 'idle', cause: Cause): Promise<Advance> {
    while (this.#busy) await this.#busy
    const keeping = this.#keeping
    try {
      const advance = await this.#inSlices(this.#advancing(to, cause), () => keeping?.pending)
      await keeping?.pending
      return advance
    } catch (error) {
      keeping?.assertOpen(`the clock stopped at ${isoTime(this.#world.now)}`)
      throw error
    }
  }

  /** Reads much of the world, in slices between which others have their turn; its requests wait for `busy`. */
  async readInSlices<V>(read: (world: World) => Generator<void, V>): Promise<V> {
    while (this.#busy) await this.#busy
    return this.#inSlices(this.#reading(read))
  }

  /** Settles once no work in slices is under way in this world; undefined when none is. */
  get busy(): Promise<void> | undefined {
    return this.#busy
  }

  #inSlices<V>(work: Generator<void, V>, between?: () => Promise<void> | undefined): Promise<V> {
    const result = inSlices(work, between)
    const ended = () => {
      this.#busy = undefined
    }
    this.#busy = result.then(ended, ended)
    return result
  }

  *#reading<V>(read: (world: World) => Generator<void, V>): Generator<void, V> {
    const world = this.current()
    const { seq } = world
    const work = read(world)
    for (;;) {
      const { done, value } = work.next()
      if (done) return value
      yield
      // A program may write to it or reset it between two slices: then all is read again, without a pause.
      if (this.#world !== world || world.seq !== seq) return atOnce(read(this.current()))
    }
  }

  *#advancing(to: number | 'idle', cause: Cause): Generator<void, Advance> {
    this.#keeping?.assertGoesOn(this)
    const world = this.current()
    const before = world.seq
    this.#regainUnlessKept(this.history.begin(cause))
    const turns = this.#turns
    // A program may undo or reset it between two slices: then nothing is left to go on with.
    const isOver = () => this.#turns !== turns
    try {
      const firing = world.advancing(to)
      while (!firing.next().done && !isOver()) yield
    } finally {
      const clock = isOver() ? undefined : world.tables.clock.get('clock')
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

  /** Lets a clock run that was kept when the machine's time was ahead: it would stand still until that comes again. */
  resumeClock(cause: Cause): void {
    const { now, tables } = this.#world
    const clock = tables.clock.get('clock')
    if (!clock || clock.speed === 0 || this.#keeping?.isHeld) return
    if (timeOf(clock, this.#machineClock()) < now) this.setPace(clock, cause)
  }

  /** Takes back the newest thing that was done from outside and all that followed; undefined when none is known. */
  undo(cause: Cause): Act | undefined {
    this.#keeping?.assertGoesOn(this)
    const act = this.history.pop()
    if (!act) return undefined
    this.#turns++
    const { replaced } = act
    const undone = this.#world
    const seq = replaced?.seq ?? 0
    this.#keeping?.alongside(() => {
      this.#world = undone
      replaced?.standBack(seq)
      this.history.push(act)
    })
    if (replaced) {
      replaced.comeBack(this.#world, changesBetween(this.#world.tables, replaced.tables), cause)
      this.#world = replaced
    } else this.#world.takeBack(stepsOf(act), cause)
    this.#parts.changed?.(this)
    return act
  }

  /** Worlds that were kept, the oldest first. */
  snapshots(): Snapshot[] {
    return [...(this.#snapshots?.values() ?? [])]
  }

  snapshot(name: string): Snapshot | undefined {
    return this.#snapshots?.get(name)
  }

  /** Keeps the world as it is now, in place of an earlier snapshot of that name. */
  takeSnapshot(name: string, cause: Cause): Snapshot {
    this.#world.run('snapshot.take', { name }, cause)
    const snapshot = snapshotOf(name, this.#world)
    this.#keepSnapshots()
    this.#snapshots ??= new Map()
    this.#snapshots.delete(name)
    this.#snapshots.set(name, snapshot)
    return snapshot
  }

  dropSnapshot(name: string, cause: Cause): void {
    this.#world.run('snapshot.drop', { name }, cause)
    this.#keepSnapshots()
    this.#snapshots?.delete(name)
  }

  /** Begins anew, exactly as at boot; only the numbers of entries go on. */
  reset(cause: Cause): World {
    const { seq } = this.#world
    const world = this.replace((record) => this.#parts.boot(record, seq, cause), cause)
    const log = this.#requests
    this.#keeping?.alongside(() => {
      this.#requests = log
    })
    this.#requests = new RequestLog(this.#parts.requestLog)
    return world
  }

  /** Puts another world in the place of this one. */
  replace(make: MakeWorld, cause: Cause): World {
    this.#keeping?.assertGoesOn(this)
    const replaced = this.#world
    this.#regainUnlessKept(this.history.begin(cause, replaced))
    this.#keeping?.alongside(() => {
      this.#world = replaced
      const act = this.history.pop()
      if (act && act.replaced !== replaced) this.history.push(act)
    })
    this.#turns++
    this.#world = this.#make(make)
    this.#parts.changed?.(this)
    return this.#world
  }

  /** Lets readers see the entries up to this number. */
  kept(seq: number): void {
    this.#shown = seq
    this.notice()
  }

  /** Takes the newest entry back, as if it had never been: it could not be kept. */
  unmake(step: Step): void {
    this.#world.revert(step)
    this.journal.drop()
    this.history.drop(step)
    this.#parts.changed?.(this)
  }

  /** Goes on with its timers after they had to wait. */
  resume(): void {
    // An advance that stopped halfway has left a running clock behind the world's time.
    this.resumeClock({ kind: 'boot' })
    this.#pulse?.follow()
  }

  #make(make: MakeWorld): World {
    // What a world begins with is nothing by halves: without its key nobody could come to it.
    const begin = () => make(this.#record)
    const world = this.#keeping ? this.#keeping.together(begin) : begin()
    if (this.#keeping) world.gate = () => this.#keeping?.assertGoesOn(this)
    world.isMemoryShort = this.#parts.isMemoryShort
    return world
  }

  #keepSnapshots(): void {
    const before = this.#snapshots && new Map(this.#snapshots)
    this.#keeping?.alongside(() => {
      this.#snapshots = before
    })
  }

  /** Acts that have made room in the history come back, should what they made it for not be kept. */
  #regainUnlessKept(acts: readonly Act[]): void {
    if (acts.length > 0) this.#keeping?.alongside(() => this.history.regain(acts))
  }

  readonly #record = (entry: Entry, step: Step): void => {
    this.journal.add(entry, this.#machineClock())
    this.#regainUnlessKept(this.history.add(entry, step))
    if (this.#keeping) this.#keeping.entry(this, entry, step)
    else this.notice()
    this.#parts.changed?.(this, entry)
  }
}
