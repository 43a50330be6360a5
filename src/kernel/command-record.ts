import type { Cause, Change, DomainEvent, Entry, RefusalNote } from './entry.js'
import type { Row } from './row.js'
import { type Instant, toIso } from './time.js'

/** Table, id, record before and record after of each write, in order. */
export type Writes = readonly (string | Row | undefined)[]

const WRITE_SIZE = 4

export interface UndoRecord {
  readonly seq: number
  /** World time at the entry before, and the number of entries before. */
  readonly previousTime: Instant
  readonly previousCount: number
  readonly writes: Writes
}

/**
 * One command: what caused it, what it changed and what it overwrote. The journal reads it as an
 * entry. Thousands are kept, so the writes are one flat list and the rest is computed for readers.
 */
export class CommandRecord implements Entry, UndoRecord {
  constructor(
    readonly seq: number,
    readonly time: Instant,
    readonly previousTime: Instant,
    readonly previousCount: number,
    readonly cause: Cause,
    readonly command: string,
    readonly input: unknown,
    readonly events: readonly DomainEvent[],
    readonly writes: Writes,
    readonly refused?: RefusalNote | undefined,
  ) {}

  get at(): string {
    return toIso(this.time)
  }

  get changes(): readonly Change[] {
    return toChanges(this.writes)
  }

  toJSON(): Entry {
    const { seq, at, cause, command, input, events, changes, refused } = this
    const entry = { seq, at, cause, command, input, events, changes }
    return refused ? { ...entry, refused } : entry
  }
}

/** `before` is null for a new record, and undefined for all records of an entry that was read back. */
export type VisitChange = (id: string, after: Row | null | undefined, before?: Row | null) => void

/** Visits what an entry wrote to a table. Cheaper than its list of changes, for searches in the journal. */
export const forEachChange = (entry: Entry, table: string, visit: VisitChange): void => {
  if (!(entry instanceof CommandRecord)) {
    for (const it of entry.changes) if (it.table === table) visit(it.id, it.record)
    return
  }
  const { writes } = entry
  for (let at = 0; at < writes.length; at += WRITE_SIZE) {
    if (writes[at] === table)
      visit(
        writes[at + 1] as string,
        writes[at + 3] as Row | undefined,
        (writes[at + 2] as Row | undefined) ?? null,
      )
  }
}

type VisitWrite = (
  table: string,
  id: string,
  before: Row | undefined,
  after: Row | undefined,
) => void

export const forEachWrite = (writes: Writes, visit: VisitWrite): void => {
  for (let at = 0; at < writes.length; at += WRITE_SIZE) visitAt(writes, at, visit)
}

/** Entries that were read back do not have the records before them. */
export const forEachWrittenRow = (entry: Entry, visit: VisitWrite): void => {
  if (entry instanceof CommandRecord) forEachWrite(entry.writes, visit)
  else
    for (const { table, id, record } of entry.changes)
      visit(table, id, undefined, record ?? undefined)
}

/** Newest first, as an undo needs them. */
export const forEachWriteReversed = (writes: Writes, visit: VisitWrite): void => {
  for (let at = writes.length - WRITE_SIZE; at >= 0; at -= WRITE_SIZE) visitAt(writes, at, visit)
}

const visitAt = (writes: Writes, at: number, visit: VisitWrite): void =>
  visit(
    writes[at] as string,
    writes[at + 1] as string,
    writes[at + 2] as Row | undefined,
    writes[at + 3] as Row | undefined,
  )

/** One write per record, in order of first write: an entry that is read back holds no more. */
export const mergeWrites = (writes: Writes): Writes => {
  const merged = new Map<string, (string | Row | undefined)[]>()
  forEachWrite(writes, (table, id, before, after) => {
    const [, , first] = merged.get(`${table} ${id}`) ?? [table, id, before]
    merged.set(`${table} ${id}`, [table, id, first, after])
  })
  return [...merged.values()].flat()
}

/** The last value of each record, in order of first write. */
export const toChanges = (writes: Writes): Change[] => {
  const changes = new Map<string, Change>()
  forEachWrite(writes, (table, id, _, after) => {
    changes.set(`${table} ${id}`, { table, id, record: after ?? null })
  })
  return [...changes.values()]
}
