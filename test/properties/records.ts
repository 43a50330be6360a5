import {
  accountsLayout,
  activeScenariosLayout,
  apiKeysLayout,
  chainsLayout,
  clockLayout,
  consentsLayout,
  depositsLayout,
  instructionsLayout,
  ledgerLayout,
  nextCallsLayout,
  offrampsLayout,
  payoutsLayout,
  railsLayout,
  ratesLayout,
  readingsLayout,
  type TableName,
  type Tables,
  tableNames,
  tokensLayout,
  transfersLayout,
  uploadedLayout,
  usersLayout,
  walletsLayout,
} from '../../src/domain/schema.js'
import type { Row } from '../../src/kernel/row.js'
import { ruleCountsLayout } from '../../src/kernel/rules.js'
import type { Table } from '../../src/kernel/table.js'
import { timersLayout } from '../../src/kernel/timer-records.js'

type Keys = Readonly<Record<string, (record: never) => string | undefined>>

/** How each table lists its records; a table that is added has to be added here. */
const keysOf: { readonly [Name in TableName]: Keys } = {
  chains: chainsLayout.indexes,
  tokens: tokensLayout.indexes,
  rails: railsLayout.indexes,
  rates: ratesLayout.indexes,
  api_keys: apiKeysLayout.indexes,
  consents: consentsLayout.indexes,
  users: usersLayout.indexes,
  accounts: accountsLayout.indexes,
  wallets: walletsLayout.indexes,
  instructions: instructionsLayout.indexes,
  offramps: offrampsLayout.indexes,
  transfers: transfersLayout.indexes,
  payouts: payoutsLayout.indexes,
  deposits: depositsLayout.indexes,
  ledger: ledgerLayout.indexes,
  clock: clockLayout.indexes,
  posted: uploadedLayout.indexes,
  playlist: activeScenariosLayout.indexes,
  next_calls: nextCallsLayout.indexes,
  readings: readingsLayout.indexes,
  rule_counts: ruleCountsLayout.indexes,
  timers: timersLayout.indexes,
}

export const tableOf = (tables: Tables, name: string): Table<Row> =>
  (tables as unknown as Record<string, Table<Row>>)[name] as Table<Row>

export const recordsOf = (tables: Tables, name: string): Row[] => tableOf(tables, name).all()

/** All that a world remembers, as one text with a line for each record: equal texts are equal worlds. */
export const textOf = (tables: Tables): string =>
  tableNames
    .flatMap((name) => [
      `${name} ${tableOf(tables, name).size}`,
      ...recordsOf(tables, name).map((record) => JSON.stringify(record)),
    ])
    .join('\n')

const changedIds = (table: Table<Row>): string[] => {
  const { records, removed } = table.own()
  return [...records.map(({ id }) => id), ...removed]
}

/** The very records that a world holds above its base, by table and id. */
export type Held = ReadonlyMap<string, ReadonlyMap<string, Row | undefined>>

export const heldBy = (tables: Tables): Held =>
  new Map(
    tableNames.map((name) => {
      const table = tableOf(tables, name)
      return [name, new Map(changedIds(table).map((id) => [id, table.get(id)]))]
    }),
  )

/** Where it is not the very record of before that a world holds. Records are frozen: the same is unchanged. */
export const changedSince = (held: Held, base: Tables, tables: Tables): string[] =>
  [...held].flatMap(([name, before]) => {
    const table = tableOf(tables, name)
    const was = (id: string) => (before.has(id) ? before.get(id) : tableOf(base, name).get(id))
    return [...new Set([...before.keys(), ...changedIds(table)])]
      .filter((id) => table.get(id) !== was(id))
      .map((id) => `${name} ${id}`)
  })

/** A list of an index, as `table.index key`. */
export type Place = string

/** Where a record is to be listed. */
export const placesOf = (name: string, record: Row): Place[] =>
  Object.entries(keysOf[name as TableName]).flatMap(([index, keyOf]) => {
    const key = keyOf(record as never)
    return key === undefined ? [] : [`${name}.${index} ${key}`]
  })

/** The content of one list, by its table. */
interface Listed {
  readonly ids: readonly string[]
  readonly count: number
  readonly first: string | undefined
  readonly newest: readonly string[]
  readonly before: readonly string[]
}

const PAGE = 3

const idsOf = (records: readonly Row[]): string[] => records.map(({ id }) => id)

/** The content of the lists at these places, by their tables. */
export const listsTold = (tables: Tables, places: Iterable<Place>): Record<Place, Listed> => {
  const reported: Record<Place, Listed> = {}
  for (const place of places) {
    const [, name = '', index = '', key = ''] = /^(\w+)\.(\w+) (.*)$/s.exec(place) ?? []
    const table = tableOf(tables, name)
    reported[place] = {
      ids: idsOf(table.list(index, key)),
      count: table.count(index, key),
      first: table.first(index, key)?.id,
      newest: idsOf(table.page(index, key, 0, PAGE)),
      before: idsOf(table.page(index, key, 1, PAGE)),
    }
  }
  return reported
}

/** The expected content, computed from the records alone. */
export const listsDue = (tables: Tables, places: Iterable<Place>): Record<Place, Listed> => {
  const lists = new Map<Place, string[]>([...places].map((place) => [place, []]))
  for (const name of tableNames) {
    for (const record of recordsOf(tables, name)) {
      for (const place of placesOf(name, record)) {
        lists.set(place, [...(lists.get(place) ?? []), record.id])
      }
    }
  }
  return Object.fromEntries(
    [...lists].map(([place, ids]) => {
      const back = ids.toReversed()
      const [newest, before] = [back.slice(0, PAGE), back.slice(PAGE, 2 * PAGE)]
      return [place, { ids, count: ids.length, first: ids[0], newest, before }]
    }),
  )
}
