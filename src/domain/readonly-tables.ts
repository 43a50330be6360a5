import type { Row } from '../kernel/row.js'
import type { Table } from '../kernel/table.js'
import type { Balances } from './balance-index.js'
import { type TableName, type Tables, tableNames } from './schema.js'

/** A table for programs that embed the sandbox. Records are frozen; a list is the caller's own. */
interface ReadonlyTable<R extends Row, Index extends string = string> {
  readonly size: number
  get(id: string): R | undefined
  all(): R[]
  list(index: Index, key: string): R[]
  first(index: Index, key: string): R | undefined
  count(index: Index, key: string): number
  /** One page, newest first. `page` starts at 0. */
  page(index: Index, key: string, page: number, size: number): R[]
}

type ReadonlyTableOf<T> =
  T extends Table<infer R, infer Index extends string> ? ReadonlyTable<R, Index> : never

export type ReadonlyTables = { readonly [Name in TableName]: ReadonlyTableOf<Tables[Name]> } & {
  readonly balances: Pick<Balances, 'of'>
}

const known = new WeakMap<Tables, ReadonlyTables>()

/** Returns the same view each time for the same tables. */
export const readonlyTables = (tables: Tables): ReadonlyTables => {
  const view = known.get(tables) ?? createView(tables)
  known.set(tables, view)
  return view
}

const createView = (tables: Tables): ReadonlyTables => {
  const views = tableNames.map((name) => [name, readonlyTable<Row, never>(tables[name])])
  const balances = { of: (account: string) => tables.balances.of(account) }
  return Object.freeze({ ...Object.fromEntries(views), balances })
}

const readonlyTable = <R extends Row, Index extends string>(
  table: Table<R, Index>,
): ReadonlyTable<R, Index> =>
  Object.freeze({
    get size() {
      return table.size
    },
    get: (id: string) => deepFreeze(table.get(id)),
    all: () => deepFreezeAll(table.all()),
    list: (index: Index, key: string) => deepFreezeAll(table.list(index, key)),
    first: (index: Index, key: string) => deepFreeze(table.first(index, key)),
    count: (index: Index, key: string) => table.count(index, key),
    page: (index: Index, key: string, page: number, size: number) =>
      deepFreezeAll(table.page(index, key, page, size)),
  })

/** Worlds share records, so callers must not change them. */
export const deepFreeze = <T>(value: T): T => {
  if (!isPlain(value) || Object.isFrozen(value)) return value
  for (const inner of Object.values(Object.freeze(value))) deepFreeze(inner)
  return value
}

/** Freezes each item, but not the list, which belongs to the caller. */
export const deepFreezeAll = <L extends readonly unknown[]>(list: L): L => {
  list.forEach(deepFreeze)
  return list
}

const isPlain = (value: unknown): value is object => {
  if (typeof value !== 'object' || value === null) return false
  const made = Object.getPrototypeOf(value)
  return made === Object.prototype || made === Array.prototype || made === null
}
