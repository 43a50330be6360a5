import { Refusal } from './kernel/refusal.js'
import { isoTime } from './kernel/time.js'
import { TRANSFER_STATUSES, type Transfer, transferMoves } from './transfers.js'
import type { User } from './users.js'
import type { TableName, Tables, Tx } from './world.js'

/** What fixtures have to keep to beyond the shape of their fields. */

/** Fixtures that do not fit together; the path names the file and the place in it. */
export const wrong = (path: string, message: string) => new Refusal('rule', message, path)

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
}

/** `free` are fields that may name what is not there. */
export const assertReferences = (
  tables: Tables,
  record: object,
  path: string,
  free: readonly string[] = [],
): void => {
  for (const [field, value] of Object.entries(record)) {
    const table = REFERENCES[field]
    if (!table || typeof value !== 'string' || free.includes(field)) continue
    if (!tables[table].get(value)) throw wrong(`${path}.${field}`, `${table} has no ${value}`)
  }
}

export const assertPast = (tx: Tx, time: string, path: string): void => {
  if (time > tx.at) throw wrong(path, `${time} is after the world's now, ${isoTime(tx.now)}`)
}

/** Holds the statuses that a transfer went through, by time, against the status table. */
export const assertWay = (
  { reached, status }: Pick<Transfer, 'reached' | 'status'>,
  path: string,
): void => {
  const timeOf = (it: Transfer['status']) => reached[it] ?? ''
  const way = TRANSFER_STATUSES.filter((it) => reached[it]).sort((a, b) =>
    timeOf(a) < timeOf(b) ? -1 : timeOf(a) > timeOf(b) ? 1 : 0,
  )
  const legal = way.every((it, i) => {
    const before = way[i - 1]
    return before === undefined ? it === 'PENDING' : transferMoves[before].includes(it)
  })
  if (legal && way.at(-1) === status) return
  throw wrong(
    path,
    `${way.join(', ') || 'nothing'} came, by time; accepted: legal moves from PENDING to ${status}`,
  )
}

/** Only a rejected user has reasons, and only an incomplete one requirements (contract, User). */
export const assertReview = (user: Reviewed, path: string): void => {
  for (const [field, due] of REVIEW) {
    const list = user[field]
    if (list === null || (user.status === due && list.length > 0)) continue
    const came = list.length === 0 ? 'an empty list' : 'a list'
    const accepted =
      user.status === due ? 'at least one item, or null' : `null, of all but ${due} users`
    throw wrong(`${path}.${field}`, `${came} came; accepted: ${accepted}`)
  }
}

type Reviewed = Pick<User, 'status' | 'rejection_reasons' | 'requirements'>

const REVIEW = [
  ['rejection_reasons', 'rejected'],
  ['requirements', 'incomplete'],
] as const

/** No user may have paid out more than came in. */
export const assertNoDebts = (tables: Tables): void => {
  for (const user of tables.users.list('all', '')) {
    for (const [currency, { amount }] of tables.balances.of(`user:${user.id}`)) {
      if (amount.gte(0)) continue
      throw wrong(
        'balances.json',
        `payouts leave user ${user.id} with ${amount} ${currency}; accepted: zero or more`,
      )
    }
  }
}
