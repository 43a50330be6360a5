import { BEFORE_RESET, BEFORE_RESTORE, BEFORE_UNDO, type Snapshot } from '../history/snapshots.js'
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

interface Recorded {
  /** Oldest first. They follow those merged in `overwritten`. */
  readonly records: CommandRecord[]
  /** The older undo records of many, merged. */
  overwritten: MergedUndoRecord | undefined
}

/** A command from outside, and all entries that it caused. */
export interface UndoUnit extends Recorded {
  readonly n: number
  readonly cause: Cause
  /** Timers fired between an undo and this unit. They go with the unit before it. */
  readonly before: readonly UndoRecord[]
  /** The world before a reset or restore; then there are no records. */
  readonly snapshot?: Snapshot
}

/** An undo that a redo takes back. */
export interface Redo {
  /** Oldest first. */
  readonly undone: readonly UndoUnit[]
  readonly undo: CommandRecord
  /** Of the oldest unit. */
  readonly cause: Cause
  /** Timers that fired since. */
  readonly since: Recorded
}

/** Whether it took back a reset or restore. */
export const isOfReplacement = ({ undo: { input } }: Redo): boolean =>
  Object(input).snapshot !== undefined

/** Oldest first. */
export const undoRecordsOf = ({ overwritten, records }: Recorded): readonly UndoRecord[] =>
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
  /** Newest last. */
  #redos: Redo[] = []
  /** The redos that a unit ended: they come back if it cannot be stored. */
  #ended: { readonly n: number; readonly redos: Redo[] } | undefined
  #lastNumber = 0

  get size(): number {
    return this.#units.size
  }

  /** Opens a unit: entries belong to it until the next command from outside. */
  begin(cause: Cause): void {
    const isOpen = this.newest && !this.newestRedo
    if (isOpen && isSameCause(this.newest.cause, cause)) return
    const before = this.#sinceUndo()
    const n = ++this.#lastNumber
    this.#ended = { n, redos: this.#redos }
    this.#redos = []
    this.#units.add({ n, cause, records: [], overwritten: undefined, before })
  }

  /** Begins again with a reset or restore, which undoes to a snapshot. */
  restart(cause: Cause, snapshot: Snapshot): void {
    this.clear()
    const n = ++this.#lastNumber
    this.#units.add({ n, cause, records: [], overwritten: undefined, before: [], snapshot })
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
    const redo = this.newestRedo
    const isLost = name === BEFORE_UNDO && redo !== undefined && isOfReplacement(redo)
    const redos = isLost ? [] : this.#redos
    this.clear()
    for (const unit of units) this.#units.add(unit)
    this.#redos = redos.map((it) => ({ ...it, undone: it.undone.filter(isKept) }))
  }

  clear(): void {
    this.#units.clear()
    this.#redos = []
  }

  get newestRedo(): Redo | undefined {
    return this.#redos.at(-1)
  }

  get redoCount(): number {
    return this.#redos.length
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
    return this.#recordsOf(this.all()).filter((record) => record.seq > seq)
  }

  /** The oldest entry that an undo may need; undefined if the history may lack older ones. */
  neededFrom(isPartial: boolean): number | undefined {
    const [oldest = this.#redos[0]?.undone[0]] = this.all()
    if (isPartial && !oldest?.snapshot && this.size < MAX_UNDO) return undefined
    return oldest ? (oldest.before[0]?.seq ?? seqOf(oldest)) : Number.POSITIVE_INFINITY
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

  /** The records that an undo of the newest units writes back, oldest first. */
  undoRecords(units: readonly UndoUnit[]): readonly UndoRecord[] {
    const [first] = units
    return this.#recordsOf(units).slice(first?.before.length)
  }

  #recordsOf(units: readonly UndoUnit[]): readonly UndoRecord[] {
    const own = units.flatMap((unit) => [...unit.before, ...undoRecordsOf(unit)])
    return [...own, ...this.#sinceUndo()]
  }

  /** Timers that fired since the newest undo, and those that it left. */
  #sinceUndo(): readonly UndoRecord[] {
    const redo = this.newestRedo
    return redo ? [...(redo.undone[0]?.before ?? []), ...undoRecordsOf(redo.since)] : []
  }

  #addUndo(undo: CommandRecord): void {
    const { after } = undo.input as { readonly after: number }
    const undone: UndoUnit[] = []
    for (let unit = this.newest; unit && seqOf(unit) > after; unit = this.newest) {
      undone.unshift(unit)
      this.#units.drop()
    }
    const cause = undone[0]?.cause ?? undo.cause
    this.#redos.push({ undone, undo, cause, since: { records: [], overwritten: undefined } })
  }

  #takeRedo(): void {
    for (const unit of this.#redos.pop()?.undone ?? []) this.#units.add(unit)
  }

  /** Removes the newest command, which could not be stored. */
  drop(record: CommandRecord): void {
    const unit = this.newest
    const { records } = this.newestRedo?.since ?? unit ?? { records: [] }
    if (!this.newestRedo && unit && firstRecordOf(unit)?.seq === record.seq) {
      this.#units.drop()
      if (this.#ended?.n === unit.n) this.#redos = this.#ended.redos
    } else if (records.at(-1) === record) records.pop()
  }

  #addRecord(record: CommandRecord, wrote: boolean): void {
    const since = this.newestRedo?.since
    const unit = since ?? this.newest
    if (!unit || ('snapshot' in unit && unit.snapshot)) return
    // The first entry dates the unit, even if it was refused.
    if (!wrote && (since || unit.records.length > 0 || unit.overwritten)) return
    unit.records.push(record)
    if (unit.records.length < MERGE_AFTER_RECORDS) return
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
