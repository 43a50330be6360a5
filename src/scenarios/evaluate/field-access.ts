import type { Tables } from '../../domain/schema.js'
import type { Row } from '../../kernel/row.js'
import { getAt } from '../../lib/json.js'
import { ofTransfer } from '../language/fields.js'
import type { FieldReader } from '../language/match.js'

/** A record with its user and account, for conditions. */
export const readRecord =
  (tables: Tables, record: Row): FieldReader =>
  (field) => {
    if (field === 'user') return tables.users.get(text(record, 'user_id'))
    if (field === 'account') return tables.accounts.get(text(record, 'account_id'))
    return (record as unknown as Record<string, unknown>)[field]
  }

/** Amounts and status of an offramp are those of its transfer; the status is in lower case. */
export const readOfframp = (tables: Tables, offramp: Row): FieldReader => {
  const own = readRecord(tables, offramp)
  const transfer = tables.transfers.get(text(offramp, 'transfer_id'))
  return (field) => {
    if (!Object.hasOwn(ofTransfer, field)) return own(field)
    const value = transfer?.[ofTransfer[field as keyof typeof ofTransfer]]
    return field === 'status' ? value?.toLowerCase() : value
  }
}

/** A request for rules. The body is not validated yet. */
export interface Incoming {
  /** Null for unknown operations. */
  readonly operation: string | null
  readonly method: string
  readonly path: string
  readonly body: unknown
  readonly params: () => Readonly<Record<string, string>>
  readonly query: () => Readonly<Record<string, unknown>>
  readonly headers: () => Readonly<Record<string, string>>
}

/** A request with the user and account that its body or path names. */
export const readRequest =
  (tables: Tables, incoming: Incoming): FieldReader =>
  (field) => {
    // The service accepts ids in any case; records have lower case.
    const named = (id: string) =>
      (text(incoming.body, id) || text(incoming.params(), id)).toLowerCase()
    if (field === 'user') return tables.users.get(named('user_id'))
    if (field === 'account') return tables.accounts.get(named('account_id'))
    const value = incoming[field as keyof Incoming]
    return typeof value === 'function' ? value() : value
  }

const text = (object: unknown, field: string): string => {
  const value =
    typeof object === 'object' && object !== null
      ? (object as Record<string, unknown>)[field]
      : undefined
  return typeof value === 'string' ? value : ''
}

export const valueIn = (reader: FieldReader, path: string): unknown => {
  const [first = '', ...rest] = path.split('.')
  return getAt(reader(first), rest)
}
