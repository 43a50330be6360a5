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

/** Records by id, and by each index in order of creation. */
export class Table<R extends Row, Index extends string = string> {
  private readonly rows: OverlayMap<R>
  readonly #layout: TableLayout<R, Index>
  private readonly baseRow: Table<R, Index> | undefined
  readonly #listeners: readonly DerivedIndex<R>[]
  /** Set as soon as this table has indexes of its own. */
  #derived: readonly DerivedIndex<R>[] | undefined
  private ownIndexes: Indexes<R, Index> | undefined
  #next: number
  #size: number

  /** Empty, a layer over an immutable table, or a copy. */
  constructor(
    layout: TableLayout<R, Index>,
    from?: Table<R, Index>,
    derived: readonly DerivedIndex<R>[] = NOTHING,
    start?: Start,
  ) {
    this.rows = new OverlayMap(from?.rows, start)
    this.#layout = layout
    // A copy must not see later writes to its source.
    this.baseRow = start === 'copy' ? from?.baseRow : from
    this.#listeners = derived
    this.#next = from?.next ?? 1
    this.#size = from?.size ?? 0
    if (start === 'copy' && from?.ownIndexes) this.#makeIndexes(from.ownIndexes, start)
  }

  /**
   * Most worlds write few tables, so a layer shares the indexes of its base until the first write.
   */
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

  get next(): number {
    return this.#next
  }

  get size(): number {
    return this.#size
  }

  /** The immutable table underneath, if there is one. */
  get base(): Table<R, Index> | undefined {
    return this.baseRow
  }

  /** Whether this layer wrote or removed a record. */
  get hasOwn(): boolean {
    return this.rows.hasOwn
  }

  /** Whether no record was ever written here or below. */
  get isUnchanged(): boolean {
    return this.rows.isUnchanged
  }

  get(id: string): R | undefined {
    return this.rows.get(id)
  }

  /** In order of creation. Reads the whole table: for audits and files, not for requests. */
  all(): R[] {
    return [...this.rows.values()].sort((a, b) => a.n - b.n || (a.id < b.id ? -1 : 1))
  }

  /** In no order, one at a time, so that a walk over a large table may pause. */
  values(): Generator<R> {
    return this.rows.values()
  }

  /** Only an undo or a restore changes the order: a record that comes back is the newest. */
  newestFirst(): Generator<R> {
    return this.rows.newestFirst()
  }

  own(): { readonly records: R[]; readonly removed: string[] } {
    const { values, removed } = this.rows.own()
    return { records: values, removed }
  }

  count(index: Index, key: string): number {
    return this.indexes[index].count(key)
  }

  /** Whether no own record ever had the key of another one. */
  isUnique(index: Index): boolean {
    return this.indexes[index].isUnique
  }

  first(index: Index, key: string): R | undefined {
    const id = this.indexes[index].first(key)
    return id === undefined ? undefined : this.get(id)
  }

  list(index: Index, key: string): R[] {
    return this.#read(this.indexes[index].slice(key))
  }

  /** Newest first; `page` starts at 0. */
  page(index: Index, key: string, page: number, size: number): R[] {
    const end = this.count(index, key) - page * size
    if (end <= 0) return []
    return this.#read(this.indexes[index].slice(key, Math.max(0, end - size), end)).reverse()
  }

  /** Fills an empty layer with records, and removes ids of the base. */
  load(records: readonly R[], removed: readonly string[] = []): void {
    const gone = removed.flatMap((id) => this.rows.baseValue(id) ?? [])
    // Newest first, so that their numbers are free again, as when the file was written.
    for (const record of gone.sort((a, b) => b.n - a.n)) this.write(record.id, record, undefined)
    for (const record of records) this.write(record.id, this.rows.baseValue(record.id), record)
  }

  /** Only the kernel's transaction calls this. */
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
