import type { TableName, Tables } from '../world/world.js'
import type { StoredBase, StoredRows, StoredWorlds } from './state.js'

/** A layer of records in the file, and where it stands there: `worlds.default`. */
export interface Layer {
  readonly path: string
  readonly tables: Tables
  readonly stored: StoredRows
}

/** A file; one with a single world has no base. */
export type Placed = StoredWorlds & { readonly base?: StoredBase }

/** Where a record stands in the file, such as `worlds.default.tables.payouts[12]`. */
export const placeOf = (layer: Layer, state: Placed, table: TableName, id: string): string => {
  const own = placeIn(layer.stored, table, id)
  if (own !== undefined) return `${layer.path}.${own}`
  const below = state.base && placeIn(state.base.tables, table, id)
  return below === undefined ? `${layer.path}.tables.${table}: ${id}` : `base.${below}`
}

const placeIn = (rows: StoredRows, table: TableName, id: string): string | undefined => {
  const at = rows[table]?.findIndex((record) => record.id === id) ?? -1
  return at < 0 ? undefined : `tables.${table}[${at}]`
}
