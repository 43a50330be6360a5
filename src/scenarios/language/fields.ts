import {
  type Account,
  type Consent,
  type Deposit,
  type DepositAddress,
  MATCHED,
  type Offramp,
  PAYOUT_STATUSES,
  type Payout,
  TRANSFER_KINDS,
  TRANSFER_STATUSES,
  type Transfer,
  USER_STATUSES,
  type User,
  type Wallet,
} from '../../domain/schema.js'
import type { Field, Fields, Kind } from './conditions.js'
import { isInBody, operationIds } from './operations.js'

/** The fields that conditions can name. */

type Words = readonly [string, ...string[]]

const value = (description: string, words?: Words): Field => ({ kind: 'value', description, words })
const amount = (description: string): Field => ({ kind: 'amount', description })
const asset = (description: string): Field => ({ kind: 'asset', description })

/** Fields of a record, and the records that it names by id. */
type FieldsOf<R> = { readonly [K in keyof R | 'user' | 'account']?: Field }

const id = value('Identifier')
const user_id = value('The user that it belongs to')
const account_id = value('The destination account')
const wallet_id = value('The custody wallet')
const instruction_id = value('The deposit address')
const created_at = value('When it was created, ISO 8601')
const updated_at = value('When it last changed, ISO 8601')
const reason = value('Why it failed, was cancelled, or is unmatched')
const crypto = asset('Token, such as USDC')
const chain = asset('Network, such as polygon')
const currency = asset('ISO 4217 in any case, such as NGN')
const account_holder_name = value('Name of the holder')
const bank_name = value('Name of the bank')
const address = value('Address of the user, or for crypto')
const exchange_rate = amount('Target units for one source unit')
const anyAmount = amount('Amount; a number compares as a decimal')

const addressParts: FieldsOf<User['address']> = {
  line1: value('Street and number'),
  line2: value('Second line'),
  city: value('City'),
  country: value('Country, three letters'),
  region: value('Region'),
  sub_division: value('State, province or county'),
  postal_code: value('Postal code'),
}

const users = {
  id,
  status: value('Status', USER_STATUSES),
  first_name: value('First name'),
  last_name: value('Last name'),
  email_address: value('Email address'),
  phone_number: value('Phone number in international format'),
  user_type: value('individual'),
  date_of_birth: value('YYYY-MM-DD'),
  consent_id: value('The consent of the user'),
  sharing_consent: value('Whether the user agreed to sharing'),
  identity_country_code: value('Country that issued the identity document, three letters'),
  metadata: value('Metadata of the client, JSON as text'),
  created_at,
  updated_at,
  address: { ...address, kind: addressParts as Fields },
} as const satisfies FieldsOf<User>
const user: Field = { ...user_id, kind: users }

const accounts = {
  id,
  user_id,
  account_type: value('Kind of account, such as bank_account'),
  currency,
  account_holder_name,
  account_number: value('Number of the account'),
  bank_name,
  bic: value('BIC of the bank'),
  nickname: value('Name given by the user'),
  crypto,
  chain,
  created_at,
} as const satisfies FieldsOf<Account>
const account: Field = { ...account_id, kind: accounts }

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
  consents: {
    id,
    accepted_at: value('When the terms were accepted, ISO 8601'),
    used_by: value('The user created with it; null without one'),
    created_at,
  } satisfies FieldsOf<Consent>,
  users,
  accounts: { ...accounts, user },
  wallets: {
    id,
    user_id,
    blockchain: chain,
    status: value('Status', ['ACTIVE']),
    wallet_address: value('Address of the wallet'),
    customer_wallet_ref: value('The client’s id of the wallet'),
    created_at,
    user,
  } satisfies FieldsOf<Wallet>,
  instructions: {
    id,
    user_id,
    account_id,
    address,
    crypto,
    chain,
    created_at,
    user,
    account,
  } satisfies FieldsOf<DepositAddress>,
  offramps: {
    id,
    user_id,
    account_id,
    instruction_id,
    transfer_id: value('The transfer that has its amounts and status'),
    blockchain: chain,
    created_at,
    crypto_currency: asset('Token that arrived, in any case'),
    crypto_amount: amount('Amount that arrived'),
    fiat_currency: asset('Currency of the payment, in any case'),
    fiat_amount: amount('Amount paid out, after fees'),
    exchange_rate,
    status: value('That of its transfer, in lower case', offrampStatuses),
    reason,
    user,
    account,
  } satisfies FieldsOf<Offramp & typeof ofTransfer>,
  deposits: {
    id,
    address,
    crypto,
    chain,
    amount: anyAmount,
    matched: value('offramp, wallet or unmatched', MATCHED),
    reason,
    user_id,
    wallet_id,
    offramp_id: value('The offramp of the deposit'),
    transfer_id: value('The transfer of the deposit'),
    created_at,
    user,
  } satisfies FieldsOf<Deposit>,
  transfers: {
    id,
    kind: value('offramp or bank', TRANSFER_KINDS),
    user_id,
    account_id,
    source_currency: asset('Currency or token sent, in any case'),
    source_amount: amount('Amount sent'),
    target_currency: asset('Currency received, in any case'),
    destination_amount: amount('Amount received, after fees'),
    exchange_rate,
    fees: amount('Fees, in the target currency'),
    payment_rail: value('Rail of the payment, such as SEPA'),
    status: value('Status', TRANSFER_STATUSES),
    reason,
    bank_txn_reference: value('Reference of the bank; null until it is submitted'),
    created_at,
    updated_at,
    user,
    account,
  } satisfies FieldsOf<Transfer>,
  payouts: {
    id,
    user_id,
    customer_payout_id: value('The client’s id of the payout'),
    currency,
    amount: anyAmount,
    rail: value('Rail of the payout, such as NIP'),
    rail_fee: amount('Fee of the rail'),
    reference: value('Reference of the rail; null until it is processed'),
    status: value('Status', PAYOUT_STATUSES),
    reason,
    created_at,
    updated_at,
    account_details: {
      description: 'The account of the recipient',
      kind: {
        bank_name,
        account_holder_name,
        recipient_account_number: value('Account number of the recipient'),
      } satisfies FieldsOf<Payout['account_details']>,
    },
    user,
  } satisfies FieldsOf<Payout>,
} as const satisfies Record<string, Fields>
export type Noun = keyof typeof subjectFields

const withShown = <F extends { readonly status: Field }>(fields: F) => ({
  ...fields,
  shown: { ...fields.status, description: 'A status that a delivered response showed' },
})

/** Fields of a record at the end. Only the request log knows what the client saw. */
export const recordFields = {
  ...subjectFields,
  users: withShown(users),
  transfers: withShown(subjectFields.transfers),
  payouts: withShown(subjectFields.payouts),
}

export const balanceFields: Fields = { user_id, currency, amount: anyAmount, user }

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
