import { readClockSetting, startAt } from '../domain/clock.js'
import { copyWorld, type Recorder, type World } from '../domain/world.js'
import type { UndoRecord } from '../kernel/command-record.js'
import type { Cause } from '../kernel/entry.js'
import { REDO, UNDO } from '../kernel/kernel.js'
import { notFound } from '../kernel/refusal.js'
import type { ByteBudget } from './byte-budget.js'
import {
  assertMayTake,
  BEFORE_RESTORE,
  BEFORE_UNDO,
  createSnapshot,
  type Snapshot,
} from './snapshots.js'
import { isOfReplacement, UndoHistory, type UndoUnit } from './undo-history.js'

/** The live world that is rewound. */
interface RewoundWorld {
  readonly world: World
  readonly budget: ByteBudget | undefined
  readonly machineTime: number
  /** Throws while nothing can be stored. */
  assertWritable(): void
  /** Runs a change of the world that is no command. */
  turn(change: (world: World) => void): void
  /** Puts another world in the place of this one. */
  swap(make: (record: Recorder) => World): World
}

/** Creates a world whose entries continue after `seq`. */
type ReplaceWorld = (record: Recorder, seq: number) => World

/** Takes a world back: undo, redo, snapshots, and the replacement of all records by a reset or restore. */
export class Rewind {
  readonly history = new UndoHistory()
  /** Created on first use: there may be thousands of worlds. */
  #kept: Map<string, Snapshot> | undefined
  readonly #live: RewoundWorld

  constructor(live: RewoundWorld) {
    this.#live = live
  }

  /** Undoes the newest unit, or all after an entry. Returns the oldest of them. */
  undo(cause: Cause, to?: number): UndoUnit | undefined {
    this.#live.assertWritable()
    const units = this.history.findUndoable(to)
    const [unit] = units
    if (!unit?.snapshot) {
      if (unit) this.#goBack(this.history.undoRecords(units), UNDO, cause)
      return unit
    }
    this.#takeAutomatic(BEFORE_UNDO, cause)
    this.#returnTo(unit.snapshot, UNDO, cause)
    return unit
  }

  /** Undoes the newest undo, with the timers that fired since. Returns the cause of what is back. */
  redo(cause: Cause): Cause | undefined {
    this.#live.assertWritable()
    const { redo } = this.history
    if (!redo) return undefined
    if (isOfReplacement(redo)) this.#returnTo(this.findSnapshot(BEFORE_UNDO), REDO, cause)
    else this.#goBack(this.history.redoRecords(redo), REDO, cause)
    return redo.cause
  }

  #goBack(records: readonly UndoRecord[], how: typeof UNDO | typeof REDO, cause: Cause): void {
    this.#live.turn((world) => world.undo(records, cause, {}, how))
  }

  /** Oldest first. */
  snapshots(): Snapshot[] {
    return [...(this.#kept?.values() ?? [])]
  }

  setSnapshots(snapshots: ReadonlyMap<string, Snapshot>): void {
    this.#kept = snapshots.size > 0 ? new Map(snapshots) : undefined
  }

  snapshot(name: string): Snapshot | undefined {
    return this.#kept?.get(name)
  }

  /** Throws a Refusal that lists the snapshots if none has this name. */
  findSnapshot(name: string): Snapshot {
    const found = this.snapshot(name)
    if (found) return found
    const names = this.snapshots().map((it) => it.name)
    const known = names.length > 0 ? `This world has ${names.join(', ')}` : 'This world has none'
    throw notFound('name', `no snapshot has the name ${name}. ${known}`)
  }

  /** Replaces an earlier snapshot of the name. */
  takeSnapshot(name: string, cause: Cause): Snapshot {
    assertMayTake(name, this.snapshots())
    this.#live.budget?.addSnapshot()
    this.#live.world.run('snapshot.take', { name }, cause)
    return this.#keepSnapshot(createSnapshot(name, this.#live.world))
  }

  dropSnapshot(name: string, cause: Cause): void {
    this.#live.world.run('snapshot.drop', { name }, cause)
    this.#kept?.delete(name)
    this.history.dropSnapshot(name)
  }

  /** Restores a snapshot: its records, its time, its random numbers. */
  restore({ name, seq: after, world: kept }: Snapshot, cause: Cause): World {
    this.#live.budget?.assertRestorable(kept)
    const { evaluateRules } = this.#live.world
    const start = startAt(readClockSetting(kept.tables), this.#live.machineTime)
    return this.replace(BEFORE_RESTORE, cause, (record, seq) => {
      const world = copyWorld(kept, { evaluateRules, record, seq })
      world.run('snapshot.restore', { name, after, count: kept.count, ...start }, cause)
      return world
    })
  }

  /** Replaces the world, after a snapshot that the next undo restores. */
  replace(name: string, cause: Cause, make: ReplaceWorld): World {
    const before = this.#takeAutomatic(name, cause)
    this.history.restart(cause, before)
    return this.#live.swap((record) => make(record, before.seq))
  }

  /** A snapshot of a world that is about to be replaced. It changes no more, so it needs no copy. */
  #takeAutomatic(name: string, cause: Cause): Snapshot {
    const world = this.#live.world
    world.runAlone('snapshot.take', { name }, cause)
    return this.#keepSnapshot({ name, seq: world.seq, world })
  }

  /** Undoes a reset or restore, or redoes it: the entry that took the snapshot goes, too. */
  #returnTo(
    { name: snapshot, seq, world: before }: Snapshot,
    how: typeof UNDO | typeof REDO,
    cause: Cause,
  ): void {
    const { evaluateRules, seq: newest } = this.#live.world
    const { now: previousTime, count } = before
    this.#live.swap((record) => {
      const world = copyWorld(before, { evaluateRules, record, seq: newest })
      const taken = { seq, previousTime, previousCount: count - 1, writes: [] }
      world.undo([taken], cause, { snapshot }, how)
      return world
    })
  }

  #keepSnapshot(snapshot: Snapshot): Snapshot {
    this.#kept ??= new Map()
    this.#kept.delete(snapshot.name)
    this.#kept.set(snapshot.name, snapshot)
    return snapshot
  }
}
