import type { Row } from '../kernel/row.js'
import type { Table } from '../kernel/table.js'
import type { Tx } from './schema.js'

interface Owned extends Row {
  readonly user_id: string
}

export interface Doubled {
  /**
   * Runs beside another request with the same client id, and must not count as its repeat
   * (repeat.in_flight).
   */
  readonly doubled?: true
}

/**
 * The user's records with this client id, oldest first. Records of other users count too under
 * repeat.scope `account`; only then does the reading matter.
 */
export const findByClientId = <R extends Owned, Index extends string>(
  tx: Tx,
  table: Table<R, Index>,
  index: Index,
  id: string,
  user_id: string,
): readonly R[] => {
  if (table.count(index, id) === 0) return []
  const all = table.list(index, id)
  const own = all.filter((record) => record.user_id === user_id)
  return own.length === all.length || tx.useReading('repeat.scope') === 'account' ? all : own
}
