import { forEachWrite, type UndoRecord } from '../kernel/command-record.js'
import type { Row } from '../kernel/row.js'

type Rows = Map<string, Row | undefined>

/** Many undo records in one: each record once, as the first of them found it. */
export class MergedUndoRecord {
  readonly first: UndoRecord
  readonly #tables = new Map<string, Rows>()

  constructor(first: UndoRecord) {
    this.first = first
  }

  add({ writes }: UndoRecord): void {
    forEachWrite(writes, (table, id, before, after) => {
      const rows = this.#rowsOf(table)
      if (!rows.has(id)) rows.set(id, before)
      // A record that was created and removed again needs no undo.
      else if (!after && rows.get(id) === undefined) rows.delete(id)
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
