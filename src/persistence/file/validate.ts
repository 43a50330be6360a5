import * as z from 'zod'
import { audit } from '../../domain/audit.js'
import { instant, objectOf, recordSchemas } from '../../domain/record-schemas.js'
import { type TableName, type Tables, tableNames } from '../../domain/schema.js'
import { brokenReference } from '../../domain/seed-data/validate.js'
import type { World } from '../../domain/world.js'
import type { Row } from '../../kernel/row.js'
import { TIMERS_PER_ENTRY } from '../../kernel/timers.js'
import { getAt } from '../../lib/json.js'
import { formatIssues } from '../../lib/zod-errors.js'
import { DataError, UNCHANGED } from '../errors.js'
import { type RecoveredWorld, type StoredRows, toTable } from '../stored-world.js'
import type { StoredState } from './snapshot-file.js'

/**
 * Validates a data file that somebody has edited: shapes, foreign keys and the ledger audit. Each message
 * starts with a path, such as `worlds.default.tables.payouts[12].user_id`.
 */

const COUNT = 'a whole number, zero or more'

const count = z.int(COUNT).min(0, COUNT)
/** The numbers of timers stay whole up to here. */
const MAX_ENTRIES = Math.floor(Number.MAX_SAFE_INTEGER / TIMERS_PER_ENTRY)
const ENTRIES = `a whole number from 0 to ${MAX_ENTRIES}`
const entries = z.int(ENTRIES).min(0, ENTRIES).max(MAX_ENTRIES, ENTRIES)
const seed = z.string('a string')
const tables = objectOf(
  Object.fromEntries(
    tableNames.map((name) => [name, z.array(recordSchemas[name], 'a list of records').optional()]),
  ),
  'an object of tables',
)
const ids = z.array(z.string('an id'), 'a list of ids').optional()
/** A world removes records of no other table, so nothing else can lose what it refers to. */
const removed = objectOf(
  { api_keys: ids, rule_counts: ids, timers: ids } satisfies { [Name in TableName]?: z.ZodType },
  'an object of ids by table',
)
const layer = {
  seed,
  now: instant,
  count: entries,
  tables,
  removed: removed.optional(),
  seq: count,
}
const snapshot = z.strictObject({
  ...layer,
  name: z.string().regex(/^[a-z0-9-]{1,64}$/, 'a name of 1 to 64 of a to z, 0 to 9 and -'),
})
const created_at = instant.optional()
const world = z.strictObject({ ...layer, created_at, snapshots: z.array(snapshot).optional() })
const file = z.strictObject({
  format: count,
  contains: objectOf(
    { log: count, size: count, crc: z.string('a string') },
    'the end of a journal',
  ),
  seed,
  drawn: z.literal(true).optional(),
  base: objectOf({ now: instant, seq: count, tables }, 'an object with now, seq and tables'),
  worlds: z.record(
    z.string().regex(/^[A-Za-z0-9-]{1,64}$/, 'the id of a world'),
    world,
    'an object of worlds',
  ),
  checksum: z.unknown(),
})

export const validateShapes = (state: StoredState, name: string): void => {
  // zod passes over it.
  if (Object.hasOwn(Object(state.worlds), '__proto__'))
    throw invalidFile(name, 'worlds.__proto__: no world has this id')
  const result = file.safeParse(state)
  if (!result.success) throw invalidFile(name, formatIssues(result.error.issues, state, formatPath))
}

const invalidFile = (name: string, reason: string): DataError =>
  new DataError({ problem: `${name}: ${reason}`, hint: UNCHANGED })

/** Formats `tables.payouts[12].user_id`. */
const formatPath = (path: readonly PropertyKey[]): string =>
  path.reduce<string>((place, key) => {
    if (typeof key === 'number') return `${place}[${key}]`
    return place === '' ? String(key) : `${place}.${String(key)}`
  }, '')

/** Records of the file, and the tables that they were loaded into. */
interface Layer {
  readonly path: string
  readonly rows: StoredRows
  readonly tables: Tables
}

/** Validates the base and the worlds as they are after recovery. */
export const validateWorlds = (
  worlds: ReadonlyMap<string, { readonly world: RecoveredWorld }>,
  state: StoredState,
  base: World,
  name: string,
): void => {
  const layers: Layer[] = [{ path: 'base', rows: state.base.tables, tables: base.tables }]
  for (const [id, { world }] of worlds) {
    const stored = state.worlds[id]
    layers.push({ path: `worlds.${id}`, rows: stored?.tables ?? {}, tables: world.tables })
    for (const [i, it] of (stored?.snapshots ?? []).entries()) {
      const tables = world.snapshots.get(it.name)?.world.tables
      if (tables) layers.push({ path: `worlds.${id}.snapshots[${i}]`, rows: it.tables, tables })
    }
  }
  for (const layer of layers) {
    const problem = findProblem(layer)
    if (problem !== undefined) throw invalidFile(name, problem)
  }
}

const findProblem = ({ path, rows, tables }: Layer): string | undefined => {
  for (const name of tableNames) {
    const ids = new Set<string>()
    for (const [i, { id }] of (rows[name] ?? []).entries()) {
      const place = `${path}.tables.${name}[${i}]`
      if (ids.has(id)) return `${place}.id: ${id} appears twice`
      ids.add(id)
      const record = toTable(tables, name).get(id)
      const problem = record && brokenForeignKey(tables, name, record)
      if (problem !== undefined) return `${place}.${problem}`
    }
  }
  const [violation] = audit(tables).violations
  return violation && `${path}: ${violation}`
}

/** Foreign keys of single tables; `brokenReference` has those with one meaning in all tables. */
const FOREIGN_KEYS: { readonly [Name in TableName]?: readonly [field: string, TableName] } = {
  consents: ['used_by', 'users'],
  tokens: ['chain', 'chains'],
  accounts: ['chain', 'chains'],
  instructions: ['chain', 'chains'],
}

const brokenForeignKey = (tables: Tables, name: TableName, record: Row): string | undefined => {
  const broken = brokenReference(tables, record)
  if (broken) {
    const { field, table, value, differs } = broken
    return `${field}: ${table} has ${differs ? `${value} with another ${differs}` : `no ${value}`}`
  }
  const [field = '', table] = FOREIGN_KEYS[name] ?? []
  const value = getAt(record, [field])
  if (!table || typeof value !== 'string' || toTable(tables, table).get(value)) return undefined
  return `${field}: ${table} has no ${value}`
}
