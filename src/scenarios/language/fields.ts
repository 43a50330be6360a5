import type {
  Account,
  Consent,
  Deposit,
  DepositAddress,
  Offramp,
  Payout,
  Transfer,
  User,
  Wallet,
} from '../../domain/schema.js'

/**
 * Fields of conditions and their kinds: a plain value, an amount, a currency, token or chain (in
 * any case), headers, query parameters, a status of a response, any content, or nested fields.
 */
export interface Fields {
  readonly [name: string]:
    | 'value'
    | 'amount'
    | 'asset'
    | 'headers'
    | 'query'
    | 'http_status'
    | 'any'
    | Fields
}

/** Creates fields of one kind. */
const fieldsOf =
  <F extends 'value' | 'amount' | 'asset'>(kind: F) =>
  <R>() =>
  <K extends keyof R & string>(...names: readonly K[]) =>
    Object.fromEntries(names.map((name) => [name, kind])) as Record<K, F>

const values = fieldsOf('value')
/** Overrides `values` without changing the order of fields. */
const amounts = fieldsOf('amount')
/** Fields that name a currency, a token or a chain. */
const assets = fieldsOf('asset')

const address = values<User['address']>()(
  'line1',
  'line2',
  'city',
  'country',
  'region',
  'sub_division',
  'postal_code',
)

const users = {
  ...values<User>()(
    'id',
    'status',
    'first_name',
    'last_name',
    'email_address',
    'phone_number',
    'user_type',
    'date_of_birth',
    'consent_id',
    'sharing_consent',
    'identity_country_code',
    'metadata',
    'created_at',
    'updated_at',
  ),
  address,
}

const accounts = {
  ...values<Account>()(
    'id',
    'user_id',
    'account_type',
    'currency',
    'account_holder_name',
    'account_number',
    'bank_name',
    'bic',
    'nickname',
    'crypto',
    'chain',
    'created_at',
  ),
  ...assets<Account>()('currency', 'crypto', 'chain'),
}

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

const names = <R extends object>(record: R) => Object.keys(record) as (keyof R & string)[]

/** Fields of a record, its user and its account. */
export const subjectFields = {
  consents: values<Consent>()('id', 'accepted_at', 'used_by', 'created_at'),
  users,
  accounts: { ...accounts, user: users },
  wallets: {
    ...values<Wallet>()(
      'id',
      'user_id',
      'blockchain',
      'status',
      'wallet_address',
      'customer_wallet_ref',
      'created_at',
    ),
    ...assets<Wallet>()('blockchain'),
    user: users,
  },
  instructions: {
    ...values<DepositAddress>()(
      'id',
      'user_id',
      'account_id',
      'address',
      'crypto',
      'chain',
      'created_at',
    ),
    ...assets<DepositAddress>()('crypto', 'chain'),
    user: users,
    account: accounts,
  },
  offramps: {
    ...values<Offramp>()(
      'id',
      'user_id',
      'account_id',
      'instruction_id',
      'transfer_id',
      'blockchain',
      'created_at',
    ),
    ...values<typeof ofTransfer>()(...names(ofTransfer)),
    ...assets<Offramp & typeof ofTransfer>()('blockchain', 'crypto_currency', 'fiat_currency'),
    ...amounts<typeof ofTransfer>()('crypto_amount', 'fiat_amount', 'exchange_rate'),
    user: users,
    account: accounts,
  },
  deposits: {
    ...values<Deposit>()(
      'id',
      'address',
      'crypto',
      'chain',
      'amount',
      'matched',
      'reason',
      'user_id',
      'wallet_id',
      'offramp_id',
      'transfer_id',
      'created_at',
    ),
    ...assets<Deposit>()('crypto', 'chain'),
    ...amounts<Deposit>()('amount'),
    user: users,
  },
  transfers: {
    ...values<Transfer>()(
      'id',
      'kind',
      'user_id',
      'account_id',
      'source_currency',
      'source_amount',
      'target_currency',
      'destination_amount',
      'exchange_rate',
      'fees',
      'payment_rail',
      'status',
      'reason',
      'bank_txn_reference',
      'created_at',
      'updated_at',
    ),
    ...assets<Transfer>()('source_currency', 'target_currency'),
    ...amounts<Transfer>()('source_amount', 'destination_amount', 'exchange_rate', 'fees'),
    user: users,
    account: accounts,
  },
  payouts: {
    ...values<Payout>()(
      'id',
      'user_id',
      'customer_payout_id',
      'currency',
      'amount',
      'rail',
      'rail_fee',
      'reference',
      'status',
      'reason',
      'created_at',
      'updated_at',
    ),
    ...assets<Payout>()('currency'),
    ...amounts<Payout>()('amount', 'rail_fee'),
    account_details: values<Payout['account_details']>()(
      'bank_name',
      'account_holder_name',
      'recipient_account_number',
    ),
    user: users,
  },
} as const satisfies Record<string, Fields>
export type Noun = keyof typeof subjectFields

/** Fields of a fiat balance. */
export const balanceFields = {
  user_id: 'value',
  currency: 'asset',
  amount: 'amount',
  user: users,
} as const satisfies Fields

/** Fields of a request; `user` and `account` are those that it names by id. */
export const requestFields = {
  operation: 'value',
  method: 'value',
  path: 'value',
  params: 'any',
  query: 'query',
  headers: 'headers',
  body: 'any',
  user: users,
  account: accounts,
} as const satisfies Fields

/** Whether a field can have any content. */
const isOpen = (kind: Fields[string]): boolean =>
  kind === 'any' || kind === 'headers' || kind === 'query'

/** Whether a dotted path names a known field. */
export const isField = (fields: Fields, path: string): boolean => {
  const [first = '', ...rest] = path.split('.')
  const kind = Object.hasOwn(fields, first) ? fields[first] : undefined
  if (kind === undefined) return false
  if (typeof kind === 'object') return rest.length > 0 && isField(kind, rest.join('.'))
  return isOpen(kind) || rest.length === 0
}
