import { audit } from '../../domain/audit.js'
import { assertRates } from '../../domain/fixtures/money.js'
import { type TableName, tableNames } from '../../domain/schema.js'
import type { World } from '../../domain/world.js'
import { Refusal } from '../../kernel/refusal.js'
import type { Row } from '../../kernel/row.js'
import { deriveWorldId } from '../../lib/secrets.js'
import { DEFAULT_WORLD } from '../../runtime/live-world.js'
import { getCompiledRules } from '../../scenarios/evaluate/compiled-rules.js'
import type { Scenario } from '../../scenarios/language/parse-scenario.js'
import { DataError, errorMessage } from '../errors.js'
import { assertNoIdReuse } from './check-entry-count.js'
import { checkRecord } from './check-records.js'
import { type LocatedState, placeOf, type StateLayer } from './record-paths.js'
import { type Reopened, toTable } from './state.js'

/** Refuses worlds whose records break a rule that holds between them, with the path of the record. */
export const checkWorlds = (
  worlds: ReadonlyMap<string, Reopened>,
  state: LocatedState,
  name: string,
  base?: World,
): void => {
  const layers: StateLayer[] = []
  if (base) layers.push({ path: 'base', tables: base.tables, stored: state.base?.tables ?? {} })
  for (const [id, world] of worlds) {
    const { tables, snapshots } = world
    const stored = state.worlds[id]
    const own = id === DEFAULT_WORLD ? {} : { opened: id }
    layers.push({ path: `worlds.${id}`, tables, stored: stored?.tables ?? {}, world, ...own })
    for (const [i, kept] of (stored?.snapshots ?? []).entries()) {
      const world = snapshots.get(kept.name)?.world
      const path = `worlds.${id}.snapshots[${i}]`
      if (world) layers.push({ path, tables: world.tables, stored: kept.tables, world, ...own })
    }
  }
  for (const layer of layers) {
    const wrong = whatIsWrong(layer, state)
    if (wrong) throw new DataError(`${name}: ${wrong}; nothing was changed`)
  }
}

const whatIsWrong = (layer: StateLayer, state: LocatedState): string | undefined => {
  try {
    for (const table of tableNames) checkTable(layer, state, table)
    assertOpens(layer)
    if (layer.stored.rates?.length) assertRates(layer.tables, `${layer.path}.tables.rates`)
    checkScenarios(layer, state)
    if (layer.world) assertNoIdReuse(layer.world, layer.path)
    return brokenMoney(layer, state)
  } catch (error) {
    // Rules of the world speak as they do to those who break them by a request.
    if (error instanceof Refusal) return error.message
    throw error
  }
}

/** The key that opens a world by its form is named by its id, and is never removed. */
const assertOpens = ({ path, tables, opened }: StateLayer): void => {
  if (opened === undefined) return
  if (tables.api_keys.list('all', '').some(({ hash }) => deriveWorldId(hash) === opened)) return
  throw new Refusal(
    'rule',
    `none of them opens this world; accepted: one whose hash begins with ${opened}, or no such world`,
    `${path}.tables.api_keys`,
  )
}

const checkTable = (layer: StateLayer, state: LocatedState, table: TableName): void => {
  const rows = layer.stored[table] ?? []
  checkNumbers(rows, `${layer.path}.tables.${table}`)
  const records = toTable(layer.tables, table)
  for (const { id } of rows) {
    const record = records.get(id)
    if (!record) continue
    try {
      checkRecord(layer.tables, table, record)
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      // Its place is looked for only when it is wanted: it costs a walk.
      throw new Refusal('rule', `${placeOf(layer, state, table, id)}${error.message}`)
    }
  }
}

const checkNumbers = (rows: readonly Row[], path: string): void => {
  const ids = new Set<string>()
  const numbers = new Set<number>()
  for (const [i, { id, n }] of rows.entries()) {
    if (ids.has(id)) throw new Refusal('rule', `${id} is there twice`, `${path}[${i}].id`)
    if (numbers.has(n)) throw new Refusal('rule', `number ${n} is there twice`, `${path}[${i}].n`)
    ids.add(id)
    numbers.add(n)
  }
}

/** Posted scenarios are kept as they were read: one that was spoiled since must not come to be played. */
const checkScenarios = (layer: StateLayer, state: LocatedState): void => {
  for (const { id, scenario } of layer.tables.posted.all()) {
    const place = `${placeOf(layer, state, 'posted', id)}.scenario`
    if ((scenario as Scenario).name !== id) {
      throw new Refusal('rule', `it is named otherwise than ${id}`, `${place}.name`)
    }
    try {
      getCompiledRules(scenario as Scenario)
    } catch (error) {
      throw new Refusal('rule', `it cannot be played: ${errorMessage(error)}`, place)
    }
  }
}

/** The audit's first complaint, with the place of the record that it is about. */
const brokenMoney = (layer: StateLayer, state: LocatedState): string | undefined => {
  const [violation] = audit(layer.tables).violations
  return violation === undefined
    ? undefined
    : `${placeOfMoney(layer, state, violation)}: ${violation}`
}

const placeOfMoney = (layer: StateLayer, state: LocatedState, violation: string): string => {
  const [movements = ''] = violation.split(' ', 1)
  if (layer.tables.ledger.get(movements)) return placeOf(layer, state, 'ledger', movements)
  const [, noun, id = ''] = /^(transfer|payout|deposit|user|wallet)[ :](\S+)/.exec(violation) ?? []
  if (noun === undefined) return `${layer.path}.tables.ledger`
  return placeOf(layer, state, `${noun as 'user'}s`, id)
}
