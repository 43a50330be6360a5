import * as z from 'zod'
import { KEY_PERMISSIONS, KEY_STATUSES } from '../world/api-keys.js'
import { PAYOUT_STATUSES } from '../world/payouts.js'
import { TRANSFER_STATUSES } from '../world/transfers.js'
import { USER_STATUSES } from '../world/users.js'
import { commands, type TableName } from '../world/world.js'

/** What records look like in a file. Rules that hold between records are none of this. */

const AMOUNT = 'an amount as a string, such as "12.50", zero or more'
const INSTANT = 'a UTC date-time with milliseconds such as 2026-01-31T09:30:00.000Z'
const MS = 'a whole number of milliseconds'
const COUNT = 'a whole number, zero or more'

const text = z.string('a string')
const maybe = text.nullable()
const instant = z.iso.datetime({ precision: 3, error: INSTANT })
const amount = z.string(AMOUNT).regex(/^\d+(\.\d+)?$/, AMOUNT)
const ms = z.int(MS)
const count = z.int(COUNT).min(0, COUNT)
const list = z.array(text, 'a list of strings')

const record = <S extends z.core.$ZodLooseShape>(shape: S) =>
  z.strictObject(
    {
      id: z.string('an id').min(1, 'an id'),
      n: z.int('a whole number').positive('a whole number above zero'),
      scenarios: list.optional(),
      ...shape,
    },
    'a record',
  )

const image = z.strictObject({ media_type: text, bytes: count, sha256: text })
const document = z.strictObject({
  name: text,
  type: text,
  issuing_country: text,
  document_number: text,
  image: image.nullable(),
})
const address = z.strictObject({
  line1: text,
  line2: maybe,
  city: text,
  country: text,
  region: maybe,
  sub_division: text,
  postal_code: text,
})
const rejection = z.strictObject({ reason: text, timestamp: instant, developer_reason: text })
const recipient = z.strictObject({
  bank_name: text,
  account_holder_name: text,
  recipient_account_number: text,
})
const source = z.strictObject({
  sender_name: text,
  account_type: text,
  masked_details: text,
  payment_rail: text,
})
const movement = z.strictObject({ from: text, to: text, asset: text, amount })
const plannedStep = z.strictObject({
  after_ms: ms,
  after_reads: count.optional(),
  command: text.refine((name) => Object.hasOwn(commands, name), 'the name of a command'),
  input: z.looseObject({}),
})
const plan = z.strictObject({
  subject: text,
  scenario: text,
  rule: count,
  source: text,
  steps: z.array(plannedStep),
  scenarios: list.optional(),
  key: text.optional(),
})

export const recordShapes: Readonly<Record<TableName, z.ZodType>> = {
  chains: record({ name: text, family: z.enum(['evm', 'solana', 'tron']) }),
  tokens: record({ symbol: text, chain: text, contract_address: text, decimals: count }),
  rails: record({
    currency: text,
    name: text,
    payout_fee: amount,
    transfer_fee: amount,
    providers: list,
  }),
  rates: record({ base: text, quote: text, rate: amount }),
  api_keys: record({
    name: text,
    hash: z.string().regex(/^[0-9a-f]{64}$/, 'a SHA-256 as 64 hex digits in lower case'),
    last_four: text,
    permissions: z.enum(KEY_PERMISSIONS),
    status: z.enum(KEY_STATUSES),
    expires_at: instant.nullable(),
    created_at: instant,
  }),
  consents: record({ accepted_at: text, used_by: maybe, created_at: instant }),
  users: record({
    status: z.enum(USER_STATUSES),
    first_name: text,
    last_name: text,
    email_address: text,
    phone_number: text,
    user_type: z.literal('individual'),
    date_of_birth: text,
    consent_id: text,
    sharing_consent: z.boolean(),
    identity_country_code: text,
    documents: z.array(document),
    address,
    metadata: maybe,
    rejection_reasons: z.array(rejection).nullable(),
    requirements: list.nullable(),
    created_at: instant,
    updated_at: instant,
  }),
  accounts: record({
    user_id: text,
    account_type: z.literal('bank_account'),
    currency: text,
    account_holder_name: text,
    account_number: text,
    bank_name: text,
    bic: text,
    nickname: text,
    crypto: maybe,
    chain: maybe,
    created_at: instant,
  }),
  wallets: record({
    user_id: text,
    blockchain: text,
    status: z.literal('ACTIVE'),
    wallet_address: text,
    customer_wallet_ref: text,
    created_at: instant,
  }),
  instructions: record({
    user_id: text,
    account_id: text,
    address: text,
    crypto: text,
    chain: text,
    created_at: instant,
  }),
  offramps: record({
    user_id: text,
    account_id: text,
    instruction_id: text,
    transfer_id: text,
    blockchain: text,
    created_at: instant,
  }),
  transfers: record({
    kind: z.enum(['offramp', 'bank']),
    user_id: text,
    account_id: text,
    source_currency: text,
    source_asset: text,
    source_amount: amount,
    target_currency: text,
    destination_amount: amount,
    exchange_rate: amount,
    fees: amount,
    source,
    payment_rail: text,
    status: z.enum(TRANSFER_STATUSES),
    reached: z.partialRecord(z.enum(TRANSFER_STATUSES), instant),
    reason: maybe,
    bank_txn_reference: maybe,
    created_at: instant,
    updated_at: instant,
  }),
  payouts: record({
    user_id: text,
    customer_payout_id: text,
    currency: text,
    amount,
    rail: text,
    rail_fee: amount,
    reference: maybe,
    status: z.enum(PAYOUT_STATUSES),
    reason: maybe,
    account_details: recipient,
    created_at: instant,
    updated_at: instant,
  }),
  deposits: record({
    address: text,
    crypto: text,
    chain: text,
    amount,
    matched: z.enum(['offramp', 'wallet', 'unmatched']),
    reason: maybe,
    user_id: maybe,
    wallet_id: maybe,
    offramp_id: maybe,
    transfer_id: maybe,
    created_at: instant,
  }),
  ledger: record({ movements: z.array(movement) }),
  clock: record({
    id: z.literal('clock'),
    mode: z.enum(['real', 'manual', 'speed']),
    speed: z.number('zero or a number above it').min(0, 'zero or a number above it'),
    world_ms: ms,
    machine_ms: ms,
  }),
  posted: record({
    text,
    scenario: z.looseObject({ name: text, rules: z.array(z.looseObject({ when: text })) }),
  }),
  playlist: record({ id: z.literal('active'), names: list }),
  readings: record({ reading: text }),
  rule_counts: record({
    matched: count,
    fired: count,
    window_from: ms.nullable(),
    passed: count,
  }),
  timers: record({
    n: count,
    due: ms.nullable(),
    reads: count.optional(),
    plan,
    done: count,
    chain: count,
  }),
}
