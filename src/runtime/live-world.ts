import { toWorldTime } from '../domain/clock.js'
import { changesBetween, type Recorder, type World } from '../domain/world.js'
import { MemoryJournal } from '../journal/memory-journal.js'
import { createSnapshot, type Snapshot } from '../journal/snapshots.js'
import { Subscriptions } from '../journal/subscriptions.js'
import type { Cause, Entry } from '../kernel/entry.js'
import { runToEnd } from '../kernel/run-to-end.js'
import { MAX_INSTANT, toIso } from '../kernel/time.js'
import type { UndoRecord } from '../kernel/undo-record.js'
import type { MachineClock, Schedule } from '../lib/machine-clock.js'
import { inSlices } from '../lib/slices.js'
import type { PersistedWorldHandle, Persistence } from '../persistence/port.js'
import { RequestLog } from '../request-log/request-log.js'
import type { ClockSetting } from './clock-mode.js'
import { ClockScheduler } from './clock-scheduler.js'
import { UndoHistory, type UndoUnit, undoRecordsOf } from './undo-history.js'
import { copyWorldAsOf } from './world-as-of.js'

export interface LiveWorldOptions {
  readonly id: string
  /** What every world of this line starts from. Kept for good, since a reset goes back to it. */
  readonly beginning: readonly Entry[]
  readonly machineClock: MachineClock
  readonly later: Schedule
  readonly report: (bug: unknown) => void
  /** How many exchanges the request log keeps. */
  readonly requestLog: number
  /** Begins its world anew, at each reset. */
  readonly start: StartWorld
  readonly onChange?: OnChange | undefined
  /** Keeps the line beyond the process. */
  readonly persistence?: Persistence | undefined
  /** What was kept of a line that goes on. */
  readonly restored?: RestoredWorld | undefined
  /** The snapshot that it is forked from. */
  readonly origin?: World | undefined
}

export interface RestoredWorld {
  readonly journal: MemoryJournal
  readonly snapshots: ReadonlyMap<string, Snapshot>
}

/** Makes a world that tells the line what it does. */
export type CreateWorld = (record: Recorder) => World

/** What hears that an entry was made, or, without one, that another world stands in a line now. */
export type OnChange = (live: LiveWorld, entry?: Entry) => void

/** Begins a world; the numbers of its entries go on from `seq`. */
export type StartWorld = (record: Recorder, seq: number, cause: Cause) => World

/** Entries that an advance answers at most. */
const MAX_FIRED = 1_000

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
export class LiveWorld implements PersistedWorldHandle {
  readonly id: string
  readonly origin: World | undefined
  readonly journal: MemoryJournal
  readonly history = new UndoHistory()
  readonly beginning: readonly Entry[]
  readonly #parts: LiveWorldOptions
  readonly #machineClock: MachineClock
  readonly #persistence: Persistence | undefined
  /** The newest entry that readers may see: with a keeping, one that will outlast a crash. */
  #visibleUpTo: number
  /** Made when there is something for them: there may be thousands of lines. */
  #snapshots: Map<string, Snapshot> | undefined
  #subscriptions: Subscriptions | undefined
  #scheduler: ClockScheduler | undefined
  #requests: RequestLog
  #busy: Promise<void> | undefined
  /** How often an undo or another world has turned away from where it was. */
  #turns = 0
  #world: World

  constructor(parts: LiveWorldOptions, make: CreateWorld) {
    const { persistence, restored } = parts
    this.#parts = parts
    this.id = parts.id
    this.origin = parts.origin
    this.journal = restored?.journal ?? new MemoryJournal()
    if (restored?.snapshots.size) this.#snapshots = new Map(restored.snapshots)
    this.#persistence = persistence
    this.beginning = parts.beginning
    this.#requests = new RequestLog(parts.requestLog)
    this.#machineClock = parts.machineClock
    if (!restored) for (const entry of parts.beginning) this.journal.add(entry)
    this.#visibleUpTo = persistence ? this.journal.newest : Number.POSITIVE_INFINITY
    this.#world = this.#createWorld(make)
  }

  /** Shows its journal, as it grows, to those who read along. */
  get subscriptions(): Subscriptions {
    if (this.#subscriptions) return this.#subscriptions
    const { machineClock, later: schedule, report, persistence } = this.#parts
    const world = () => this.#world
    const advance = () => void this.current()
    const isReadOnly = () => persistence?.isReadOnly ?? false
    this.#scheduler = new ClockScheduler({
      world,
      advance,
      machineClock,
      schedule,
      report,
      isReadOnly,
    })
    this.#subscriptions = new Subscriptions(
      this.journal,
      this.#scheduler,
      schedule,
      () => this.#visibleUpTo,
    )
    return this.#subscriptions
  }

  /** Tells those who read along that there is something new. */
  notify(): void {
    this.#subscriptions?.notify()
  }

  /** Its exchanges since its world began. */
  get requests(): RequestLog {
    return this.#requests
  }

  /** How many streams of it are open. */
  get streams(): number {
    return this.#subscriptions?.size ?? 0
  }

  /** Ends its open streams, and tells why. */
  endStreams(reason: string): void {
    this.#subscriptions?.end(reason)
  }

  /** The world, as it was when it was last brought up to its time. */
  get world(): World {
    return this.#world
  }

  /** The world, brought up to its clock: what is due has fired. At the last instant all clocks stand still. */
  current(): World {
    const world = this.#world
    if (this.#persistence?.isReadOnly || this.#busy) return world
    if (world.tables.clock.get('clock')?.speed) world.advance(this.now)
    return world
  }

  /** The world's time by its clock, which it may not have been brought up to yet. */
  get now(): number {
    const { now, tables } = this.#world
    const clock = tables.clock.get('clock')
    if (!clock || clock.speed === 0) return now
    return Math.max(Math.min(toWorldTime(clock, this.#machineClock()), MAX_INSTANT), now)
  }

  /** A copy of the world as it was so many milliseconds ago, by its own time. */
  asOf(ms: number): World {
    const world = this.current()
    return copyWorldAsOf(world, this.journal, this.history, world.now - ms)
  }

  /** Moves the world's time: to an instant, or until no timer is pending. */
  advance(to: number | 'idle', cause: Cause): Advance {
    return runToEnd(this.#advancing(to, cause))
  }

  /**
   * Does what `advance` does, in slices between which others have their turn; requests of this world wait
   * for `busy`. Each slice is kept on its own: when a write fails, the kept slices stay, and the error names
   * the instant at which the clock stopped.
   */
  async advanceInSlices(to: number | 'idle', cause: Cause): Promise<Advance> {
    while (this.#busy) await this.#busy
    const persistence = this.#persistence
    try {
      const advance = await this.#inSlices(this.#advancing(to, cause), () =>
        persistence?.pendingFor(this.id),
      )
      await persistence?.pendingFor(this.id)
      return advance
    } catch (error) {
      persistence?.assertAvailable(`the clock stopped at ${toIso(this.#world.now)}`)
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
      if (this.#world !== world || world.seq !== seq) return runToEnd(read(this.current()))
    }
  }

  *#advancing(to: number | 'idle', cause: Cause): Generator<void, Advance> {
    this.#persistence?.assertWritable(this)
    const world = this.current()
    const before = world.seq
    this.#restoreEvictedOnRollback(this.history.begin(cause))
    const turns = this.#turns
    // A program may undo or reset it between two slices: then nothing is left to go on with.
    const isOver = () => this.#turns !== turns
    try {
      const firing = world.advancing(to)
      while (!firing.next().done && !isOver()) yield
    } finally {
      const clock = isOver() ? undefined : world.tables.clock.get('clock')
      if (clock) this.setClock(clock, cause)
    }
    // The entry that sets the clock is the call's own, not something that fired.
    const count = world.seq - before - 1
    const fired = this.journal.after(before, MAX_FIRED + 1).slice(0, -1)
    return { now: world.now, count, fired }
  }

  /** Sets how the world's time runs from its present time on. */
  setClock({ mode, speed }: ClockSetting, cause: Cause): void {
    const machine_ms = this.#machineClock()
    this.#world.run('clock.set', { mode, speed, machine_ms }, cause)
  }

  /** Lets a clock run that was kept when the machine's time was ahead: it would stand still until that comes again. */
  resumeClock(cause: Cause): void {
    const { now, tables } = this.#world
    const clock = tables.clock.get('clock')
    if (!clock || clock.speed === 0 || this.#persistence?.isReadOnly) return
    if (toWorldTime(clock, this.#machineClock()) < now) this.setClock(clock, cause)
  }

  /** Takes back the newest thing that was done from outside and all that followed; undefined when none is known. */
  undo(cause: Cause): UndoUnit | undefined {
    this.#persistence?.assertWritable(this)
    const unit = this.history.pop()
    if (!unit) return undefined
    this.#turns++
    const { replacedWorld } = unit
    const undone = this.#world
    const seq = replacedWorld?.seq ?? 0
    this.#persistence?.onRollback(this.id, () => {
      this.#world = undone
      replacedWorld?.revertRestore(seq)
      this.history.push(unit)
    })
    if (replacedWorld) {
      replacedWorld.restore(
        this.#world,
        changesBetween(this.#world.tables, replacedWorld.tables),
        cause,
      )
      this.#world = replacedWorld
    } else this.#world.undo(undoRecordsOf(unit), cause)
    this.#parts.onChange?.(this)
    return unit
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
    const snapshot = createSnapshot(name, this.#world)
    this.#restoreSnapshotsOnRollback()
    this.#snapshots ??= new Map()
    this.#snapshots.delete(name)
    this.#snapshots.set(name, snapshot)
    return snapshot
  }

  dropSnapshot(name: string, cause: Cause): void {
    this.#world.run('snapshot.drop', { name }, cause)
    this.#restoreSnapshotsOnRollback()
    this.#snapshots?.delete(name)
  }

  /** Begins anew, exactly as at boot; only the numbers of entries go on. */
  reset(cause: Cause): World {
    const { seq } = this.#world
    const world = this.replace((record) => this.#parts.start(record, seq, cause), cause)
    const log = this.#requests
    this.#persistence?.onRollback(this.id, () => {
      this.#requests = log
    })
    this.#requests = new RequestLog(this.#parts.requestLog)
    return world
  }

  /** Puts another world in the place of this one. */
  replace(make: CreateWorld, cause: Cause): World {
    this.#persistence?.assertWritable(this)
    const replaced = this.#world
    this.#restoreEvictedOnRollback(this.history.begin(cause, replaced))
    this.#persistence?.onRollback(this.id, () => {
      this.#world = replaced
      const unit = this.history.pop()
      if (unit && unit.replacedWorld !== replaced) this.history.push(unit)
    })
    this.#turns++
    this.#world = this.#createWorld(make)
    this.#parts.onChange?.(this)
    return this.#world
  }

  /** Lets readers see the entries up to this number. */
  onPersisted(seq: number): void {
    this.#visibleUpTo = seq
    this.notify()
  }

  /** Takes the newest entry back, as if it had never been: it could not be kept. */
  rollbackLatest(undoRecord: UndoRecord): void {
    this.#world.rollbackLatest(undoRecord)
    this.journal.drop()
    this.history.drop(undoRecord)
    this.#parts.onChange?.(this)
  }

  /** Goes on with its timers after they had to wait. */
  resumeTimers(): void {
    // An advance that stopped halfway has left a running clock behind the world's time.
    this.resumeClock({ kind: 'boot' })
    this.#scheduler?.follow()
  }

  #createWorld(make: CreateWorld): World {
    const world = make(this.#record)
    if (this.#persistence) world.assertWritable = () => this.#persistence?.assertWritable(this)
    return world
  }

  #restoreSnapshotsOnRollback(): void {
    const before = this.#snapshots && new Map(this.#snapshots)
    this.#persistence?.onRollback(this.id, () => {
      this.#snapshots = before
    })
  }

  /** Acts that have made room in the history come back, should what they made it for not be kept. */
  #restoreEvictedOnRollback(units: readonly UndoUnit[]): void {
    if (units.length > 0)
      this.#persistence?.onRollback(this.id, () => this.history.restoreEvicted(units))
  }

  readonly #record = (entry: Entry, undoRecord: UndoRecord): void => {
    this.journal.add(entry, this.#machineClock())
    this.#restoreEvictedOnRollback(this.history.add(entry, undoRecord))
    if (this.#persistence) this.#persistence.append(this, entry, undoRecord)
    else this.notify()
    this.#parts.onChange?.(this, entry)
  }
}
