import type { Snapshot } from '../history/snapshots.js'
import {
  type CommandRecord,
  forEachWrite,
  mergeWrites,
  type UndoRecord,
} from '../kernel/command-record.js'
import type { Cause } from '../kernel/entry.js'
import { UNDO } from '../kernel/kernel.js'
import type { Row } from '../kernel/row.js'
import { Ring } from '../lib/ring-buffer.js'

/** A command from outside, and all entries that it caused. */
export interface UndoUnit {
  readonly n: number
  readonly cause: Cause
  /** Oldest first. They follow those merged in `overwritten`. */
  readonly records: CommandRecord[]
  /** The older undo records of a long unit, merged. */
  overwritten: MergedUndoRecord | undefined
  /** The world before a reset or restore; then there are no records. */
  readonly snapshot?: Snapshot
}

/** Oldest first. */
export const undoRecordsOf = ({ overwritten, records }: UndoUnit): readonly UndoRecord[] =>
  overwritten ? [overwritten.toUndoRecord(), ...records] : records

export const firstRecordOf = ({
  overwritten,
  records,
}: UndoUnit): Pick<UndoRecord, 'seq' | 'previousTime'> | undefined =>
  overwritten?.first ?? records[0]

export const MAX_UNDO = 1_000
/** Longer units are merged: timers may fire for weeks without a command from outside. */
const MERGE_AFTER_RECORDS = 1_000

const OUTSIDE: ReadonlySet<Cause['kind']> = new Set(['request', 'read', 'control', 'library'])

const NONE: readonly UndoUnit[] = []

/** Nothing undoes an undo, and there was no world before a fork. */
const NOT_UNDOABLE: ReadonlySet<string> = new Set([UNDO, 'world.fork'])

export class UndoHistory {
  readonly #units = new Ring<UndoUnit>(MAX_UNDO)
  #lastNumber = 0

  get size(): number {
    return this.#units.size
  }

  /**
   * Opens a unit: entries belong to it until the next command from outside. Returns the units that were
   * evicted for it, oldest first.
   */
  begin(cause: Cause): readonly UndoUnit[] {
    if (this.newest?.cause === cause) return NONE
    const { leaving } = this.#units
    this.#units.add({ n: ++this.#lastNumber, cause, records: [], overwritten: undefined })
    return leaving ? [leaving] : NONE
  }

  /** Begins again with a reset or restore, which undoes to a snapshot. Returns all units so far. */
  restart(cause: Cause, snapshot: Snapshot): readonly UndoUnit[] {
    const units = this.all()
    this.restore([{ n: ++this.#lastNumber, cause, records: [], overwritten: undefined, snapshot }])
    return units
  }

  /** Adds a command, and returns the evicted units. One without writes opens no unit. */
  add(record: CommandRecord): readonly UndoUnit[] {
    const { cause, command, writes } = record
    if (NOT_UNDOABLE.has(command)) return NONE
    const wrote = writes.length > 0
    const leaving = wrote && OUTSIDE.has(cause.kind) ? this.begin(cause) : NONE
    this.#addRecord(record, wrote)
    return leaving
  }

  /** Restores units that were evicted for one that could not be stored. */
  restoreEvicted(units: readonly UndoUnit[]): void {
    this.restore([...units, ...this.all()])
  }

  /** Oldest first. */
  all(): readonly UndoUnit[] {
    return this.#units.all()
  }

  get newest(): UndoUnit | undefined {
    return this.#units.newest
  }

  /**
   * The undo records above a number, oldest first. Merged records that begin at or below the number are left
   * out.
   */
  recordsAfter(seq: number): readonly UndoRecord[] {
    return this.all()
      .flatMap(undoRecordsOf)
      .filter((record) => record.seq > seq)
  }

  pop(): UndoUnit | undefined {
    const unit = this.newest
    this.#units.drop()
    return unit
  }

  push(unit: UndoUnit): void {
    this.#units.add(unit)
  }

  /** Removes the newest command, which could not be stored. */
  drop(record: CommandRecord): void {
    const unit = this.newest
    if (!unit) return
    if (firstRecordOf(unit)?.seq === record.seq) this.#units.drop()
    else if (unit.records.at(-1) === record) unit.records.pop()
  }

  #addRecord(record: CommandRecord, wrote: boolean): void {
    const unit = this.newest
    if (!unit || unit.snapshot) return
    // The first entry dates the unit, even if it was refused.
    if (!wrote && (unit.records.length > 0 || unit.overwritten)) return
    unit.records.push(record)
    if (unit.records.length < MERGE_AFTER_RECORDS) return
    unit.overwritten ??= new MergedUndoRecord(unit.records[0] ?? record)
    for (const done of unit.records.splice(0)) unit.overwritten.add(done)
  }

  restore(units: readonly UndoUnit[]): void {
    this.#units.clear()
    for (const unit of units) this.#units.add(unit)
  }
}

type Rows = Map<string, Row | undefined>

/** Many undo records in one: each record once, as the first of them found it. */
class MergedUndoRecord {
  readonly first: UndoRecord
  readonly #tables = new Map<string, Rows>()

  constructor(first: UndoRecord) {
    this.first = first
  }

  add({ writes }: UndoRecord): void {
    forEachWrite(mergeWrites(writes), (table, id, before, after) => {
      const rows = this.#rowsOf(table)
      if (!rows.has(id)) rows.set(id, before)
      // A record that was created and removed again needs no undo.
      if (!after && rows.get(id) === undefined) rows.delete(id)
    })
  }

  #rowsOf(table: string): Rows {
    const known = this.#tables.get(table)
    if (known) return known
    const rows: Rows = new Map()
    this.#tables.set(table, rows)
    return rows
  }

  toUndoRecord(): UndoRecord {
    const { seq, previousTime, previousCount } = this.first
    const tables = [...this.#tables]
    const writes = tables.flatMap(([table, rows]) =>
      [...rows].flatMap(([id, before]) => [table, id, before, undefined]),
    )
    return { seq, previousTime, previousCount, writes }
  }
}
