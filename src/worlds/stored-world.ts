import { type TableName, type Tables, tableNames } from '../domain/schema.js'
import { copyTables, loadTables, openWorld, type World, type WorldState } from '../domain/world.js'
import type { Row } from '../kernel/row.js'
import type { Table } from '../kernel/table.js'
import { parseInstant, toIso } from '../kernel/time.js'
import { convertRows } from './earlier-records.js'
import type { Snapshot } from './snapshots.js'

export type StoredRows = { readonly [Name in TableName]?: readonly Row[] }
type StoredIds = { readonly [Name in TableName]?: readonly string[] }

/** The records of a world over the base world, as JSON. */
export interface StoredLayer {
  readonly seed: string
  /** ISO 8601. */
  readonly now: string
  /** How many entries it consists of: its random numbers depend on that. */
  readonly count: number
  readonly tables: StoredRows
  /** Ids of records of the base world that it removed. */
  readonly removed?: StoredIds
  /** Number of its newest entry. */
  readonly seq: number
}

export interface StoredWorld extends StoredLayer {
  readonly created_at?: string | undefined
  readonly snapshots?: readonly (StoredLayer & { readonly name: string })[]
}

/** The base world: the fixtures as they were when the log began. */
export type StoredBase = Pick<StoredLayer, 'now' | 'seq' | 'tables'>

/** A world that was read back, with its snapshots. */
export interface RecoveredWorld extends WorldState {
  readonly snapshots: ReadonlyMap<string, Snapshot>
}

/** A table whose records are only known to have an id. */
export const toTable = (tables: Tables, name: TableName): Table<Row> => tables[name] as never

/** Costs a list of references: records never change. */
export const toStoredWorld = (world: World, snapshots: readonly Snapshot[]): StoredWorld => ({
  ...toStoredLayer(world),
  ...(snapshots.length > 0 && {
    snapshots: snapshots.map(({ name, world }) => ({ name, ...toStoredLayer(world) })),
  }),
})

export const toStoredLayer = ({ seed, now, count, seq, tables }: World): StoredLayer => ({
  seq,
  seed,
  now: toIso(now),
  count,
  ...toRows(tables),
})

export const toStoredBase = ({ now, seq, tables }: World): StoredBase => ({
  now: toIso(now),
  seq,
  tables: toRows(tables).tables,
})

const toRows = (tables: Tables): { tables: StoredRows; removed?: StoredIds } => {
  const rows: Record<string, readonly Row[]> = {}
  const gone: Record<string, readonly string[]> = {}
  for (const name of tableNames) {
    const { records, removed } = toTable(tables, name).own()
    if (records.length > 0) rows[name] = records
    if (removed.length > 0) gone[name] = removed
  }
  return Object.keys(gone).length > 0 ? { tables: rows, removed: gone } : { tables: rows }
}

export const restoreBase = ({ now, seq, tables }: StoredBase): World =>
  openWorld({
    tables: restoreTables({ tables }),
    seed: 'fixtures',
    now: parseInstant(now),
    seq,
    count: seq,
  })

/** Without a stored world: the beginning of a world over the base world. */
export const restoreWorld = (stored: StoredWorld | undefined, base: World): RecoveredWorld => {
  const { tables, seed, now, seq } = base
  if (!stored) {
    return { tables: loadTables(tables), seed, now, seq, count: seq, snapshots: new Map() }
  }
  const { snapshots = [] } = stored
  return {
    ...restoreState(stored, tables),
    snapshots: new Map(
      snapshots.map((it) => [it.name, toSnapshot(it.name, restoreState(it, tables))]),
    ),
  }
}

export const restoreState = (stored: StoredLayer, base: Tables): WorldState => {
  const { seed, now, count, seq } = stored
  return { tables: restoreTables(stored, base), seed, now: parseInstant(now), seq, count }
}

const restoreTables = (
  { tables, removed }: Pick<StoredLayer, 'tables' | 'removed'>,
  base?: Tables,
): Tables => {
  const loaded = loadTables(base)
  const rows = convertRows(tables)
  for (const name of tableNames) {
    toTable(loaded, name).load(rows[name] ?? [], removed?.[name])
  }
  return loaded
}

/** A snapshot of a state that changes later. */
export const copyToSnapshot = (name: string, state: WorldState): Snapshot =>
  toSnapshot(name, { ...state, tables: copyTables(state.tables) })

const toSnapshot = (name: string, state: WorldState): Snapshot => ({
  name,
  seq: state.seq,
  world: openWorld(state),
})
