import {
  type CommandRecord,
  forEachWrite,
  mergeWrites,
  type UndoRecord,
} from '../kernel/command-record.js'
import type { Cause } from '../kernel/entry.js'
import { REDO, UNDO } from '../kernel/kernel.js'
import type { Row } from '../kernel/row.js'
import { Ring } from '../lib/ring-buffer.js'
import { BEFORE_RESET, BEFORE_RESTORE, BEFORE_UNDO, type Snapshot } from './snapshots.js'

/** A command from outside, and all entries that it caused. */
export interface UndoUnit {
  readonly n: number
  readonly cause: Cause
  /** Oldest first. They follow those merged in `overwritten`. */
  readonly records: CommandRecord[]
  /** The older undo records of many, merged. */
  overwritten: MergedUndoRecord | undefined
  /** The world before a reset or restore; then there are no records. */
  readonly snapshot?: Snapshot
}

/** The newest undo, which a redo takes back. */
export interface Redo {
  /** Oldest first. */
  readonly undone: readonly UndoUnit[]
  readonly undo: CommandRecord
  /** Of the oldest unit. */
  readonly cause: Cause
}

/** Whether it took back a reset or restore. */
export const isOfReplacement = ({ undo: { input } }: Redo): boolean =>
  Object(input).snapshot !== undefined

/** Oldest first. */
const undoRecordsOf = ({ overwritten, records }: UndoUnit): readonly UndoRecord[] =>
  overwritten ? [overwritten.toUndoRecord(), ...records] : records

const firstRecordOf = ({
  overwritten,
  records,
}: UndoUnit): Pick<UndoRecord, 'seq' | 'previousTime'> | undefined =>
  overwritten?.first ?? records[0]

/** Number of its first entry; infinite if it has none. */
export const seqOf = (unit: UndoUnit): number =>
  unit.snapshot?.seq ?? firstRecordOf(unit)?.seq ?? Number.POSITIVE_INFINITY

export const MAX_UNDO = 1_000
/** Longer units are merged: timers may fire for weeks without a command from outside. */
const MERGE_AFTER_RECORDS = 1_000

const OUTSIDE: ReadonlySet<Cause['kind']> = new Set(['request', 'read', 'control', 'library'])

export const isFromOutside = ({ kind }: Cause): boolean => OUTSIDE.has(kind)

/** Commands that replace the world, with the snapshot that they take first. */
const REPLACEMENTS: ReadonlyMap<string, string> = new Map([
  ['world.begin', BEFORE_RESET],
  ['snapshot.restore', BEFORE_RESTORE],
])

/** A cause that was read back is another object. */
export const isSameCause = (one: Cause, other: Cause): boolean =>
  one === other || ('request' in one && 'request' in other && one.request === other.request)

/** Calls of the library have no id. One continues an advance that shows only what it fired so far. */
const continuesAdvance = ({ cause, records, snapshot }: UndoUnit, next: Cause): boolean =>
  cause.kind === 'library' &&
  next.kind === 'library' &&
  !snapshot &&
  !records.some(({ cause }) => isFromOutside(cause))

/** Only a redo undoes an undo, and there was no world before a fork. */
const NOT_UNDOABLE: ReadonlySet<string> = new Set([UNDO, REDO, 'world.fork'])

export class UndoHistory {
  readonly #units = new Ring<UndoUnit>(MAX_UNDO)
  #redo: Redo | undefined
  /** The redo that a unit ended: it comes back if the unit cannot be stored. */
  #ended: { readonly n: number; readonly redo: Redo | undefined } | undefined
  #lastNumber = 0

  get size(): number {
    return this.#units.size
  }

  /** Opens a unit: entries belong to it until the next command from outside. */
  begin(cause: Cause): void {
    const isOpen = this.newest && !this.#redo
    if (isOpen && isSameCause(this.newest.cause, cause)) return
    const n = ++this.#lastNumber
    this.#ended = { n, redo: this.#redo }
    this.#redo = undefined
    this.#units.add({ n, cause, records: [], overwritten: undefined })
  }

  /** Begins again with a reset or restore, which undoes to a snapshot. */
  restart(cause: Cause, snapshot: Snapshot): void {
    this.clear()
    const n = ++this.#lastNumber
    this.#units.add({ n, cause, records: [], overwritten: undefined, snapshot })
  }

  /** Adds a command. One without writes opens no unit. */
  add(record: CommandRecord, cause = record.cause): void {
    const { command, writes } = record
    if (command === UNDO) this.#addUndo(record)
    if (command === REDO) this.#takeRedo()
    if (NOT_UNDOABLE.has(command)) return
    const wrote = writes.length > 0
    if (wrote && isFromOutside(cause)) this.begin(cause)
    this.#addRecord(record, wrote)
  }

  /** Adds a command that was read back. The names of snapshots lead to those that it left. */
  replay(record: CommandRecord, snapshots: ReadonlyMap<string, Snapshot>): void {
    const { cause, command, input, refused } = record
    if (command === 'snapshot.drop' && !refused) this.dropSnapshot(Object(input).name)
    const name = refused || !isFromOutside(cause) ? undefined : REPLACEMENTS.get(command)
    const before = name === undefined ? undefined : snapshots.get(name)
    if (before) this.restart(cause, before)
    const { newest } = this
    this.add(record, newest && continuesAdvance(newest, cause) ? newest.cause : cause)
  }

  /** Removes the undo of a reset or restore, which goes with its snapshot. */
  dropSnapshot(name: string): void {
    const isKept = ({ snapshot }: UndoUnit) => snapshot?.name !== name
    const units = this.all().filter(isKept)
    const redo = this.#redo
    this.clear()
    for (const unit of units) this.#units.add(unit)
    if (redo && !(name === BEFORE_UNDO && isOfReplacement(redo)))
      this.#redo = { ...redo, undone: redo.undone.filter(isKept) }
  }

  clear(): void {
    this.#units.clear()
    this.#redo = undefined
  }

  get redo(): Redo | undefined {
    return this.#redo
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
    return this.undoRecords(this.all()).filter((record) => record.seq > seq)
  }

  /** The oldest entry that an undo may need; undefined if the history may lack older ones. */
  neededFrom(isPartial: boolean): number | undefined {
    const [oldest = this.#redo?.undone[0]] = this.all()
    if (isPartial && !oldest?.snapshot && this.size < MAX_UNDO) return undefined
    return oldest ? seqOf(oldest) : Number.POSITIVE_INFINITY
  }

  /** The units that an undo takes back, oldest first: those after an entry, or the newest one. */
  findUndoable(to?: number): readonly UndoUnit[] {
    const units = this.all()
    const from =
      to === undefined
        ? units.findLastIndex((unit) => seqOf(unit) < Number.POSITIVE_INFINITY)
        : units.findIndex((unit) => seqOf(unit) > to)
    return from < 0 ? [] : units.slice(from)
  }

  /** The records that an undo of units writes back, oldest first. */
  undoRecords(units: readonly UndoUnit[]): readonly UndoRecord[] {
    return units.flatMap(undoRecordsOf)
  }

  /** The records that a redo writes back, oldest first: the undo, and the timers that fired since. */
  redoRecords({ undo }: Redo): readonly UndoRecord[] {
    return [undo, ...this.recordsAfter(undo.seq)]
  }

  #addUndo(undo: CommandRecord): void {
    const { after } = undo.input as { readonly after: number }
    const undone: UndoUnit[] = []
    for (let unit = this.newest; unit && seqOf(unit) > after; unit = this.newest) {
      undone.unshift(unit)
      this.#units.drop()
    }
    this.#redo = { undone, undo, cause: undone[0]?.cause ?? undo.cause }
  }

  #takeRedo(): void {
    const redo = this.#redo
    if (!redo) return
    const records = this.newest?.records ?? []
    while ((records.at(-1)?.seq ?? 0) > redo.undo.seq) records.pop()
    for (const unit of redo.undone) this.#units.add(unit)
    this.#redo = undefined
  }

  /** Removes the newest command, which could not be stored. */
  drop(record: CommandRecord): void {
    const unit = this.newest
    if (unit && firstRecordOf(unit)?.seq === record.seq) {
      this.#units.drop()
      if (this.#ended?.n === unit.n) this.#redo = this.#ended.redo
    } else if (unit?.records.at(-1) === record) unit.records.pop()
  }

  #addRecord(record: CommandRecord, wrote: boolean): void {
    const unit = this.newest
    if (!unit || unit.snapshot) {
      // No unit holds the timers that fired since the undo.
      if (wrote) this.#redo = undefined
      return
    }
    // The first entry dates the unit, even if it was refused.
    if (!wrote && (unit.records.length > 0 || unit.overwritten)) return
    unit.records.push(record)
    if (unit.records.length < MERGE_AFTER_RECORDS) return
    this.#redo = undefined
    unit.overwritten ??= new MergedUndoRecord(unit.records[0] ?? record)
    for (const done of unit.records.splice(0)) unit.overwritten.add(done)
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
