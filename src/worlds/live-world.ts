import { type ClockSetting, startAt, toWorldTime } from '../domain/clock.js'
import type { Clock } from '../domain/schema.js'
import { copyWorld, openWorld, type Recorder, type World } from '../domain/world.js'
import { goesBack, replacesWorld } from '../history/lineage.js'
import type { LogRecord } from '../history/log-record.js'
import { MAX_ENTRIES, MemoryJournal } from '../history/memory-journal.js'
import { repeatsPayoutId } from '../history/paid-twice.js'
import { RequestLog } from '../history/request-log.js'
import { Subscriptions } from '../history/subscriptions.js'
import type { CommandRecord } from '../kernel/command-record.js'
import type { Cause, Entry } from '../kernel/entry.js'
import { runToEnd } from '../kernel/run-to-end.js'
import { MAX_INSTANT, parseInstant, toIso } from '../kernel/time.js'
import { TimerLoopError } from '../kernel/timer-records.js'
import type { MachineClock, Schedule } from '../lib/machine-clock.js'
import type { HashedKey } from '../lib/secrets.js'
import { inSlices } from '../lib/slices.js'
import { applyCommits } from './apply-commits.js'
import type { BaseWorld } from './base-world.js'
import { ByteBudget, type ByteLimits } from './byte-budget.js'
import { ClockScheduler } from './clock-scheduler.js'
import type { Commits } from './commit.js'
import { WorldMovedError } from './errors.js'
import { Follower } from './follower.js'
import type { CaughtUp, Head, Standing, StoredCopy, WholeWorld } from './port.js'
import { Rewind } from './rewind.js'
import { BEFORE_RESET, type Snapshot } from './snapshots.js'
import type { RecoveredWorld } from './stored-world.js'
import type { UndoHistory } from './undo-history.js'

interface LiveWorldOptions extends Pick<BaseWorld, 'base' | 'beginning' | 'evaluateRules'> {
  readonly id: string
  readonly machineClock: MachineClock
  readonly schedule: Schedule
  readonly report: (bug: unknown) => void
  readonly requestLog: number
  readonly start: StartWorld
  readonly onChange?: OnChange | undefined
  readonly commits?: Commits | undefined
  /** As the log has it. */
  readonly found?: WholeWorld | undefined
  readonly origin?: World | undefined
  readonly tenant?: string | undefined
  readonly key?: HashedKey | undefined
  readonly isRestarted?: boolean | undefined
  readonly byteLimits?: ByteLimits | undefined
}

export type CreateWorld = (record: Recorder) => World

/** Called after each command, and without a record after another world took the place of this one. */
export type OnChange = (live: LiveWorld, record?: CommandRecord) => void

/** Starts a world whose entries are numbered from `seq` on. */
export type StartWorld = (record: Recorder, seq: number, cause: Cause) => World

/** The last event of a world's streams when it is deleted. */
export const DELETED = 'the world was deleted'
export const MAX_FIRED = 1_000

/** Repeated attempts of an advance share it: what one of them stored stays. */
interface AdvanceGoal {
  readonly to: number | 'idle'
  /** Number of the newest entry before the first attempt. */
  before?: number
  result?: Advance
}

/** Result of an advance: the new time, the number of entries, and the newest of them. */
interface Advance {
  readonly now: number
  readonly count: number
  readonly fired: readonly Entry[]
}

/**
 * A world with its journal, undo history, request log and subscriptions. A reset is an entry like others, so
 * all of them continue.
 */
export class LiveWorld implements StoredCopy {
  readonly id: string
  standing: Standing = 'fresh'
  head: Head | undefined
  isPartial: boolean
  /** The key that opens it. Undefined for the default world. */
  key: HashedKey | undefined
  /** True if an earlier world of its key was evicted. */
  readonly isRestarted: boolean
  /** By the machine's time. */
  used_at: number
  /** How many requests keep it in memory. */
  holders = 0
  /** Its owner, with --tenants. */
  readonly tenant: string | undefined
  /** By the machine's time. A reset does not change it. */
  readonly created_at: string
  readonly origin: World | undefined
  readonly journal = new MemoryJournal()
  readonly rewind = new Rewind(this)
  readonly beginning: readonly Entry[]
  /** Undefined without a limit. */
  readonly budget: ByteBudget | undefined
  readonly #parts: LiveWorldOptions
  readonly #machineClock: MachineClock
  readonly #commits: Commits | undefined
  /** Created on first use: there may be thousands of worlds. */
  #subscriptions: Subscriptions | undefined
  #scheduler: ClockScheduler | undefined
  /** A reset hides the requests before it, and its undo shows them again. */
  readonly requests: RequestLog
  #busy: Promise<void> | undefined
  /** Number of undos, resets and restores: an advance in slices stops when it changes. */
  #turns = 0
  #world: World
  /** Created on first use. */
  #onReplaced: Set<() => void> | undefined
  /** The machine's time at which the clock goes on. */
  #waitsUntil = Number.NEGATIVE_INFINITY

  constructor(parts: LiveWorldOptions, make: CreateWorld) {
    const { commits, found } = parts
    this.#parts = parts
    this.id = parts.id
    this.tenant = parts.tenant
    this.key = parts.key
    this.isRestarted = parts.isRestarted ?? false
    this.used_at = parts.machineClock()
    this.isPartial = found?.isPartial ?? false
    this.created_at = found?.created_at ?? toIso(parts.machineClock())
    this.origin = commits && parts.origin
    this.#commits = commits
    this.beginning = parts.beginning
    this.budget = parts.byteLimits && new ByteBudget(parts.byteLimits, this)
    this.requests = new RequestLog(parts.requestLog, commits?.log.requests, parts.id)
    this.#machineClock = parts.machineClock
    if (!found) for (const entry of parts.beginning) this.journal.add(entry)
    this.#world = found ? this.#replay(found.world, found) : this.#createWorld(make)
  }

  get subscriptions(): Subscriptions {
    if (this.#subscriptions) return this.#subscriptions
    const { machineClock, schedule, report, commits } = this.#parts
    const world = () => this.#world
    const advance = () => void this.current()
    const isReadOnly = () => commits?.isReadOnly ?? false
    if (!commits?.log.isShared) {
      const host = { machineClock, schedule, report, isReadOnly }
      this.#scheduler = new ClockScheduler({ world, advance, ...host })
    }
    const catchUp = async () => {
      await commits?.catchUp(this)
      if (this.standing === 'deleted') this.endStreams(DELETED)
      await this.requests.update()
    }
    this.#subscriptions = new Subscriptions(
      this.#scheduler ?? new Follower({ catchUp, advance, schedule }),
      schedule,
    )
    return this.#subscriptions
  }

  notify(): void {
    this.#subscriptions?.notify()
  }

  publish(logRecord: LogRecord): void {
    this.#subscriptions?.publish({ logRecord, world: this })
  }

  get history(): UndoHistory {
    return this.rewind.history
  }

  isSuspect(record: CommandRecord): boolean {
    return repeatsPayoutId(this.#world.tables, record)
  }

  snapshots(): Snapshot[] {
    return this.rewind.snapshots()
  }

  get streams(): number {
    return this.#subscriptions?.size ?? 0
  }

  endStreams(reason: string): void {
    this.#subscriptions?.end(reason)
  }

  /** The world at the time of its last advance. */
  get world(): World {
    return this.#world
  }

  /** The world after all timers that are due have fired. */
  current(): World {
    const world = this.#world
    if (this.#commits?.isReadOnly || this.#busy) return world
    if (world.tables.clock.get('clock')?.speed) world.advance(this.now)
    return world
  }

  /** Time of the world's clock. Its timers may not have fired up to then. */
  get now(): number {
    const { now, tables } = this.#world
    const clock = tables.clock.get('clock')
    if (!clock || clock.speed === 0) return now
    return Math.max(Math.min(toWorldTime(clock, this.#machineClock()), MAX_INSTANT), now)
  }

  /**
   * A copy of the world as of some milliseconds ago, in world time, as far back as its undo history reaches. It
   * has no timers.
   */
  asOf(ms: number): World {
    const past = copyWorld(this.current())
    const then = past.now - ms
    const { newest } = this.journal
    const last = this.journal.findBefore(
      newest + 1,
      (it) => !goesBack(it.command) && parseInstant(it.at) <= then,
    )
    past.undo(this.history.recordsAfter(last?.seq ?? 0), { kind: 'library' })
    const { timers } = past.tables
    for (const timer of timers.all()) timers.write(timer.id, timer, undefined)
    return past
  }

  advance(to: number | 'idle', cause: Cause): Advance {
    return runToEnd(this.#advancing({ to }, cause))
  }

  /**
   * Advances in slices, between which other worlds serve requests. Requests of this world wait for `busy`.
   * Each slice is stored by itself: if a write fails, the stored slices stay, and the error names the instant
   * at which the clock stopped.
   */
  async advanceInSlices(goal: AdvanceGoal, cause: Cause): Promise<Advance> {
    if (goal.result) return goal.result
    while (this.#busy) await this.#busy
    const commits = this.#commits
    let hasProgress = false
    const store = async () => {
      await commits?.pendingFor(this)
      hasProgress = true
    }
    try {
      const result = await this.#inSlices(this.#advancing(goal, cause), store)
      await commits?.pendingFor(this)
      goal.result = result
      return result
    } catch (error) {
      commits?.assertAvailable(`the clock stopped at ${toIso(this.#world.now)}`)
      throw error instanceof WorldMovedError ? new WorldMovedError(hasProgress) : error
    }
  }

  /** Reads in slices, between which other worlds serve requests. Requests of this world wait for `busy`. */
  async readInSlices<V>(read: (world: World) => Generator<void, V>): Promise<V> {
    while (this.#busy) await this.#busy
    return this.#inSlices(this.#reading(read))
  }

  /** Settles after the running work in slices; undefined if there is none. */
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
      // A program changed the world between two slices: read all of it again, without a pause.
      if (this.#world !== world || world.seq !== seq) return runToEnd(read(this.current()))
    }
  }

  *#advancing(goal: AdvanceGoal, cause: Cause): Generator<void, Advance> {
    this.assertWritable()
    const world = this.current()
    goal.before ??= world.seq
    this.history.begin(cause)
    this.#commits?.beginAct(this, { seq: world.seq + 1, cause })
    const turns = this.#turns
    // A program may undo or reset the world between two slices.
    const isOver = () => this.#turns !== turns
    const stopClock = () => {
      const clock = isOver() ? undefined : world.tables.clock.get('clock')
      if (clock) this.setClock(clock, cause, world)
    }
    try {
      const firing = world.advancing(goal.to)
      while (!isOver() && !firing.next().done) yield
    } catch (error) {
      // A rule made an endless loop. After other errors nothing can be stored.
      if (error instanceof TimerLoopError) stopClock()
      throw error
    }
    stopClock()
    const since = this.journal.newestAfter(goal.before, Number.POSITIVE_INFINITY)
    const isFired = ({ cause }: Entry) => cause.kind === 'timer'
    // The entry that sets the clock, and what other processes did meanwhile.
    const others = since.filter((entry) => !isFired(entry) && entry.seq <= world.seq)
    const count = world.seq - goal.before - others.length
    return { now: world.now, count, fired: since.filter(isFired).slice(-MAX_FIRED) }
  }

  /** Sets mode and speed of the clock, from the world's present time on. */
  setClock(setting: ClockSetting, cause: Cause, world = this.#world): void {
    const { mode, speed } = setting
    world.run('clock.set', { mode, speed, ...startAt(setting, this.machineTime) }, cause)
  }

  /**
   * A stored world may be ahead of its clock: the machine's time is behind, or was ahead. Then its clock waits, so that
   * the difference is not there for good. Returns it in milliseconds.
   */
  waitForMachine(): number {
    const clock = this.#world.tables.clock.get('clock')
    const ahead_ms = this.#aheadOf(clock)
    if (clock && ahead_ms > 0)
      this.#waitsUntil = this.#machineClock() + Math.ceil(ahead_ms / clock.speed)
    return ahead_ms
  }

  #aheadOf(clock: Clock | undefined): number {
    if (!clock || clock.speed === 0) return 0
    return Math.max(this.#world.now - toWorldTime(clock, this.machineTime), 0)
  }

  get machineTime(): number {
    return Math.max(this.#machineClock(), this.#waitsUntil)
  }

  /** Starts again as at boot. Only the numbers of entries continue. */
  reset(cause: Cause): World {
    this.#waitsUntil = Number.NEGATIVE_INFINITY
    return this.rewind.replace(BEFORE_RESET, cause, (record, seq) =>
      this.#parts.start(record, seq, cause),
    )
  }

  assertWritable(): void {
    this.#commits?.assertWritable(this)
  }

  turn(change: (world: World) => void): void {
    this.#turns++
    change(this.#world)
    this.#parts.onChange?.(this)
  }

  swap(make: CreateWorld): World {
    this.#turns++
    this.#world = this.#createWorld(make)
    this.#parts.onChange?.(this)
    for (const call of this.#onReplaced ?? []) call()
    return this.#world
  }

  /** Calls back when another world takes the place of this one, unless the returned function is called before. */
  onReplaced(call: () => void): () => void {
    this.#onReplaced ??= new Set()
    this.#onReplaced.add(call)
    return () => this.#onReplaced?.delete(call)
  }

  /** Whether a reset or restore followed an entry. */
  isReplacedSince(seq: number): boolean {
    return this.journal.newestAfter(seq, Number.POSITIVE_INFINITY).some(replacesWorld)
  }

  neededFrom(): number | undefined {
    const undo = this.history.neededFrom(this.isPartial)
    return undo && Math.min(undo, this.journal.newest - MAX_ENTRIES)
  }

  onPersisted(): void {
    this.notify()
  }

  follow(found: CaughtUp): void {
    const { tables, seed, seq, count, lastEntryAt: now } = this.#world
    if (found.world) this.history.clear()
    const from = found.world ?? {
      tables,
      seed,
      seq,
      count,
      now,
      snapshots: new Map(this.rewind.snapshots().map((it) => [it.name, it])),
    }
    this.#world = this.#replay(from, found)
    this.#parts.onChange?.(this)
    this.notify()
  }

  #replay(from: RecoveredWorld, found: CaughtUp): World {
    const { evaluateRules } = this.#parts
    const state = applyCommits(this.#parts, from, found, this)
    this.rewind.setSnapshots(state.snapshots)
    return this.#createWorld((record) => openWorld(state, { evaluateRules, record }))
  }

  rollbackLatest(record: CommandRecord): void {
    this.#world.rollbackLatest(record)
    this.budget?.weighAgain()
    this.journal.drop()
    this.history.drop(record)
    this.#parts.onChange?.(this)
  }

  resumeTimers(): void {
    // An advance that stopped halfway left a running clock behind the world's time.
    const clock = this.#world.tables.clock.get('clock')
    if (clock && this.#aheadOf(clock) > 0) this.setClock(clock, { kind: 'boot' })
    this.#scheduler?.follow()
  }

  #createWorld(make: CreateWorld): World {
    const world = make(this.#record)
    this.requests.beginAt(world.tables.clock.get('clock')?.since ?? 0)
    this.budget?.weighAgain()
    world.assertRoom = this.budget?.assertRoom
    world.assertWritable = () => {
      // An entry of a world that was replaced would repeat a number.
      if (this.#world !== world) throw new WorldMovedError()
      this.assertWritable()
    }
    world.noteReadings = ({ used }) => this.requests.usage.count(used, world.now)
    return world
  }

  readonly #record = (record: CommandRecord): void => {
    this.journal.add(record, this.#machineClock())
    this.history.add(record)
    this.budget?.add(record.writes)
    if (this.#commits) this.#commits.append(this, record)
    else this.notify()
    this.#parts.onChange?.(this, record)
  }
}
