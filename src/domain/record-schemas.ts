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
export const currency = z.string(CURRENCY).refine(isCurrency, CURRENCY)
export const amount = matching(
  /^\d{1,15}(\.\d{1,18})?$/,
  'a decimal amount as a string such as "12.50"',
)
export const chain = matching(/^[a-z0-9-]{2,32}$/, 'a chain name in lower case such as "polygon"')
export const nullable = (schema: z.ZodType) => schema.nullable().default(null)
export const text = z.string(TEXT).min(1, TEXT).max(255, TEXT)
const token = matching(/^[A-Z0-9]{2,10}$/, TOKEN).refine((symbol) => !isCurrency(symbol), TOKEN)
export const asset = z.union([currency, token], ASSET)
const sha256 = matching(/^[0-9a-f]{64}$/, 'a SHA-256 as 64 hex digits in lower case')
const count = z.int(COUNT).min(0, COUNT)
const decimals = z.int(DECIMALS).min(0, DECIMALS).max(MAX_DECIMALS, DECIMALS)

/** The fields of records that fixtures may have. Other fields come from commands. */
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
    id,
    accepted_at: instant,
    used_by: nullable(id),
    created_at: instant,
  },
  users: {
    id,
    status: z.enum(USER_STATUSES),
    first_name: text,
    last_name: text,
    email_address: z.email('an email address such as ada@example.com'),
    phone_number: text,
    user_type: z.literal('individual').default('individual'),
    date_of_birth: z.iso.date('a real date as YYYY-MM-DD'),
    consent_id: id,
    sharing_consent: z.boolean().default(true),
    identity_country_code: text,
    documents: z.array(
      z.strictObject({
        name: text,
        type: text,
        issuing_country: text,
        document_number: text,
        image: nullable(z.strictObject({ media_type: text, bytes: count, sha256 })),
      } satisfies Fields<UserDocument>),
    ),
    address: z.strictObject({
      line1: text,
      line2: nullable(text),
      city: text,
      country: text,
      region: nullable(text),
      sub_division: text,
      postal_code: text,
    } satisfies Fields<Address>),
    metadata: nullable(z.string('a string')),
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
    created_at: instant,
    updated_at: instant,
  },
  accounts: {
    id,
    user_id: id,
    account_type: z.literal('bank_account').default('bank_account'),
    currency,
    account_holder_name: text,
    account_number: text,
    bank_name: text,
    bic: text,
    nickname: text,
    crypto: nullable(token),
    chain: nullable(chain),
    created_at: instant,
  },
  wallets: {
    id,
    user_id: id,
    blockchain: chain,
    status: z.literal('ACTIVE').default('ACTIVE'),
    wallet_address: text,
    customer_wallet_ref: id,
    created_at: instant,
  },
  instructions: {
    id,
    user_id: id,
    account_id: id,
    address: text,
    crypto: token,
    chain,
    created_at: instant,
  },
  offramps: {
    id,
    user_id: id,
    account_id: id,
    instruction_id: id,
    transfer_id: id,
    blockchain: chain,
    created_at: instant,
  },
  payouts: {
    id,
    user_id: id,
    customer_payout_id: id,
    currency,
    amount,
    rail: text,
    rail_fee: amount,
    reference: nullable(text),
    status: z.enum(PAYOUT_STATUSES),
    reason: nullable(text),
    account_details: z.strictObject({
      bank_name: text,
      account_holder_name: text,
      recipient_account_number: text,
    } satisfies Fields<Recipient>),
    created_at: instant,
    updated_at: instant,
  },
  deposits: {
    id,
    address: text,
    crypto: token,
    chain,
    amount,
    matched: z.enum(MATCHED),
    reason: nullable(text),
    user_id: nullable(id),
    wallet_id: nullable(id),
    offramp_id: nullable(id),
    transfer_id: nullable(id),
    created_at: instant,
  },
} satisfies RecordSchemas
