import { Layered, type Start } from './layered.js'
import { ListIndex } from './list-index.js'

/** What every record has: its id, and its number in the order of making within its table. */
export interface Row {
  readonly id: string
  readonly n: number
  /** Scenarios that the request behind it named: they apply to it before all others. */
  readonly scenarios?: readonly string[]
}

/** Something computed from a table's records, kept up to date as they change, never stored. */
export interface Derived<R extends Row> {
  change(before: R | undefined, after: R | undefined): void
}

/** The key under which an index lists a record; undefined leaves the record out. */
export type IndexKey<R extends Row> = (record: R) => string | undefined

export interface TableLayout<R extends Row, Index extends string> {
  indexes: Record<Index, IndexKey<R>>
}

/** Declares a table: `layout<User>()({ status: (user) => user.status })`. */
export const layout =
  <R extends Row>() =>
  <Index extends string>(indexes: Record<Index, IndexKey<R>>): TableLayout<R, Index> => ({
    indexes,
  })

/** The records of one kind: by id, and in order of making under each index. */
export class Table<R extends Row, Index extends string = string> {
  private readonly rows: Layered<R>
  private readonly indexes: Record<Index, ListIndex<R>>
  readonly #derived: Derived<R>[]
  #next: number
  #size: number

  /** Starts empty, on top of another table that never changes again, or as a copy of one. */
  constructor(
    layout: TableLayout<R, Index>,
    from?: Table<R, Index>,
    derived: Derived<R>[] = [],
    start?: Start,
  ) {
    this.rows = new Layered(from?.rows, start)
    this.#next = from?.next ?? 1
    this.#size = from?.size ?? 0
    const numberOf = (id: string) => this.rows.get(id)?.n ?? 0
    const indexes: Partial<Record<Index, ListIndex<R>>> = {}
    for (const name in layout.indexes) {
      indexes[name] = new ListIndex(layout.indexes[name], numberOf, from?.indexes[name], start)
    }
    this.indexes = indexes as Record<Index, ListIndex<R>>
    this.#derived = [...(Object.values(indexes) as Derived<R>[]), ...derived]
  }

  /** The number that the next record made here will have. */
  get next(): number {
    return this.#next
  }

  get size(): number {
    return this.#size
  }

  get(id: string): R | undefined {
    return this.rows.get(id)
  }

  /** All records in no particular order, for whoever looks for a few of them. */
  each(): Iterable<R> {
    return this.rows.values()
  }

  /** All records in order of making. Costs the whole table: for proofs and files, not for requests. */
  all(): R[] {
    return [...this.rows.values()].sort((a, b) => a.n - b.n || (a.id < b.id ? -1 : 1))
  }

  /** What a table on top of another one holds itself: its records, and the ids that it has removed. */
  own(): { readonly records: R[]; readonly removed: string[] } {
    const records: R[] = []
    const removed: string[] = []
    for (const [id, record] of this.rows.own()) {
      if (record) records.push(record)
      else removed.push(id)
    }
    return { records, removed }
  }

  /** Ids of the records that it does not share with a table below: written here, or removed. */
  *ownIds(): Generator<string> {
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

  /** Writes a record, or removes it, in place of `before`. Only the kernel's transaction does this. */
  write(id: string, before: R | undefined, after: R | undefined): void {
    if (after) this.rows.set(id, after)
    for (const derived of this.#derived) derived.change(before, after)
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
