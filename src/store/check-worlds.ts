import { assertAssumption, assertReading, ReadingError } from '../readings.js'
import { playbookOf } from '../scenarios/playbook.js'
import type { Scenario } from '../scenarios/read.js'
import { worldIdOf } from '../secrets.js'
import { DEFAULT_WORLD } from '../timeline.js'
import type { ApiKey } from '../world/api-keys.js'
import { audit } from '../world/audit.js'
import { assertRates } from '../world/fixture-money.js'
import { assertWay, brokenReference } from '../world/fixture-rules.js'
import { Refusal } from '../world/kernel/refusal.js'
import type { Row } from '../world/kernel/table.js'
import type { Timer } from '../world/kernel/timers.js'
import type { LedgerRecord } from '../world/ledger.js'
import type { Choice } from '../world/readings.js'
import { type TableName, tableNames, type World } from '../world/world.js'
import { assertFreshDraws } from './check-draws.js'
import { DataError, messageOf } from './data-error.js'
import { type Layer, type Placed, placeOf } from './places.js'
import { type Reopened, tableOf } from './state.js'

/** Refuses worlds whose records break a rule that holds between them, with the path of the record. */
export const checkWorlds = (
  worlds: ReadonlyMap<string, Reopened>,
  state: Placed,
  name: string,
  base?: World,
): void => {
  const layers: Layer[] = []
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

const whatIsWrong = (layer: Layer, state: Placed): string | undefined => {
  try {
    for (const table of tableNames) checkTable(layer, state, table)
    assertOpens(layer)
    if (layer.stored.rates?.length) assertRates(layer.tables, `${layer.path}.tables.rates`)
    checkScenarios(layer, state)
    if (layer.world) assertFreshDraws(layer.world, layer.path)
    return brokenMoney(layer, state)
  } catch (error) {
    // Rules of the world speak as they do to those who break them by a request.
    if (error instanceof Refusal) return error.message
    throw error
  }
}

/** The key that opens a world by its form is named by its id, and is never removed. */
const assertOpens = ({ path, tables, opened }: Layer): void => {
  if (opened === undefined) return
  if (tables.api_keys.list('all', '').some(({ hash }) => worldIdOf(hash) === opened)) return
  throw new Refusal(
    'rule',
    `none of them opens this world; accepted: one whose hash begins with ${opened}, or no such world`,
    `${path}.tables.api_keys`,
  )
}

/** Fields that name a record of another table, besides those that fixtures have. */
const MORE_REFERENCES: Readonly<Record<string, TableName>> = { used_by: 'users' }

/** Fields that some reading lets name what no world knows (user.consent, wallet.chain). */
const FREE = ['consent_id', 'blockchain']

const checkTable = (layer: Layer, state: Placed, table: TableName): void => {
  const rows = layer.stored[table] ?? []
  checkNumbers(rows, `${layer.path}.tables.${table}`)
  const records = tableOf(layer.tables, table)
  for (const { id } of rows) {
    const record = records.get(id) as (Row & Record<string, unknown>) | undefined
    if (!record) continue
    const place = () => placeOf(layer, state, table, id)
    checkReferences(layer, record, place)
    if (table === 'ledger') checkAccounts(layer, record as never, place)
    if (table === 'readings') checkReading(record as never, place)
    if (table === 'timers') checkTimer(record as never, place)
    if (table === 'transfers') placed(place, () => assertWay(record as never, '.reached'))
    // Of what a client names, an email address or a reference, there may be two by some reading.
    if (table === 'api_keys' && records.count('hash', (record as unknown as ApiKey).hash) > 1) {
      throw new Refusal('rule', 'it is another key’s, too', `${place()}.hash`)
    }
  }
}

const checkReading = ({ id, reading }: Choice, place: () => string): void => {
  const check = (assert: () => void, field: string) => {
    try {
      assert()
    } catch (error) {
      if (!(error instanceof ReadingError)) throw error
      throw new Refusal('rule', `${place()}.${field}${error.message}`)
    }
  }
  check(() => assertAssumption(id), 'id: ')
  check(() => assertReading(id, reading, 'reading'), '')
}

/** One that is done would fire for ever. */
const checkTimer = ({ done, plan: { steps } }: Timer, place: () => string): void => {
  if (done < steps.length) return
  const why = `${done} came, but ${steps.length} steps are planned; accepted: fewer done than planned`
  throw new Refusal('rule', why, `${place()}.done`)
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

const checkReferences = ({ tables }: Layer, record: Row, place: () => string): void => {
  const broken = brokenReference(tables, record, FREE)
  if (broken) {
    const { field, table, value } = broken
    throw new Refusal('rule', `${table} has no ${value}`, `${place()}.${field}`)
  }
  for (const [field, table] of Object.entries(MORE_REFERENCES)) {
    const value = (record as unknown as Record<string, unknown>)[field]
    if (typeof value !== 'string' || tableOf(tables, table).get(value)) continue
    throw new Refusal('rule', `${table} has no ${value}`, `${place()}.${field}`)
  }
}

/** Runs a check that knows no place. That is looked for only when it is wanted: it costs a walk. */
const placed = (place: () => string, check: () => void): void => {
  try {
    check()
  } catch (error) {
    throw error instanceof Refusal ? new Refusal('rule', `${place()}${error.message}`) : error
  }
}

/** Accounts and subjects of the ledger that are records, by how they are written. */
const LEDGER_NOUNS: Readonly<Record<string, TableName>> = {
  user: 'users',
  wallet: 'wallets',
  transfer: 'transfers',
  payout: 'payouts',
}

const checkAccounts = (
  { tables }: Layer,
  { id, movements }: LedgerRecord,
  place: () => string,
): void => {
  const assertKnown = (account: string, field: string) => {
    const [noun = '', rest] = account.split(':', 2)
    const table = LEDGER_NOUNS[noun]
    if (!table || rest === undefined || tableOf(tables, table).get(rest)) return
    throw new Refusal('rule', `${table} has no ${rest}`, `${place()}.${field}`)
  }
  assertKnown(id, 'id')
  for (const [i, { from, to }] of movements.entries()) {
    assertKnown(from, `movements[${i}].from`)
    assertKnown(to, `movements[${i}].to`)
  }
}

/** Posted scenarios are kept as they were read: one that was spoiled since must not come to be played. */
const checkScenarios = (layer: Layer, state: Placed): void => {
  for (const { id, scenario } of layer.tables.posted.all()) {
    const place = `${placeOf(layer, state, 'posted', id)}.scenario`
    if ((scenario as Scenario).name !== id) {
      throw new Refusal('rule', `it is named otherwise than ${id}`, `${place}.name`)
    }
    try {
      playbookOf(scenario as Scenario)
    } catch (error) {
      throw new Refusal('rule', `it cannot be played: ${messageOf(error)}`, place)
    }
  }
}

/** The audit's first complaint, with the place of the record that it is about. */
const brokenMoney = (layer: Layer, state: Placed): string | undefined => {
  const [violation] = audit(layer.tables).violations
  if (violation === undefined) return undefined
  const [, noun, id = ''] = /^(transfer|payout|user|wallet|transit)[ :](\S+)/.exec(violation) ?? []
  const place =
    noun === undefined || noun === 'transit'
      ? `${layer.path}.tables.ledger`
      : placeOf(layer, state, `${noun as 'user'}s`, id)
  return `${place}: ${violation}`
}
