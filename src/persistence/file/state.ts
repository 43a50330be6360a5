import { type TableName, type Tables, tableNames } from '../../domain/schema.js'
import {
  copyTables,
  loadTables,
  openWorld,
  type World,
  type WorldState,
} from '../../domain/world.js'
import type { Snapshot } from '../../journal/snapshots.js'
import type { Row } from '../../kernel/row.js'
import type { Table } from '../../kernel/table.js'
import { toIso } from '../../kernel/time.js'
import type { LiveWorld } from '../../runtime/live-world.js'

/** The format of the files that this version writes. */
export const FORMAT = 1

export type StoredRows = { readonly [Name in TableName]?: readonly Row[] }
export type StoredIds = { readonly [Name in TableName]?: readonly string[] }

/** What a world holds itself, over what all worlds share. */
export interface StoredLayer {
  readonly seed: string
  /** ISO 8601. */
  readonly now: string
  /** How many entries it consists of: its dice depend on that. */
  readonly count: number
  readonly tables: StoredRows
  /** Ids of what it has removed from what all worlds share. */
  readonly removed?: StoredIds
}

export interface StoredSnapshot extends StoredLayer {
  readonly name: string
  /** Number of the entry that took it. */
  readonly seq: number
}

export interface StoredWorld extends StoredLayer {
  /** Number of its newest entry. */
  readonly seq: number
  readonly snapshots?: readonly StoredSnapshot[]
}

/** What all worlds share: the fixtures as they were when the file was made. */
export interface StoredBase {
  readonly now: string
  readonly seq: number
  readonly tables: StoredRows
}

export interface StoredWorlds {
  readonly format: number
  /** How many lines of the journal, from the first one ever, are in here. */
  readonly line: number
  readonly worlds: Readonly<Record<string, StoredWorld>>
}

/** The whole of `state.json`. */
export interface StoredState extends StoredWorlds {
  /** The seed that worlds take theirs from. */
  readonly seed: string
  /** Nobody has asked for that seed. */
  readonly drawn?: true
  readonly base: StoredBase
}

/** A world that was read back, with what is its line's rather than its own. */
export interface Reopened extends WorldState {
  readonly snapshots: ReadonlyMap<string, Snapshot>
}

/** The table of a name, for those who know no more of its records than that they have an id. */
export const toTable = (tables: Tables, name: TableName): Table<Row> => tables[name] as never

/** What tables hold themselves. Costs a list of references: records never change. */
export const toRows = (tables: Tables): { tables: StoredRows; removed?: StoredIds } => {
  const rows: Record<string, readonly Row[]> = {}
  const gone: Record<string, readonly string[]> = {}
  for (const name of tableNames) {
    const { records, removed } = toTable(tables, name).own()
    if (records.length > 0) rows[name] = records
    if (removed.length > 0) gone[name] = removed
  }
  return Object.keys(gone).length > 0 ? { tables: rows, removed: gone } : { tables: rows }
}

export const tablesFrom = (
  { tables, removed }: Pick<StoredLayer, 'tables' | 'removed'>,
  base?: Tables,
): Tables => {
  const laid = loadTables(base)
  for (const name of tableNames) {
    toTable(laid, name).load(tables[name] ?? [], removed?.[name])
  }
  return laid
}

/** A line's world and snapshots as they are now. */
export const storedWorld = (live: LiveWorld): StoredWorld => {
  const snapshots = live
    .snapshots()
    .map(({ name, seq, world }) => ({ name, ...toLayer(world), seq }))
  const stored = { ...toLayer(live.world), seq: live.world.seq }
  return snapshots.length > 0 ? { ...stored, snapshots } : stored
}

const toLayer = ({ seed, now, count, tables }: World): StoredLayer => ({
  seed,
  now: toIso(now),
  count,
  ...toRows(tables),
})

export const reopenWorld = (stored: StoredWorld, base: Tables): Reopened => {
  const snapshots = (stored.snapshots ?? []).map((it): [string, Snapshot] => [
    it.name,
    keptWorld(it.name, toState(it, base)),
  ])
  return { ...toState(stored, base), snapshots: new Map(snapshots) }
}

const toState = (stored: StoredLayer & { readonly seq: number }, base: Tables): WorldState => {
  const { seed, now, count, seq } = stored
  return { tables: tablesFrom(stored, base), seed, now: Date.parse(now), seq, count }
}

/** A snapshot that holds this state from here on. */
const keptWorld = (name: string, state: WorldState): Snapshot => ({
  name,
  seq: state.seq,
  world: openWorld(state, { evaluateRules: () => undefined, record: () => {} }),
})

/** The same, of a state that goes on by itself. */
export const storeState = (name: string, state: WorldState): Snapshot =>
  keptWorld(name, { ...state, tables: copyTables(state.tables) })
