import { OverlayMap, type Start } from './overlay-map.js'
import type { Row } from './row.js'
import { type DerivedIndex, type IndexKey, SecondaryIndex } from './secondary-index.js'

export interface TableLayout<R extends Row, Index extends string> {
  indexes: Record<Index, IndexKey<R>>
}

/** Declares a table: `layout<User>()({ status: (user) => user.status })`. */
export const layout =
  <R extends Row>() =>
  <Index extends string>(indexes: Record<Index, IndexKey<R>>): TableLayout<R, Index> => ({
    indexes,
  })

type Indexes<R extends Row, Index extends string> = Record<Index, SecondaryIndex<R>>

const NOTHING: readonly never[] = []

/** The records of one kind: by id, and in order of making under each index. */
export class Table<R extends Row, Index extends string = string> {
  private readonly rows: OverlayMap<R>
  readonly #layout: TableLayout<R, Index>
  private readonly baseRow: Table<R, Index> | undefined
  /** What is computed besides the indexes. */
  readonly #listeners: readonly DerivedIndex<R>[]
  /** Indexes and what is computed besides, once there are indexes of its own. */
  #derived: readonly DerivedIndex<R>[] | undefined
  private ownIndexes: Indexes<R, Index> | undefined
  #next: number
  #size: number

  /** Starts empty, on top of another table that never changes again, or as a copy of one. */
  constructor(
    layout: TableLayout<R, Index>,
    from?: Table<R, Index>,
    derived: readonly DerivedIndex<R>[] = NOTHING,
    start?: Start,
  ) {
    this.rows = new OverlayMap(from?.rows, start)
    this.#layout = layout
    // A copy must not see what is written later to the table that it was made from.
    this.baseRow = start === 'copy' ? from?.baseRow : from
    this.#listeners = derived
    this.#next = from?.next ?? 1
    this.#size = from?.size ?? 0
    if (start === 'copy' && from?.ownIndexes) this.#makeIndexes(from.ownIndexes, start)
  }

  /** Its own ones, or those of the table below while nothing is written here: most worlds write few tables. */
  private get indexes(): Indexes<R, Index> {
    return this.ownIndexes ?? this.baseRow?.indexes ?? this.#makeIndexes()
  }

  #makeIndexes(from = this.baseRow?.indexes, start?: Start): Indexes<R, Index> {
    const numberOf = (id: string) => this.rows.get(id)?.n ?? 0
    const indexes: Partial<Indexes<R, Index>> = {}
    const { indexes: keys } = this.#layout
    for (const name in keys) {
      indexes[name] = new SecondaryIndex(keys[name], numberOf, from?.[name], start)
    }
    this.ownIndexes = indexes as Indexes<R, Index>
    this.#derived = [...Object.values<DerivedIndex<R>>(this.ownIndexes), ...this.#listeners]
    return this.ownIndexes
  }

  /** The number that the next record made here will have. */
  get next(): number {
    return this.#next
  }

  get size(): number {
    return this.#size
  }

  /** Whether no record was ever written here or below. */
  get isUnchanged(): boolean {
    return this.rows.isUnchanged
  }

  get(id: string): R | undefined {
    return this.rows.get(id)
  }

  /** All records in order of making. Costs the whole table: for proofs and files, not for requests. */
  all(): R[] {
    return [...this.rows.values()].sort((a, b) => a.n - b.n || (a.id < b.id ? -1 : 1))
  }

  /** All records, one at a time and in no particular order, so that a walk over a long table may pause. */
  values(): Generator<R> {
    return this.rows.values()
  }

  /** What a table on top of another one holds itself: its records, and the ids that it has removed. */
  own(): { readonly records: R[]; readonly removed: string[] } {
    const { values, removed } = this.rows.diff()
    return { records: values, removed }
  }

  /** Ids of the records that it does not share with a table below: written here, or removed. */
  *changedIds(): Generator<string> {
    for (const [id] of this.rows.own()) yield id
  }

  /** How many records are listed under a key. */
  count(index: Index, key: string): number {
    return this.indexes[index].count(key)
  }

  /** The oldest record under a key. */
  first(index: Index, key: string): R | undefined {
    const id = this.indexes[index].first(key)
    return id === undefined ? undefined : this.get(id)
  }

  /** All records under a key, in order of making. */
  list(index: Index, key: string): R[] {
    return this.#read(this.indexes[index].slice(key))
  }

  /** One page, the newest first. `page` counts from 0. */
  page(index: Index, key: string, page: number, size: number): R[] {
    const end = this.count(index, key) - page * size
    if (end <= 0) return []
    return this.#read(this.indexes[index].slice(key, Math.max(0, end - size), end)).reverse()
  }

  /** Takes in all that it holds itself, while it holds nothing: records, and ids removed from below. */
  load(records: readonly R[], removed: readonly string[] = []): void {
    const gone = removed.flatMap((id) => this.rows.baseValue(id) ?? [])
    // The newest first, so that their numbers are free again, as they were when it was kept.
    for (const record of gone.sort((a, b) => b.n - a.n)) this.write(record.id, record, undefined)
    for (const record of records) this.write(record.id, this.rows.baseValue(record.id), record)
  }

  /** Writes a record, or removes it, in place of `before`. Only the kernel's transaction does this. */
  write(id: string, before: R | undefined, after: R | undefined): void {
    if (after) this.rows.set(id, after)
    if (!this.ownIndexes) this.#makeIndexes()
    for (const derived of this.#derived ?? NOTHING) derived.change(before, after)
    if (!after) this.rows.delete(id)
    this.#size += (after ? 1 : 0) - (before ? 1 : 0)
    if (after && after.n >= this.#next) this.#next = after.n + 1
    else if (!after && before && before.n === this.#next - 1) this.#next = before.n
  }

  #read(ids: readonly string[]): R[] {
    const records: R[] = []
    for (const id of ids) {
      const record = this.get(id)
      if (record) records.push(record)
    }
    return records
  }
}
