import * as z from 'zod'
import { audit } from '../../domain/audit.js'
import type { LedgerRecord } from '../../domain/balance-index.js'
import { instant, objectOf, recordSchemas } from '../../domain/record-schemas.js'
import { type TableName, type Tables, tableNames } from '../../domain/schema.js'
import { brokenReference } from '../../domain/seed-data/validate.js'
import type { World } from '../../domain/world.js'
import type { Row } from '../../kernel/row.js'
import { TIMERS_PER_ENTRY } from '../../kernel/timers.js'
import { formatError } from '../../lib/app-error.js'
import { getAt } from '../../lib/json.js'
import { DEFAULT_WORLD, deriveWorldId } from '../../lib/secrets.js'
import { formatIssues } from '../../lib/zod-errors.js'
import { DataError, UNCHANGED } from '../errors.js'
import { type RecoveredWorld, type StoredRows, toTable } from '../stored-world.js'
import type { StoredState } from './snapshot-file.js'

/**
 * Validates a data file that somebody has edited: shapes, foreign keys and the ledger audit. Each message
 * starts with the path of the record, such as `worlds.default.tables.payouts[12].user_id`.
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
const world = z.strictObject({ ...layer, snapshots: z.array(snapshot).optional() })
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
  const bottom = { path: 'base', rows: state.base.tables, tables: base.tables }
  const layers: Layer[] = [bottom]
  for (const [id, { world }] of worlds) {
    const { tables, snapshots } = world
    const stored = state.worlds[id]
    layers.push({ path: `worlds.${id}`, rows: stored?.tables ?? {}, tables })
    for (const [i, it] of (stored?.snapshots ?? []).entries()) {
      const tables = snapshots.get(it.name)?.world.tables
      if (tables) layers.push({ path: `worlds.${id}.snapshots[${i}]`, rows: it.tables, tables })
    }
    if (id !== DEFAULT_WORLD) assertKey(id, tables, name)
  }
  for (const layer of layers) {
    const problem = findProblem(layer, bottom)
    if (problem !== undefined) throw invalidFile(name, problem)
  }
}

/** A world that no key opens would be lost. */
const assertKey = (id: string, { api_keys }: Tables, name: string): void => {
  if (api_keys.list('all', '').some(({ hash }) => deriveWorldId(hash) === id)) return
  const reason = formatError({
    field: `worlds.${id}.tables.api_keys`,
    problem: 'none of them opens this world',
    expected: `one whose hash begins with ${id}`,
  })
  throw invalidFile(name, reason)
}

const findProblem = (layer: Layer, bottom: Layer): string | undefined => {
  for (const table of tableNames) {
    const ids = new Set<string>()
    for (const [i, { id }] of (layer.rows[table] ?? []).entries()) {
      const path = `${layer.path}.tables.${table}[${i}]`
      if (ids.has(id)) return `${path}.id: ${id} appears twice`
      ids.add(id)
      const record = toTable(layer.tables, table).get(id)
      const problem = record && brokenForeignKey(layer.tables, table, record)
      if (problem !== undefined) return `${path}.${problem}`
    }
  }
  const [violation] = audit(layer.tables).violations
  return violation && `${findPath(violation, layer, bottom)}: ${violation}`
}

/** Foreign keys of single tables; `brokenReference` has those with one meaning in all tables. */
const FOREIGN_KEYS: { readonly [Name in TableName]?: readonly [field: string, TableName] } = {
  consents: ['used_by', 'users'],
  tokens: ['chain', 'chains'],
  accounts: ['chain', 'chains'],
  instructions: ['chain', 'chains'],
}

/** Some readings let these fields name what does not exist (consent.validity, wallet.chain). */
const FREE = ['consent_id', 'blockchain']

const brokenForeignKey = (tables: Tables, name: TableName, record: Row): string | undefined => {
  const broken = brokenReference(tables, record, FREE)
  if (broken) {
    const { field, table, value, differs } = broken
    return `${field}: ${table} has ${differs ? `${value} with another ${differs}` : `no ${value}`}`
  }
  if (name === 'ledger') return brokenAccount(tables, record as LedgerRecord)
  const [field = '', table] = FOREIGN_KEYS[name] ?? []
  const value = getAt(record, [field])
  if (!table || typeof value !== 'string' || toTable(tables, table).get(value)) return undefined
  return `${field}: ${table} has no ${value}`
}

/** Records that accounts and ids of the ledger name, such as `user:<id>`. */
const ACCOUNT_TABLES: ReadonlyMap<string, TableName> = new Map([
  ['user', 'users'],
  ['wallet', 'wallets'],
  ['transfer', 'transfers'],
  ['payout', 'payouts'],
  ['deposit', 'deposits'],
])

const brokenAccount = (tables: Tables, { id, movements }: LedgerRecord): string | undefined => {
  const accounts = movements.flatMap(({ from, to }, i) => [
    [`movements[${i}].from`, from] as const,
    [`movements[${i}].to`, to] as const,
  ])
  for (const [field, account] of [['id', id] as const, ...accounts]) {
    const [noun = '', rest = ''] = account.split(':', 2)
    const table = ACCOUNT_TABLES.get(noun)
    if (table && !toTable(tables, table).get(rest)) return `${field}: ${table} has no ${rest}`
  }
  return undefined
}

/** The path of the record that a violation of the audit is about. */
const findPath = (violation: string, layer: Layer, bottom: Layer): string => {
  const [, noun = '', named = ''] =
    /^(transfer|payout|deposit|user|wallet)[ :](\S+)/.exec(violation) ?? []
  const [movements = ''] = violation.split(' ', 1)
  const [table, id] = layer.tables.ledger.get(movements)
    ? (['ledger', movements] as const)
    : ([ACCOUNT_TABLES.get(noun) ?? 'ledger', named] as const)
  for (const { path, rows } of [layer, bottom]) {
    const i = rows[table]?.findIndex((record) => record.id === id) ?? -1
    if (i >= 0) return `${path}.tables.${table}[${i}]`
  }
  return `${layer.path}.tables.${table}${id && `: ${id}`}`
}
