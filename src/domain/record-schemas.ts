import * as z from 'zod'
import { CHAIN_FAMILIES } from './addresses.js'
import { DECIMALS, MAX_DECIMALS } from './chains.js'
import { fiatDecimals } from './currencies.js'
import {
  type Account,
  type Address,
  type ApiKey,
  type Chain,
  type Consent,
  type Deposit,
  type DepositAddress,
  KEY_PERMISSIONS,
  KEY_STATUSES,
  MATCHED,
  type Offramp,
  PAYOUT_STATUSES,
  type Payout,
  type Rail,
  type Rate,
  type Recipient,
  type RejectionReason,
  type Token,
  TRANSFER_KINDS,
  TRANSFER_STATUSES,
  type Transfer,
  type TransferSource,
  USER_STATUSES,
  type User,
  type UserDocument,
  type Wallet,
} from './schema.js'

type Optional<R> = { [Field in keyof R]: undefined extends R[Field] ? Field : never }[keyof R]
/** Names every field, so that no schema misses a field of its type. */
type Fields<R> = { readonly [Field in Exclude<keyof R, Optional<R> | 'n'>]: z.ZodType }

interface RecordSchemas {
  readonly chains: Fields<Chain>
  readonly tokens: Fields<Omit<Token, 'id'>>
  readonly rails: Fields<Rail>
  readonly rates: Fields<Omit<Rate, 'id'>>
  readonly api_keys: Fields<Omit<ApiKey, 'hash' | 'last_four'>>
  readonly consents: Fields<Consent>
  readonly users: Fields<User>
  readonly accounts: Fields<Account>
  readonly wallets: Fields<Wallet>
  readonly instructions: Fields<DepositAddress>
  readonly offramps: Fields<Offramp>
  readonly transfers: Fields<Transfer>
  readonly payouts: Fields<Payout>
  readonly deposits: Fields<Deposit>
}

const matching = (pattern: RegExp, expected: string) => z.string(expected).regex(pattern, expected)

const UUID = 'a UUID such as 11111111-1111-4111-8111-000000000001'
const TEXT = 'text of 1 to 255 characters'
const CURRENCY = 'an active ISO 4217 code in upper case such as "EUR"'
// A token with the code of a currency would be counted as both.
const TOKEN = 'a token symbol in upper case such as "USDC", which is no currency'
const ASSET =
  'an active ISO 4217 code in upper case such as "EUR", or a token symbol such as "USDC"'
const INSTANT = 'a UTC date-time with milliseconds such as 2026-01-31T09:30:00.000Z'
const COUNT = 'a whole number, zero or more'

const isCurrency = (code: string): boolean => fiatDecimals(code) !== undefined
export const id = z.guid(UUID).toLowerCase()
export const instant = z.iso.datetime({ precision: 3, error: INSTANT })
const asAsset = { kind: 'asset' } as const
export const currency = z.string(CURRENCY).refine(isCurrency, CURRENCY).meta(asAsset)
export const amount = matching(
  /^\d{1,15}(\.\d{1,18})?$/,
  'a decimal amount as a string such as "12.50"',
).meta({ kind: 'amount' })
export const chain = matching(
  /^[a-z0-9-]{2,32}$/,
  'a chain name in lower case such as "polygon"',
).meta(asAsset)
export const nullable = (schema: z.ZodType) => schema.nullable().default(null)
export const text = z.string(TEXT).min(1, TEXT).max(255, TEXT)
const token = matching(/^[A-Z0-9]{2,10}$/, TOKEN)
  .refine((symbol) => !isCurrency(symbol), TOKEN)
  .meta(asAsset)
export const asset = z.union([currency, token], ASSET).meta(asAsset)
const sha256 = matching(/^[0-9a-f]{64}$/, 'a SHA-256 as 64 hex digits in lower case')
const count = z.int(COUNT).min(0, COUNT)
const decimals = z.int(DECIMALS).min(0, DECIMALS).max(MAX_DECIMALS, DECIMALS)

const OWNER = 'The user that it belongs to'
const CRYPTO = 'Token, such as USDC'
const CHAIN = 'Network, such as polygon'
const AMOUNT = 'Amount; a number compares as a decimal'

const own_id = id.describe('Identifier')
const user_id = id.describe(OWNER)
const account_id = id.describe('The destination account')
const fiat = currency.describe('ISO 4217 in any case, such as NGN')
const bank_name = text.describe('Name of the bank')
const account_holder_name = text.describe('Name of the holder')
const reason = nullable(text).describe('Why it failed, was cancelled, or is unmatched')
const created_at = instant.describe('When it was created, ISO 8601')
const updated_at = instant.describe('When it last changed, ISO 8601')

/** The fields of records that fixtures may have; scenarios can name those with a description. */
export const recordFields = {
  chains: { id: chain, name: text, family: z.enum(CHAIN_FAMILIES) },
  tokens: { symbol: token, chain, contract_address: text, decimals },
  rails: {
    id: text,
    name: text,
    currency,
    payout_fee: amount,
    transfer_fee: amount,
    providers: z.array(text).default([]),
  },
  rates: { base: asset, quote: currency, rate: amount },
  api_keys: {
    id,
    name: text,
    permissions: z.enum(KEY_PERMISSIONS),
    status: z.enum(KEY_STATUSES),
    expires_at: nullable(instant),
    created_at: instant,
  },
  consents: {
    id: own_id,
    accepted_at: instant.describe('When the terms were accepted, ISO 8601'),
    used_by: nullable(id).describe('The user created with it; null without one'),
    created_at,
  },
  users: {
    id: own_id,
    status: z.enum(USER_STATUSES).describe('Status'),
    first_name: text.describe('First name'),
    last_name: text.describe('Last name'),
    email_address: z.email('an email address such as ada@example.com').describe('Email address'),
    phone_number: text.describe('Phone number in international format'),
    user_type: z.literal('individual').default('individual').describe('individual'),
    date_of_birth: z.iso.date('a real date as YYYY-MM-DD').describe('YYYY-MM-DD'),
    consent_id: id.describe('The consent of the user'),
    sharing_consent: z.boolean().default(true).describe('Whether the user agreed to sharing'),
    identity_country_code: text.describe(
      'Country that issued the identity document, three letters',
    ),
    documents: z.array(
      z.strictObject({
        name: text,
        type: text,
        issuing_country: text,
        document_number: text,
        image: nullable(z.strictObject({ media_type: text, bytes: count, sha256 })),
      } satisfies Fields<UserDocument>),
    ),
    address: z
      .strictObject({
        line1: text.describe('Street and number'),
        line2: nullable(text).describe('Second line'),
        city: text.describe('City'),
        country: text.describe('Country, three letters'),
        region: nullable(text).describe('Region'),
        sub_division: text.describe('State, province or county'),
        postal_code: text.describe('Postal code'),
      } satisfies Fields<Address>)
      .describe('Address of the user'),
    metadata: nullable(z.string('a string')).describe('Metadata of the client, JSON as text'),
    rejection_reasons: nullable(
      z.array(
        z.strictObject({
          reason: text,
          timestamp: instant,
          developer_reason: text,
        } satisfies Fields<RejectionReason>),
      ),
    ),
    requirements: nullable(z.array(text)),
    created_at,
    updated_at,
  },
  accounts: {
    id: own_id,
    user_id,
    account_type: z
      .literal('bank_account')
      .default('bank_account')
      .describe('Kind of account, such as bank_account'),
    currency: fiat,
    account_holder_name,
    account_number: text.describe('Number of the account'),
    bank_name,
    bic: text.describe('BIC of the bank'),
    nickname: text.describe('Name given by the user'),
    crypto: nullable(token).describe(CRYPTO),
    chain: nullable(chain).describe(CHAIN),
    created_at,
  },
  wallets: {
    id: own_id,
    user_id,
    blockchain: chain.describe(CHAIN),
    status: z.enum(['ACTIVE']).default('ACTIVE').describe('Status'),
    wallet_address: text.describe('Address of the wallet'),
    customer_wallet_ref: id.describe('The client’s id of the wallet'),
    created_at,
  },
  instructions: {
    id: own_id,
    user_id,
    account_id,
    address: text.describe('Address for crypto'),
    crypto: token.describe(CRYPTO),
    chain: chain.describe(CHAIN),
    created_at,
  },
  offramps: {
    id: own_id,
    user_id,
    account_id,
    instruction_id: id.describe('The deposit address'),
    transfer_id: id.describe('The transfer that has its amounts and status'),
    blockchain: chain.describe(CHAIN),
    created_at,
  },
  transfers: {
    id: own_id,
    kind: z.enum(TRANSFER_KINDS).describe('offramp or bank'),
    user_id,
    account_id,
    source_currency: asset.describe('Currency or token sent, in any case'),
    source_asset: text,
    source_amount: amount.describe('Amount sent'),
    target_currency: currency.describe('Currency received, in any case'),
    destination_amount: amount.describe('Amount received, after fees'),
    exchange_rate: amount.describe('Target units for one source unit'),
    fees: amount.describe('Fees, in the target currency'),
    source: z.strictObject({
      sender_name: text,
      account_type: text,
      masked_details: text,
      payment_rail: text,
    } satisfies Fields<TransferSource>),
    payment_rail: text.describe('Rail of the payment, such as SEPA'),
    status: z.enum(TRANSFER_STATUSES).describe('Status'),
    reached: z.partialRecord(z.enum(TRANSFER_STATUSES), instant),
    reason,
    bank_txn_reference: nullable(id).describe('Reference of the bank; null until it is submitted'),
    created_at,
    updated_at,
  },
  payouts: {
    id: own_id,
    user_id,
    customer_payout_id: id.describe('The client’s id of the payout'),
    currency: fiat,
    amount: amount.describe(AMOUNT),
    rail: text.describe('Rail of the payout, such as NIP'),
    rail_fee: amount.describe('Fee of the rail'),
    reference: nullable(text).describe('Reference of the rail; null until it is processed'),
    status: z.enum(PAYOUT_STATUSES).describe('Status'),
    reason,
    account_details: z
      .strictObject({
        bank_name,
        account_holder_name,
        recipient_account_number: text.describe('Account number of the recipient'),
      } satisfies Fields<Recipient>)
      .describe('The account of the recipient'),
    created_at,
    updated_at,
  },
  deposits: {
    id: own_id,
    address: text.describe('Address for crypto'),
    crypto: token.describe(CRYPTO),
    chain: chain.describe(CHAIN),
    amount: amount.describe(AMOUNT),
    matched: z.enum(MATCHED).describe('offramp, wallet or unmatched'),
    reason,
    user_id: nullable(id).describe(OWNER),
    wallet_id: nullable(id).describe('The custody wallet'),
    offramp_id: nullable(id).describe('The offramp of the deposit'),
    transfer_id: nullable(id).describe('The transfer of the deposit'),
    created_at,
  },
} satisfies RecordSchemas
