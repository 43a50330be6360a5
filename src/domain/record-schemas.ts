import * as z from 'zod'
import type { RecordOf } from '../kernel/transaction.js'
import { CHAIN_FAMILIES } from './addresses.js'
import type { Movement } from './balance-index.js'
import { DECIMALS, MAX_DECIMALS } from './chains.js'
import { type ClockSetting, speedError } from './clock.js'
import { fiatDecimals } from './currencies.js'
import { Decimal, hasExcess } from './money.js'
import {
  type Address,
  type Custody,
  KEY_PERMISSIONS,
  KEY_STATUSES,
  MATCHED,
  PAYOUT_STATUSES,
  type Payout,
  type Recipient,
  type RejectionReason,
  type TableName,
  type Tables,
  TRANSFER_KINDS,
  TRANSFER_STATUSES,
  type TransferSource,
  tableNames,
  USER_STATUSES,
  type UserDocument,
} from './schema.js'
import { isRate, RATES } from './seed-data/money.js'
import { commands } from './world.js'

/**
 * The fields of all records, for fixtures and for the data file. Fixtures are written by hand, so
 * their `FieldSchemas` are stricter; a data file contains whatever the commands accepted.
 */
interface FieldSchemas {
  readonly id: z.ZodType
  readonly text: z.ZodType
  readonly email: z.ZodType
  readonly amount: z.ZodType
  readonly rate: z.ZodType
  readonly token: z.ZodType
  readonly asset: z.ZodType
  readonly chain: z.ZodType
  /** A time as a client wrote it. */
  readonly clientTime: z.ZodType
  /** Null is possible in a world, but not in fixtures. */
  readonly required: (schema: z.ZodType) => z.ZodType
  /** Null, which fixtures may leave out. */
  readonly nullable: (schema: z.ZodType) => z.ZodType
  /** A value that fixtures may leave out. */
  readonly preset: (schema: z.ZodType, value: unknown) => z.ZodType
}

/** Names every field, so that no schema misses a field of its type. */
type Fields<R> = { readonly [Field in keyof R]-?: z.ZodType }
type RowField = 'id' | 'n' | 'scenarios'
type RecordFields<R> = Fields<Omit<R, RowField>> & { readonly [Field in RowField]?: z.ZodType }
type AllFields = { readonly [Name in TableName]: RecordFields<RecordOf<Tables[Name]>> }

const INSTANT = 'a UTC date-time with milliseconds such as 2026-01-31T09:30:00.000Z'
const CURRENCY = 'an active ISO 4217 code in upper case such as "EUR"'
const MS = 'a whole number of milliseconds'
/** The last instant that a Date can hold. */
const MAX_MS = 8_640_000_000_000_000
const COUNT = 'a whole number, zero or more'

export const instant = z.iso.datetime({ precision: 3, error: INSTANT })
export const isCurrency = (code: string): boolean => fiatDecimals(code) !== undefined
export const currency = z.string(CURRENCY).refine(isCurrency, CURRENCY)
const SHA256 = 'a SHA-256 as 64 hex digits in lower case'
const sha256 = z.string().regex(/^[0-9a-f]{64}$/, SHA256)
const DECIMAL = /^\d+(\.\d+)?$/
const AMOUNT = 'an amount as a string, such as "12.50", zero or more'
const storedAmount = z
  .string(AMOUNT)
  .regex(DECIMAL, AMOUNT)
  .refine((it) => !hasExcess(it, MAX_DECIMALS), `${AMOUNT}, with at most ${MAX_DECIMALS} decimals`)
const RATE = `a rate as a string, ${RATES}`
const rate = z.string(RATE).refine((it) => DECIMAL.test(it) && isRate(new Decimal(it)), RATE)
const string = z.string('a string')
const strings = z.array(string, 'a list of strings')
const ms = z.int(MS).max(MAX_MS, MS)
const count = z.int(COUNT).min(0, COUNT)
const decimals = z.int(DECIMALS).min(0, DECIMALS).max(MAX_DECIMALS, DECIMALS)
const flag = z.literal(true).optional()
const draws = z.array(z.strictObject({ wallet_id: string, asset: string, amount: storedAmount }))
const plan = z.strictObject({
  subject: string,
  scenario: string,
  rule: count,
  source: string,
  steps: z.array(
    z.strictObject({
      after_ms: ms,
      after_reads: count.optional(),
      command: string.refine((name) => Object.hasOwn(commands, name), 'the name of a command'),
      input: z.looseObject({}),
    }),
  ),
  scenarios: strings.optional(),
  key: string.optional(),
})

const ruleList = z.array(z.looseObject({ when: string }))
const scenario = z.looseObject({ name: string, rules: ruleList })

const clockSetting = { mode: z.enum(['real', 'manual', 'speed']), speed: z.number('a number') }

const checkSpeed = (clock: unknown, context: z.RefinementCtx): void => {
  const message = speedError(clock as ClockSetting)
  if (message !== undefined) context.addIssue({ code: 'custom', path: ['speed'], message })
}

/** The fields of each record, apart from `n` and `scenarios`, which all records have. */
export const recordFields = (as: FieldSchemas) =>
  ({
    chains: { id: as.chain, name: as.text, family: z.enum(CHAIN_FAMILIES) },
    tokens: { symbol: as.token, chain: as.chain, contract_address: as.text, decimals },
    rails: {
      id: as.text,
      name: as.text,
      currency,
      payout_fee: as.amount,
      transfer_fee: as.amount,
      providers: as.preset(z.array(as.text), []),
    },
    rates: { base: as.asset, quote: currency, rate: as.rate },
    api_keys: {
      id: as.id,
      name: as.text,
      hash: sha256,
      last_four: as.text,
      permissions: z.enum(KEY_PERMISSIONS),
      status: z.enum(KEY_STATUSES),
      expires_at: as.nullable(instant),
      created_at: instant,
    },
    consents: {
      id: as.id,
      accepted_at: as.clientTime,
      used_by: as.nullable(as.id),
      created_at: instant,
    },
    users: {
      id: as.id,
      status: z.enum(USER_STATUSES),
      first_name: as.text,
      last_name: as.text,
      email_address: as.email,
      phone_number: as.required(as.text),
      user_type: as.preset(z.literal('individual'), 'individual'),
      date_of_birth: as.required(z.iso.date('a real date as YYYY-MM-DD')),
      consent_id: as.required(as.id),
      sharing_consent: as.preset(as.required(z.boolean()), true),
      identity_country_code: as.required(as.text),
      documents: z.array(
        z.strictObject({
          name: as.text,
          type: as.text,
          issuing_country: as.text,
          document_number: as.text,
          image: as.nullable(z.strictObject({ media_type: as.text, bytes: count, sha256: sha256 })),
        } satisfies Fields<UserDocument>),
      ),
      address: z.strictObject({
        line1: as.required(as.text),
        line2: as.nullable(as.text),
        city: as.required(as.text),
        country: as.required(as.text),
        region: as.nullable(as.text),
        sub_division: as.required(as.text),
        postal_code: as.required(as.text),
      } satisfies Fields<Address>),
      metadata: as.nullable(string),
      rejection_reasons: as.nullable(
        z.array(
          z.strictObject({
            reason: as.text,
            timestamp: instant,
            developer_reason: as.text,
          } satisfies Fields<RejectionReason>),
        ),
      ),
      requirements: as.nullable(z.array(as.text)),
      created_at: instant,
      updated_at: instant,
    },
    accounts: {
      id: as.id,
      user_id: as.id,
      account_type: as.preset(z.literal('bank_account'), 'bank_account'),
      currency,
      account_holder_name: as.text,
      account_number: as.text,
      bank_name: as.text,
      bic: as.text,
      nickname: as.text,
      crypto: as.nullable(as.token),
      chain: as.nullable(as.chain),
      created_at: instant,
    },
    wallets: {
      id: as.id,
      user_id: as.id,
      blockchain: as.chain,
      status: as.preset(z.literal('ACTIVE'), 'ACTIVE'),
      wallet_address: as.text,
      customer_wallet_ref: as.id,
      created_at: instant,
    },
    instructions: {
      id: as.id,
      user_id: as.id,
      account_id: as.id,
      address: as.text,
      crypto: as.token,
      chain: as.chain,
      created_at: instant,
    },
    offramps: {
      id: as.id,
      user_id: as.id,
      account_id: as.id,
      instruction_id: as.id,
      transfer_id: as.id,
      blockchain: as.chain,
      created_at: instant,
    },
    transfers: {
      id: as.id,
      kind: z.enum(TRANSFER_KINDS),
      user_id: as.id,
      account_id: as.id,
      source_currency: as.asset,
      source_asset: string,
      source_amount: as.amount,
      target_currency: currency,
      destination_amount: as.amount,
      exchange_rate: as.rate,
      fees: as.amount,
      source: z.strictObject({
        sender_name: as.text,
        account_type: as.text,
        masked_details: as.text,
        payment_rail: as.text,
      } satisfies Fields<TransferSource>),
      payment_rail: as.text,
      status: z.enum(TRANSFER_STATUSES),
      reached: z.partialRecord(z.enum(TRANSFER_STATUSES), instant),
      reason: as.nullable(as.text),
      bank_txn_reference: as.nullable(as.id),
      created_at: instant,
      updated_at: instant,
    },
    payouts: {
      id: as.id,
      user_id: as.id,
      customer_payout_id: as.id,
      currency,
      amount: as.amount,
      rail: as.text,
      rail_fee: as.amount,
      reference: as.nullable(as.text),
      status: z.enum(PAYOUT_STATUSES),
      reason: as.nullable(as.text),
      account_details: z.strictObject({
        bank_name: as.text,
        account_holder_name: as.text,
        recipient_account_number: as.text,
      } satisfies Fields<Recipient>),
      fee_deducted: flag,
      custody: z.strictObject({ amount: draws, fee: draws } satisfies Fields<Custody>).optional(),
      processed_at: instant.optional(),
      first: z
        .strictObject({
          status: z.enum(PAYOUT_STATUSES),
          reference: as.nullable(as.text),
          updated_at: instant,
        } satisfies Fields<NonNullable<Payout['first']>>)
        .optional(),
      created_at: instant,
      updated_at: instant,
    },
    deposits: {
      id: as.id,
      address: as.text,
      crypto: as.token,
      chain: as.chain,
      amount: as.amount,
      matched: z.enum(MATCHED),
      reason: as.nullable(as.text),
      user_id: as.nullable(as.id),
      wallet_id: as.nullable(as.id),
      offramp_id: as.nullable(as.id),
      transfer_id: as.nullable(as.id),
      created_at: instant,
    },
    ledger: {
      adjusted: flag,
      movements: z.array(
        z.strictObject({
          from: string,
          to: string,
          asset: string,
          amount: storedAmount,
          count: count.optional(),
        } satisfies Fields<Movement>),
      ),
    },
    clock: {
      id: z.literal('clock'),
      ...clockSetting,
      world_ms: ms,
      machine_ms: ms,
      begin: z.strictObject(clockSetting).superRefine(checkSpeed).optional(),
    },
    posted: {
      text: string,
      scenario,
    },
    playlist: { id: z.literal('active'), names: strings },
    next_calls: {
      operation: string.nullable(),
      user_id: string.nullable(),
      times: count.nullable(),
      left: count.nullable(),
      taken: z.literal(true).optional(),
      optional: z.literal(true).optional(),
      then: z.looseObject({}),
      scenario,
      yaml: string,
    },
    readings: { reading: string },
    rule_counts: { matched: count, fired: count, window_from: ms.nullable(), passed: count },
    timers: {
      due: ms.nullable(),
      reads: count.optional(),
      plan,
      done: count,
      chain: count,
      generation: count.optional(),
      set_by: string.optional(),
    },
  }) satisfies AllFields

const id = z.string('an id').min(1, 'an id')

const stored = recordFields({
  id,
  text: string,
  email: string,
  amount: storedAmount,
  rate,
  token: string,
  asset: string,
  chain: string,
  clientTime: string,
  required: (schema) => schema.nullable(),
  nullable: (schema) => schema.nullable(),
  preset: (schema) => schema,
})

/** The message of a wrong type is `expected`; an unknown field keeps zod's own message. */
export const objectOf = <S extends z.ZodRawShape>(shape: S, expected: string) =>
  z.strictObject(shape, {
    error: (issue) => (issue.code === 'unrecognized_keys' ? undefined : expected),
  })

const storedRecord = (fields: z.ZodRawShape): z.ZodObject =>
  objectOf(
    {
      id,
      n: z.int('a whole number').positive('a whole number above zero'),
      scenarios: strings.optional(),
      ...fields,
    },
    'a record',
  )

const schemas = Object.fromEntries(
  tableNames.map((name) => [name, storedRecord(stored[name])]),
) as Record<TableName, z.ZodObject>

/** The records of a data file. */
export const recordSchemas: Readonly<Record<TableName, z.ZodType>> = {
  ...schemas,
  clock: schemas.clock.superRefine(checkSpeed),
  timers: storedRecord({ n: count, ...stored.timers }),
}
