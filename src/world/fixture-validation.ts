import { Refusal } from './kernel/refusal.js'
import type { Row, Table } from './kernel/table.js'
import { TRANSFER_STATUSES, TRANSFER_TRANSITIONS, type Transfer } from './transfers.js'
import { REVIEW_FIELDS, type User } from './users.js'
import type { TableName, Tables, Tx } from './world.js'

/** What fixtures have to keep to beyond the shape of their fields. */

/** Fixtures that do not fit together; the path names the file and the place in it. */
export const fixtureError = (path: string, message: string) => new Refusal('rule', message, path)

/** The same, of something that came where it cannot be used. */
export const invalidValue = (path: string, came: unknown, accepted: string) =>
  fixtureError(path, `${JSON.stringify(came)} came; accepted: ${accepted}`)

export const fixtureFile = (table: TableName): string => `${table.replace('_', '-')}.json`

/** Refuses what the world finds a record by, when another record has it already. */
export const assertNew = (others: number, came: string, path: string): void => {
  if (others > 0) throw fixtureError(path, `${came} came twice; accepted: once`)
}

/** Fields that name a record of another table. */
const REFERENCES: Readonly<Record<string, TableName>> = {
  user_id: 'users',
  account_id: 'accounts',
  consent_id: 'consents',
  wallet_id: 'wallets',
  instruction_id: 'instructions',
  transfer_id: 'transfers',
  offramp_id: 'offramps',
  blockchain: 'chains',
  rail: 'rails',
}

interface Reference {
  readonly field: string
  readonly table: TableName
  readonly value: string
}

/** What a record names in other tables; `free` are fields that may name what is not there. */
const listReferences = (record: object, free: readonly string[] = []): Reference[] =>
  Object.entries(record).flatMap(([field, value]) => {
    const table = REFERENCES[field]
    return table && typeof value === 'string' && !free.includes(field)
      ? [{ field, table, value }]
      : []
  })

/** Fields by which a record and what it names belong together. */
const SHARED = ['user_id', 'account_id', 'transfer_id']

/** What a record names that it cannot: it is not there, or `differs` from it in the field that it tells. */
export interface BrokenReference extends Reference {
  readonly differs?: string
}

/** The first field of a record that names what is not there, or is of another user, account or transfer. */
export const brokenReference = (
  tables: Tables,
  record: object,
  free?: readonly string[],
): BrokenReference | undefined => {
  const own = record as Readonly<Record<string, unknown>>
  for (const reference of listReferences(record, free)) {
    const named = (tables[reference.table] as Table<Row>).get(reference.value)
    if (!named) return reference
    const other = named as unknown as Readonly<Record<string, unknown>>
    const differs = SHARED.find((it) => it in own && it in other && own[it] !== other[it])
    if (differs !== undefined) return { ...reference, differs }
  }
  return undefined
}

/** Whatever a record names has to be there, and to be of the same user, account and transfer. */
export const assertReferences = (tables: Tables, record: object, path: string): void => {
  const broken = brokenReference(tables, record)
  if (!broken) return
  const { field, table, value, differs } = broken
  const one = `one in ${fixtureFile(table)}`
  if (differs === undefined) throw invalidValue(`${path}.${field}`, value, `the id of ${one}`)
  const { [differs]: due } = record as Readonly<Record<string, unknown>>
  throw invalidValue(`${path}.${field}`, value, `${one} with the ${differs} of this record, ${due}`)
}

export const assertPast = (tx: Tx, time: string, path: string): void => {
  if (time > tx.at) throw invalidValue(path, time, `up to the world's now, ${tx.at}`)
}

interface Changed {
  readonly created_at: string
  readonly updated_at: string
}

/** The last change of a record is past, and no earlier than its making. */
export const assertChanged = (tx: Tx, { created_at, updated_at }: Changed, path: string): void => {
  assertPast(tx, updated_at, `${path}.updated_at`)
  if (updated_at >= created_at) return
  throw invalidValue(`${path}.updated_at`, updated_at, `from created_at on, ${created_at}`)
}

/** Holds the statuses that a transfer went through, by time, against the status table. */
export const assertStatusPath = (
  { reached, status }: Pick<Transfer, 'reached' | 'status'>,
  path: string,
): void => {
  const timeOf = (it: Transfer['status']) => reached[it] ?? ''
  const way = TRANSFER_STATUSES.filter((it) => reached[it]).sort((a, b) =>
    timeOf(a) < timeOf(b) ? -1 : timeOf(a) > timeOf(b) ? 1 : 0,
  )
  const legal = way.every((it, i) => {
    const before = way[i - 1]
    return before === undefined ? it === 'PENDING' : TRANSFER_TRANSITIONS[before].includes(it)
  })
  if (legal && way.at(-1) === status) return
  throw fixtureError(
    path,
    `${way.join(', ') || 'nothing'} came, by time; accepted: legal moves from PENDING to ${status}`,
  )
}

/** Only a rejected user has reasons, and only an incomplete one requirements (contract, User). */
export const assertReview = (user: Reviewed, path: string): void => {
  for (const { kept: field, by: due } of REVIEW_FIELDS) {
    const list = user[field]
    if (list === null || (user.status === due && list.length > 0)) continue
    const came = list.length === 0 ? 'an empty list' : 'a list'
    const accepted =
      user.status === due ? 'at least one item, or null' : `null, of all but ${due} users`
    throw fixtureError(`${path}.${field}`, `${came} came; accepted: ${accepted}`)
  }
}

type Reviewed = Pick<User, 'status' | 'rejection_reasons' | 'requirements'>

/** No user may have paid out more than came in. */
export const assertNoDebts = (tables: Tables): void => {
  for (const user of tables.users.list('all', '')) {
    for (const [currency, { amount }] of tables.balances.of(`user:${user.id}`)) {
      if (amount.gte(0)) continue
      throw fixtureError(
        'balances.json',
        `payouts leave user ${user.id} with ${amount} ${currency}; accepted: zero or more`,
      )
    }
  }
}
