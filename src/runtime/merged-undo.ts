import type { Row } from '../kernel/row.js'
import type { UndoRecord } from '../kernel/undo-record.js'

type Rows = Map<string, Row | undefined>

/** Many undo records in one: each record once, as the first of them found it. */
export class MergedUndoRecord {
  readonly first: Pick<UndoRecord, 'seq' | 'now' | 'count'>
  readonly #tables = new Map<string, Rows>()

  constructor(first: UndoRecord) {
    this.first = first
  }

  add({ writes, before }: UndoRecord): void {
    writes.forEach(({ table, id, record }, i) => {
      const rows = this.#rowsOf(table)
      if (!rows.has(id)) rows.set(id, before[i])
      // A record that was created and removed again needs no undo.
      else if (!record && rows.get(id) === undefined) rows.delete(id)
    })
  }

  #rowsOf(table: string): Rows {
    const known = this.#tables.get(table)
    if (known) return known
    const rows: Rows = new Map()
    this.#tables.set(table, rows)
    return rows
  }

  asStep(): UndoRecord {
    const { seq, now, count } = this.first
    const writes: { table: string; id: string; record: null }[] = []
    const before: (Row | undefined)[] = []
    for (const [table, rows] of this.#tables) {
      for (const [id, row] of rows) {
        writes.push({ table, id, record: null })
        before.push(row)
      }
    }
    return { seq, now, count, writes, before }
  }
}
