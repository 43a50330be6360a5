import * as z from 'zod'
import { recordFields as ofRecords } from '../../domain/record-schemas.js'
import { TRANSFER_STATUSES, type Transfer } from '../../domain/schema.js'
import { innermost } from '../../lib/schema-fields.js'
import type { Field, Fields, Kind } from './conditions.js'
import { isInBody, operationIds } from './operations.js'

/** The fields that conditions can name. */

type Words = Field['words']

const value = (description: string, words?: Words): Field => ({ kind: 'value', description, words })

const toField = (schema: z.ZodType): Field => {
  const { description = '' } = schema
  const inner = innermost(schema)
  if (inner instanceof z.ZodObject) return { description, kind: toFields(inner.shape) }
  const words = inner instanceof z.ZodEnum ? (inner.options as unknown as Words) : undefined
  return { description, kind: (inner.meta()?.kind ?? 'value') as Kind, words }
}

/** Scenarios can name fields that have a description. */
const toFields = (shape: Readonly<Record<string, z.ZodType>>) =>
  Object.fromEntries(
    Object.entries(shape).flatMap(([name, schema]) =>
      schema.description === undefined ? [] : [[name, toField(schema)]],
    ),
  )

const { users, accounts, instructions, payouts, transfers } = ofRecords
/** Records that others name by id. */
const user = { ...toField(payouts.user_id), kind: toFields(users) }
const account = { ...toField(instructions.account_id), kind: toFields(accounts) }

/** Fields of an offramp that its transfer has: the contract's name, and the transfer's. */
export const ofTransfer = {
  crypto_currency: 'source_currency',
  crypto_amount: 'source_amount',
  fiat_currency: 'target_currency',
  fiat_amount: 'destination_amount',
  exchange_rate: 'exchange_rate',
  status: 'status',
  reason: 'reason',
} as const satisfies Record<string, keyof Transfer>

/** The contract writes statuses of offramps in lower case. */
const offrampStatuses = TRANSFER_STATUSES.map((it) => it.toLowerCase()) as [string, ...string[]]

export const subjectFields = {
  consents: toFields(ofRecords.consents),
  users: toFields(users),
  accounts: { ...toFields(accounts), user },
  wallets: { ...toFields(ofRecords.wallets), user },
  instructions: { ...toFields(instructions), user, account },
  offramps: {
    ...toFields(ofRecords.offramps),
    crypto_currency: { kind: 'asset', description: 'Token that arrived, in any case' },
    crypto_amount: { kind: 'amount', description: 'Amount that arrived' },
    fiat_currency: { kind: 'asset', description: 'Currency of the payment, in any case' },
    fiat_amount: { kind: 'amount', description: 'Amount paid out, after fees' },
    exchange_rate: toField(transfers.exchange_rate),
    status: value('That of its transfer, in lower case', offrampStatuses),
    reason: toField(transfers.reason),
    user,
    account,
  },
  deposits: { ...toFields(ofRecords.deposits), user },
  transfers: { ...toFields(transfers), user, account },
  payouts: { ...toFields(payouts), user },
} satisfies Record<string, Fields>
export type Noun = keyof typeof subjectFields

const withShown = (fields: Fields) => {
  const shown = { ...fields.status, description: 'A status that a delivered response showed' }
  return { ...fields, shown } as Fields
}

/** Fields of a record at the end. Only the request log knows what the client saw. */
export const recordFields = {
  ...subjectFields,
  users: withShown(subjectFields.users),
  transfers: withShown(subjectFields.transfers),
  payouts: withShown(subjectFields.payouts),
}

export const balanceFields: Fields = {
  user_id: toField(payouts.user_id),
  currency: toField(payouts.currency),
  amount: toField(payouts.amount),
  user,
}

const operation = value('The operation, such as createPayout', operationIds)
const method = value('GET, POST …')
const path = value('The path of the request')
const query: Field = {
  kind: 'query',
  description: 'Query parameters, by name; one value of a repeated parameter has to match',
}
const headers: Field = { kind: 'headers', description: 'Headers, by name in any case' }
const body: Field = { kind: 'any', description: 'The body of the request, before validation' }

/** Fields of a request; `user` and `account` are those that it names by id. */
export const requestFields: Fields = {
  operation,
  method,
  path,
  params: { kind: 'any', description: 'Path parameters, by name' },
  query,
  headers,
  body,
  user,
  account,
}

/** Fields of a request in the log, answered or not. */
export const exchangeFields: Fields = {
  operation,
  method,
  path,
  query,
  status: { kind: 'http_status', description: 'HTTP status of the response' },
  user_id: value('The user that the request names'),
  fault: value(
    'The rule that made, altered or delayed the response, as <scenario>/<rule>; else null',
  ),
  aborted: value('True if the client left before the response'),
  headers,
  body,
  response: { kind: 'any', description: 'The body of the response' },
}

const isOpen = (kind: Kind): boolean => kind === 'any' || kind === 'headers' || kind === 'query'

/** Whether a dotted path names a known field. */
export const isField = (fields: Fields, path: string): boolean => {
  const [first = '', ...rest] = path.split('.')
  const { kind } = (Object.hasOwn(fields, first) && fields[first]) || {}
  if (kind === undefined) return false
  if (typeof kind === 'object') return rest.length > 0 && isField(kind, rest.join('.'))
  return first === 'body' ? isInBody(rest) : isOpen(kind) || rest.length === 0
}
