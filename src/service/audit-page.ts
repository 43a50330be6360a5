import { type Page, showPagination } from '../contract/audit.js'
import { ok, type Reply } from '../http/operation.js'
import type { Row, Table } from '../world/kernel/table.js'
import { userOf } from '../world/users.js'
import type { Tables } from '../world/world.js'

/** One page of what a table lists for a user, the newest first; refuses an unknown user. */
export const auditPage = <R extends Row>(
  tables: Tables,
  table: Table<R, 'all' | 'user'>,
  user_id: string,
  page: Page,
  show: (record: R) => object,
): Reply => {
  const { id } = userOf(tables, user_id)
  return ok({
    user_id: id,
    transactions: table.page('user', id, page.page, page.size).map(show),
    pagination: showPagination(page, table.count('user', id)),
  })
}
