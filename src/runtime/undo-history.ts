import type { World } from '../domain/world.js'
import type { Cause, Entry } from '../kernel/entry.js'
import { UNDO } from '../kernel/kernel.js'
import type { UndoRecord } from '../kernel/undo-record.js'
import { Ring } from '../lib/ring-buffer.js'
import { MergedUndoRecord } from './merged-undo.js'

/** Something that was done from outside, and all that followed from it. */
export interface UndoUnit {
  /** Tells it from those before and after it. */
  readonly n: number
  readonly cause: Cause
  /** What takes it back, oldest first, after what is in `overwritten`. */
  readonly records: UndoRecord[]
  /** The older ones of many steps, merged. */
  overwritten: MergedUndoRecord | undefined
  /** The world that it put another one in the place of; then the steps do not matter. */
  readonly replacedWorld: World | undefined
}

/** All steps that take an act back, oldest first. */
export const undoRecordsOf = ({ overwritten, records }: UndoUnit): readonly UndoRecord[] =>
  overwritten ? [overwritten.asStep(), ...records] : records

/** The number and the time at which an act began. */
export const firstRecordOf = ({
  overwritten,
  records,
}: UndoUnit): Pick<UndoRecord, 'seq' | 'now'> | undefined => overwritten?.first ?? records[0]

export const MAX_UNDO = 1_000
/** Worlds that resets and restores have replaced are kept whole, so there are fewer of them. */
export const MAX_REPLACED = 10
/** So many steps are merged: timers can go on for weeks without anything from outside. */
const MERGE_AFTER_STEPS = 1_000

const OUTSIDE: ReadonlySet<Cause['kind']> = new Set(['request', 'read', 'control', 'library'])

const NONE: readonly UndoUnit[] = []

/** An undo is none itself, and before a fork there was no world. */
const NOT_TAKEN_BACK: ReadonlySet<string> = new Set([UNDO, 'world.fork'])

/** The newest things that were done to a world from outside, and what takes them back. */
export class UndoHistory {
  readonly #acts = new Ring<UndoUnit>(MAX_UNDO)
  #begun = 0

  get size(): number {
    return this.#acts.size
  }

  /**
   * Opens an act: what follows belongs to it, until something else is done from outside.
   * Answers the acts that made room for it, oldest first.
   */
  begin(cause: Cause, replacedWorld?: World): readonly UndoUnit[] {
    if (this.newest?.cause === cause) return NONE
    const n = ++this.#begun
    const { leaving } = this.#acts
    this.#acts.add({ n, cause, records: [], overwritten: undefined, replacedWorld })
    const forgotten = replacedWorld ? this.#forgetReplaced() : NONE
    return leaving ? [leaving, ...forgotten] : forgotten
  }

  /** Takes in an entry, and answers the acts that made room. What wrote nothing opens no act. */
  add({ cause, command }: Entry, undoRecord: UndoRecord): readonly UndoUnit[] {
    if (NOT_TAKEN_BACK.has(command)) return NONE
    const wrote = undoRecord.writes.length > 0
    const leaving = wrote && OUTSIDE.has(cause.kind) ? this.begin(cause) : NONE
    this.#addStep(undoRecord, wrote)
    return leaving
  }

  /** Puts acts back, as the oldest, that made room for one that has never been. */
  restoreEvicted(units: readonly UndoUnit[]): void {
    this.#holdOnly([...units, ...this.#acts.all()])
  }

  /** What would be taken back first. */
  get newest(): UndoUnit | undefined {
    return this.#acts.newest
  }

  /**
   * The steps above a number, oldest first, as far back as the newest replacement of the world. Merged steps
   * that begin at or below the number are left out.
   */
  stepsAfter(seq: number): readonly UndoRecord[] {
    const units = this.#acts.all()
    const own = units.slice(units.findLastIndex(({ replacedWorld }) => replacedWorld) + 1)
    return own.flatMap(undoRecordsOf).filter((undoRecord) => undoRecord.seq > seq)
  }

  /** The newest act, which is in the history no more. */
  pop(): UndoUnit | undefined {
    const unit = this.newest
    this.#acts.drop()
    return unit
  }

  /** Puts an act back that was popped. */
  push(unit: UndoUnit): void {
    this.#acts.add(unit)
  }

  /** Forgets the newest step: it has never been. */
  drop(undoRecord: UndoRecord): void {
    const unit = this.newest
    if (!unit) return
    if (firstRecordOf(unit)?.seq === undoRecord.seq) this.#acts.drop()
    else if (unit.records.at(-1) === undoRecord) unit.records.pop()
  }

  #addStep(undoRecord: UndoRecord, wrote: boolean): void {
    const unit = this.newest
    if (!unit || unit.replacedWorld) return
    // The first entry tells when the act began, even if it was refused.
    if (!wrote && (unit.records.length > 0 || unit.overwritten)) return
    unit.records.push(undoRecord)
    if (unit.records.length < MERGE_AFTER_STEPS) return
    unit.overwritten ??= new MergedUndoRecord(unit.records[0] ?? undoRecord)
    for (const done of unit.records.splice(0)) unit.overwritten.add(done)
  }

  #forgetReplaced(): readonly UndoUnit[] {
    const units = this.#acts.all()
    const oldest = units.filter((unit) => unit.replacedWorld).at(-MAX_REPLACED - 1)
    if (!oldest) return NONE
    const forgotten = units.splice(0, units.indexOf(oldest) + 1)
    this.#holdOnly(units)
    return forgotten
  }

  #holdOnly(units: readonly UndoUnit[]): void {
    this.#acts.clear()
    for (const unit of units) this.#acts.add(unit)
  }
}
