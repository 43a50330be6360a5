import type { Row } from '../kernel/row.js'
import type { Table } from '../kernel/table.js'
import { ROWS } from './list-query.js'
import type { PageContext } from './page-context.js'

/** Shorter fragments match too many names. */
export const MIN_FRAGMENT = 4

export interface SearchHit {
  readonly page: string
  /** The number of partial matches; 0 for an exact match. */
  readonly near: number
}

/** Finds the newest record of a kind. An exact match precedes a partial one. `text` is in lower case. */
type Finder = (ctx: PageContext, text: string) => SearchHit | undefined

type Names = readonly (string | null)[]

const kind =
  <R extends Row>(
    tableOf: (ctx: PageContext) => Table<R, 'all'>,
    namesOf: (record: R) => Names,
    /** `place` counts from the newest. Returns undefined if no page shows the record. */
    pageOf: (record: R, place: number) => string | undefined,
  ): Finder =>
  (ctx, text) => {
    const records = tableOf(ctx).list('all', '')
    let near: string | undefined
    let count = 0
    for (let i = records.length - 1; i >= 0; i--) {
      const record = records[i] as R
      const likeness = matchKind(namesOf(record), text)
      if (likeness === undefined) continue
      const page = pageOf(record, records.length - 1 - i)
      if (page === undefined) continue
      if (likeness === 'whole') return { page, near: 0 }
      near ??= page
      count++
    }
    return near === undefined ? undefined : { page: near, near: count }
  }

const matchKind = (names: Names, text: string): 'whole' | 'near' | undefined => {
  let likeness: 'near' | undefined
  for (const name of names) {
    if (name === null || name.length < text.length) continue
    const it = name.toLowerCase()
    if (it === text) return 'whole'
    if (text.length < MIN_FRAGMENT) continue
    if (it.startsWith(text) || it.endsWith(text)) likeness = 'near'
  }
  return likeness
}

/** In order of precedence. */
const KINDS: readonly Finder[] = [
  kind(
    ({ tables }) => tables.transfers,
    (it) => [it.id, it.bank_txn_reference],
    ({ id }) => `/transfers/${id}`,
  ),
  kind(
    ({ tables }) => tables.payouts,
    (it) => [it.id, it.customer_payout_id, it.reference],
    ({ id }) => `/payouts/${id}`,
  ),
  kind(
    ({ tables }) => tables.users,
    (it) => [it.id, it.email_address],
    ({ id }) => `/users/${id}`,
  ),
  kind(
    ({ tables }) => tables.offramps,
    (it) => [it.id],
    ({ transfer_id }) => `/transfers/${transfer_id}`,
  ),
  kind(
    ({ tables }) => tables.accounts,
    (it) => [it.id, it.account_number],
    ({ user_id }) => `/users/${user_id}`,
  ),
  kind(
    ({ tables }) => tables.instructions,
    (it) => [it.id, it.address],
    ({ user_id }) => `/users/${user_id}`,
  ),
  kind(
    ({ tables }) => tables.wallets,
    (it) => [it.id, it.customer_wallet_ref, it.wallet_address],
    ({ user_id }) => `/wallets?user_id=${user_id}`,
  ),
  kind(
    ({ tables }) => tables.deposits,
    (it) => [it.id, it.address],
    ({ id }, place) =>
      `/deposits?matched=all&page=${Math.floor(place / ROWS)}#${depositAnchor(id)}`,
  ),
  kind(
    ({ tables }) => tables.consents,
    (it) => [it.id],
    ({ used_by }) => (used_by === null ? undefined : `/users/${used_by}`),
  ),
  kind(
    ({ tables }) => tables.api_keys,
    (it) => [it.id],
    () => '/api-keys',
  ),
]

export const depositAnchor = (id: string): string => `deposit-${id}`

/** Prefers an exact match of any kind to a partial one. */
export const findPage = (ctx: PageContext, text: string): SearchHit | undefined => {
  let first: SearchHit | undefined
  for (const look of KINDS) {
    const hit = look(ctx, text)
    if (hit?.near === 0) return hit
    if (hit) first = { page: first?.page ?? hit.page, near: hit.near + (first?.near ?? 0) }
  }
  return first
}
