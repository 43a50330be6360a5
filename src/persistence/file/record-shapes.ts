import * as z from 'zod'
import { readingNames } from '../../assumptions/ids.js'
import { CHAIN_FAMILIES } from '../../domain/addresses.js'
import type { Posting } from '../../domain/balance-index.js'
import { DECIMALS, MAX_DECIMALS } from '../../domain/chains.js'
import { speedError } from '../../domain/clock.js'
import { fiatDecimals } from '../../domain/currencies.js'
import { Decimal } from '../../domain/decimal.js'
import { isRate, RATES } from '../../domain/fixtures/money.js'
import {
  type Address,
  type Clock,
  type Custody,
  type Draw,
  type ImageDigest,
  KEY_PERMISSIONS,
  KEY_STATUSES,
  MATCHED,
  type OriginalResponse,
  PAYOUT_STATUSES,
  type Recipient,
  type RejectionReason,
  ROUTING_READINGS,
  type TableName,
  type Tables,
  TRANSFER_KINDS,
  TRANSFER_STATUSES,
  type TransferSource,
  USER_STATUSES,
  type UserDocument,
} from '../../domain/schema.js'
import { commands } from '../../domain/world.js'
import type { Table } from '../../kernel/table.js'
import type { ActionPlan, ActionStep } from '../../kernel/timers.js'

/** What records look like in a file. Rules that hold between records are none of this. */

export type RecordOf<Name extends TableName> =
  Tables[Name] extends Table<infer R, infer _> ? R : never
/** A shape for every field that a type has, so that none is forgotten when one is added. */
type Fields<R> = { readonly [Field in keyof R]-?: z.ZodType }
/** What all records have alike, which some tables narrow. */
type Common = 'id' | 'n' | 'scenarios'
type Own<R> = Fields<Omit<R, Common>> & { readonly [Field in Common]?: z.ZodType }

const AMOUNT = 'an amount as a string, such as "12.50", zero or more'
const INSTANT = 'a UTC date-time with milliseconds such as 2026-01-31T09:30:00.000Z'
const MS = 'a whole number of milliseconds'
/** Beyond it there is no date. */
const MOST_MS = 8_640_000_000_000_000
const COUNT = 'a whole number, zero or more'

const text = z.string('a string')
const maybe = text.nullable()
const instant = z.iso.datetime({ precision: 3, error: INSTANT })
const DECIMAL = /^\d+(\.\d+)?$/
const amount = z.string(AMOUNT).regex(DECIMAL, AMOUNT)
const RATE = `a rate as a string, ${RATES}`
const rate = z.string(RATE).refine((it) => DECIMAL.test(it) && isRate(new Decimal(it)), RATE)
const ms = z.int(MS).max(MOST_MS, MS)
const CURRENCY = 'an active ISO 4217 code in upper case'
const currency = z.string(CURRENCY).refine((it) => fiatDecimals(it) !== undefined, CURRENCY)
const count = z.int(COUNT).min(0, COUNT)
const decimals = z.int(DECIMALS).min(0, DECIMALS).max(MAX_DECIMALS, DECIMALS)
const list = z.array(text, 'a list of strings')
/** What is said of few records, and then it is true. */
const isTrue = z.literal(true).optional()

/** Says what is wanted of what is no object; of fields that are none of its own it names them. */
export const named = <S extends z.ZodRawShape>(shape: S, what: string) =>
  z.strictObject(shape, {
    error: (issue) => (issue.code === 'unrecognized_keys' ? undefined : what),
  })

const object = <R>(shape: Fields<R>) => z.strictObject(shape)
const record = <Name extends TableName>(shape: Own<RecordOf<Name>>) =>
  named(
    {
      id: z.string('an id').min(1, 'an id'),
      n: z.int('a whole number').positive('a whole number above zero'),
      scenarios: list.optional(),
      ...shape,
    },
    'a record',
  )

const image = object<ImageDigest>({ media_type: text, bytes: count, sha256: text })
const document = object<UserDocument>({
  name: text,
  type: text,
  issuing_country: text,
  document_number: text,
  image: image.nullable(),
})
const address = object<Address>({
  line1: maybe,
  line2: maybe,
  city: maybe,
  country: maybe,
  region: maybe,
  sub_division: maybe,
  postal_code: maybe,
})
const rejection = object<RejectionReason>({
  reason: text,
  timestamp: instant,
  developer_reason: text,
})
const recipient = object<Recipient>({
  bank_name: text,
  account_holder_name: text,
  recipient_account_number: text,
})
const draws = z.array(object<Draw>({ wallet_id: text, asset: text, amount }))
const custody = object<Custody>({ amount: draws, fee: draws })
const reading = (id: Parameters<typeof readingNames>[0]) => z.enum(readingNames(id)).optional()
const first = object<OriginalResponse>({
  status: z.enum(['pending', 'processed']).optional(),
  statuses: reading('payout.statuses'),
  transitions: reading('payout.transitions'),
  times: reading('time.form'),
})
const source = object<TransferSource>({
  sender_name: text,
  account_type: text,
  masked_details: text,
  payment_rail: text,
})
const kept = object<NonNullable<RecordOf<'deposits'>['kept']>>({
  user_id: text,
  by: z.enum([...ROUTING_READINGS, 'wallet.other_chain']),
})
const movement = object<Posting>({ from: text, to: text, asset: text, amount })
const plannedStep = object<ActionStep>({
  after_ms: ms,
  after_reads: count.optional(),
  command: text.refine((name) => Object.hasOwn(commands, name), 'the name of a command'),
  input: z.looseObject({}),
})
const plan = object<ActionPlan>({
  subject: text,
  scenario: text,
  rule: count,
  source: text,
  steps: z.array(plannedStep),
  scenarios: list.optional(),
  key: text.optional(),
})

export const recordShapes: Readonly<Record<TableName, z.ZodType>> = {
  chains: record<'chains'>({ name: text, family: z.enum(CHAIN_FAMILIES) }),
  tokens: record<'tokens'>({ symbol: text, chain: text, contract_address: text, decimals }),
  rails: record<'rails'>({
    currency,
    name: text,
    payout_fee: amount,
    transfer_fee: amount,
    providers: list,
  }),
  rates: record<'rates'>({ base: text, quote: text, rate }),
  api_keys: record<'api_keys'>({
    name: text,
    hash: z.string().regex(/^[0-9a-f]{64}$/, 'a SHA-256 as 64 hex digits in lower case'),
    last_four: text,
    permissions: z.enum(KEY_PERMISSIONS),
    status: z.enum(KEY_STATUSES),
    expires_at: instant.nullable(),
    created_at: instant,
  }),
  consents: record<'consents'>({
    accepted_at: text,
    declined: isTrue,
    used_by: maybe,
    created_at: instant,
  }),
  users: record<'users'>({
    status: z.enum(USER_STATUSES),
    first_name: text,
    last_name: text,
    email_address: text,
    phone_number: maybe,
    user_type: z.literal('individual'),
    date_of_birth: z.iso.date('a real date as YYYY-MM-DD, or null').nullable(),
    consent_id: maybe,
    sharing_consent: z.boolean().nullable(),
    identity_country_code: maybe,
    documents: z.array(document),
    address,
    metadata: maybe,
    rejection_reasons: z.array(rejection).nullable(),
    requirements: list.nullable(),
    created_at: instant,
    updated_at: instant,
  }),
  accounts: record<'accounts'>({
    user_id: text,
    account_type: z.literal('bank_account'),
    currency,
    account_holder_name: text,
    account_number: text,
    bank_name: text,
    bic: text,
    nickname: text,
    crypto: maybe,
    chain: maybe,
    created_at: instant,
  }),
  wallets: record<'wallets'>({
    user_id: text,
    blockchain: text,
    status: z.literal('ACTIVE'),
    wallet_address: text,
    customer_wallet_ref: text,
    created_at: instant,
  }),
  instructions: record<'instructions'>({
    user_id: text,
    account_id: text,
    address: text,
    crypto: text,
    chain: text,
    asset_read: z.literal('solana').optional(),
    created_at: instant,
  }),
  offramps: record<'offramps'>({
    user_id: text,
    account_id: text,
    instruction_id: text,
    transfer_id: text,
    blockchain: text,
    inactive_user: z.enum(readingNames('deposit.inactive_user')).optional(),
    beyond_limits: isTrue,
    created_at: instant,
  }),
  transfers: record<'transfers'>({
    kind: z.enum(TRANSFER_KINDS),
    user_id: text,
    account_id: text,
    source_currency: text,
    source_asset: text,
    source_amount: amount,
    target_currency: currency,
    destination_amount: amount,
    exchange_rate: rate,
    fees: amount,
    source,
    payment_rail: text,
    status: z.enum(TRANSFER_STATUSES),
    reached: z.partialRecord(z.enum(TRANSFER_STATUSES), instant),
    reason: maybe,
    bank_txn_reference: maybe,
    rounding: z.enum(['gross_first', 'down']).optional(),
    rate_fixed: reading('conversion.rate_fixed'),
    failed_funds: z.enum(['balance', 'held']).optional(),
    created_at: instant,
    updated_at: instant,
  }),
  payouts: record<'payouts'>({
    user_id: text,
    customer_payout_id: text,
    currency,
    amount,
    rail: text,
    rail_fee: amount,
    reference: maybe,
    status: z.enum(PAYOUT_STATUSES),
    reason: maybe,
    account_details: recipient,
    fee_deducted: isTrue,
    custody: custody.optional(),
    fee_kept: isTrue,
    processed_at: instant.optional(),
    first: first.optional(),
    created_at: instant,
    updated_at: instant,
  }),
  deposits: record<'deposits'>({
    address: text,
    crypto: text,
    chain: text,
    amount,
    matched: z.enum(MATCHED),
    reason: maybe,
    user_id: maybe,
    wallet_id: maybe,
    offramp_id: maybe,
    transfer_id: maybe,
    kept: kept.optional(),
    created_at: instant,
  }),
  ledger: record<'ledger'>({ movements: z.array(movement) }),
  clock: record<'clock'>({
    id: z.literal('clock'),
    mode: z.enum(['real', 'manual', 'speed']),
    speed: z.number('a number'),
    world_ms: ms,
    machine_ms: ms,
  }).superRefine((clock, context) => {
    const message = speedError(clock as Clock)
    if (message !== undefined) context.addIssue({ code: 'custom', path: ['speed'], message })
  }),
  posted: record<'posted'>({
    text,
    scenario: z.looseObject({ name: text, rules: z.array(z.looseObject({ when: text })) }),
  }),
  playlist: record<'playlist'>({ id: z.literal('active'), names: list }),
  readings: record<'readings'>({ reading: text }),
  rule_counts: record<'rule_counts'>({
    matched: count,
    fired: count,
    window_from: ms.nullable(),
    passed: count,
  }),
  timers: record<'timers'>({
    n: count,
    due: ms.nullable(),
    reads: count.optional(),
    plan,
    done: count,
    chain: count,
  }),
}
