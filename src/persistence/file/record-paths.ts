import type { TableName, Tables } from '../../domain/schema.js'
import type { WorldState } from '../../domain/world.js'
import type { StoredBase, StoredRows, StoredWorlds } from './state.js'

/** A layer of records in the file, and where it stands there: `worlds.default`. */
export interface StateLayer {
  readonly path: string
  readonly tables: Tables
  readonly stored: StoredRows
  /** The id of a world that a key of its own opens; undefined for the default world and the base. */
  readonly opened?: string
  /** What goes on from it; the base is only built upon. */
  readonly world?: WorldState
}

/** A file; one with a single world has no base. */
export type LocatedState = StoredWorlds & { readonly base?: StoredBase }

/** A path as places are written here: `tables.payouts[12].user_id`. */
export const placeAt = (path: readonly PropertyKey[]): string =>
  path.reduce<string>((place, key) => {
    if (typeof key === 'number') return `${place}[${key}]`
    return place === '' ? String(key) : `${place}.${String(key)}`
  }, '')

/** Where a record stands in the file, such as `worlds.default.tables.payouts[12]`. */
export const placeOf = (
  layer: StateLayer,
  state: LocatedState,
  table: TableName,
  id: string,
): string => {
  const own = placeIn(layer.stored, table, id)
  if (own !== undefined) return `${layer.path}.${own}`
  const below = state.base && placeIn(state.base.tables, table, id)
  return below === undefined ? `${layer.path}.tables.${table}: ${id}` : `base.${below}`
}

const placeIn = (rows: StoredRows, table: TableName, id: string): string | undefined => {
  const at = rows[table]?.findIndex((record) => record.id === id) ?? -1
  return at < 0 ? undefined : `tables.${table}[${at}]`
}
