import * as z from 'zod'
import { defaultReading, type ReadingLookup } from '../assumptions/ids.js'
import { maskNumber } from '../domain/account-numbers.js'
import { getAccount } from '../domain/accounts.js'
import { isConverted, listedAmount, listedFees, listedRate } from '../domain/conversion.js'
import { toNumber } from '../domain/money.js'
import { listedStart } from '../domain/offramps.js'
import { isProvider, rateBetween } from '../domain/rails.js'
import {
  type Account,
  type DepositAddress,
  type Offramp,
  type Tables,
  TRANSFER_STATUSES,
  type Transfer,
  type TransferStatus,
} from '../domain/schema.js'
import { getTransfer } from '../domain/transfers.js'
import { formatChain, formatTime, timeAs, uuid } from './fields.js'
import { pageNumber, pagination } from './pagination.js'
import { documented, observed } from './provenance.js'
import {
  type AsRead,
  chosenByDefault,
  nullableIf,
  type ReadingSource,
  type SchemaVariants,
} from './schema-variants.js'

/** Largest page (audit.size). */
const MAX_PAGE = 100

const FIRST_PAGE = 0
const USUAL_SIZE = 5
const SIZE = `a whole number from 1 to ${MAX_PAGE}`

export const auditPath = z.object({
  user_id: documented(uuid(), 'The user', '11111111-1111-4111-8111-000000000001'),
})

export const auditQuery = z.object({
  page: documented(pageNumber.default(FIRST_PAGE), 'Page number', undefined, 'audit.size'),
  size: documented(
    z.int(SIZE).min(1, SIZE).max(MAX_PAGE, SIZE).default(USUAL_SIZE),
    'Items per page',
    undefined,
    'audit.size',
  ),
})

/** Includes numbers that fit only into text. */
const isWhole = (given: unknown): given is number | string =>
  typeof given === 'string' ? /^-?\d+$/.test(given) : Number.isInteger(given)

const clampPage = (given: unknown) => (isWhole(given) && Number(given) >= 0 ? given : FIRST_PAGE)

const clampSize = (given: unknown) =>
  isWhole(given) ? Math.min(Math.max(Number(given), 1), MAX_PAGE) : USUAL_SIZE

/** Every reading refuses a page number that JSON would not carry exactly. */
export const auditVariants: SchemaVariants = {
  assumptionFor: ({ path }, value) =>
    path[0] === 'size' || !isWhole(value) || Number(value) < 0 ? 'audit.size' : undefined,
  ids: ['audit.size'],
  schema: () =>
    z.object({
      page: z.preprocess(clampPage, pageNumber),
      size: z.preprocess(clampSize, z.int()),
    }),
}

const destinationAccount = z
  .object({
    account_id: documented(
      z.uuid(),
      'Identifier of the account',
      '22222222-2222-4222-8222-000000000001',
    ),
    account_type: observed(
      z.string(),
      'bank_account is the one observed value',
      'bank_account',
      'audit.account_type',
    ),
    masked_details: documented(z.string(), 'Masked details of the account', 'DE89****3000'),
    nickname: documented(z.string(), 'Label of the account', 'Main EUR account'),
  })
  .meta({ id: 'DestinationAccountSummary' })

const destination_account = documented(destinationAccount, 'Summary of the destination account')

/** The final statuses in the short form; all others are pending there. */
const ENDS: Readonly<Partial<Record<TransferStatus, string>>> = {
  PAYMENT_PROCESSED: 'completed',
  FAILED: 'failed',
  CANCELLED: 'cancelled',
}

const LISTED = {
  lower: (name: TransferStatus) => name.toLowerCase(),
  upper: (name: TransferStatus) => name,
  summary: (name: TransferStatus) => ENDS[name] ?? 'pending',
}

const STATUS_CASES = ['lower', 'upper', 'summary'] as const

const statusesAs = (mayRead: ReadingSource): string[] => {
  const cases = STATUS_CASES.filter((name) => mayRead('audit.spelling', name))
  return [...new Set(cases.flatMap((name) => TRANSFER_STATUSES.map((it) => LISTED[name](it))))]
}

/** Null before the conversion, under one reading (transfer.unconverted). */
export const numberOnceConverted = (mayRead: ReadingSource) =>
  nullableIf(mayRead('transfer.unconverted', 'null'), z.number())

const itemParts = (mayRead: ReadingSource) => ({
  status: observed(
    z.enum(statusesAs(mayRead)),
    'Status; pending is the one observed value in lists',
    'pending',
    'audit.spelling',
  ),
  destination_account,
  created_at: documented(timeAs(mayRead), 'Time of creation', '2026-06-15T09:00:00.000Z'),
})

/** Null before a deposit, if the id is the transfer's. */
const offrampIdAs = (mayRead: ReadingSource) =>
  nullableIf(
    mayRead('offramp.listed', 'on_initiate') && mayRead('offramp.id', 'transfer'),
    z.uuid(),
  )

const offrampTransactionAs = (mayRead: ReadingSource) =>
  z
    .object({
      id: documented(
        offrampIdAs(mayRead),
        'Identifier',
        '55555555-5555-4555-8555-000000000001',
        'offramp.id',
      ),
      crypto_currency: documented(z.string(), 'Crypto currency', 'usdc', 'audit.spelling'),
      crypto_amount: documented(z.number(), 'Amount in the crypto currency', 100),
      fiat_currency: documented(z.string(), 'Fiat currency', 'eur', 'audit.spelling'),
      fiat_amount: documented(
        numberOnceConverted(mayRead),
        'Amount in the fiat currency',
        91,
        'audit.amounts',
        'transfer.unconverted',
      ),
      exchange_rate: documented(
        numberOnceConverted(mayRead),
        'Exchange rate',
        0.92,
        'transfer.rate',
        'conversion.rate_fixed',
        'transfer.unconverted',
      ),
      blockchain: documented(z.string(), 'Blockchain network', 'polygon', 'chain.spelling'),
      ...itemParts(mayRead),
    })
    .meta({ id: 'OfframpTransaction' })

export const offrampTransaction = offrampTransactionAs(chosenByDefault)

const transferItemAs = (mayRead: ReadingSource) =>
  z
    .object({
      id: documented(z.uuid(), 'Identifier', '66666666-6666-4666-8666-000000000001'),
      source_currency: documented(z.string(), 'Source currency', 'usd', 'audit.spelling'),
      source_amount: documented(z.number(), 'Amount in the source currency', 500),
      target_currency: documented(z.string(), 'Target currency', 'eur', 'audit.spelling'),
      target_amount: documented(
        numberOnceConverted(mayRead),
        'Amount in the target currency',
        459,
        'audit.amounts',
        'transfer.unconverted',
      ),
      exchange_rate: documented(
        numberOnceConverted(mayRead),
        'Exchange rate',
        0.92,
        'transfer.rate',
        'conversion.rate_fixed',
        'transfer.unconverted',
      ),
      fees: documented(
        numberOnceConverted(mayRead),
        'Fees',
        1,
        'transfer.fees_currency',
        'transfer.unconverted',
      ),
      ...itemParts(mayRead),
    })
    .meta({ id: 'TransferAuditItem' })

const auditSchema = (item: z.ZodType, id: string) =>
  z
    .object({
      user_id: documented(z.guid(), 'The user', '11111111-1111-4111-8111-000000000001'),
      transactions: documented(z.array(item), 'The items of this page', undefined, 'list.order'),
      pagination: documented(pagination, 'Page and totals'),
    })
    .meta({ id })

export const offrampAuditAs = (mayRead: ReadingSource) =>
  auditSchema(offrampTransactionAs(mayRead), 'OfframpAudit')
export const transferAuditAs = (mayRead: ReadingSource) =>
  auditSchema(transferItemAs(mayRead), 'TransferAudit')

/** Accounts of wallet providers may have a type of their own (audit.account_type). */
const formatAccountType = (
  tables: Tables,
  { account_type, currency, bank_name }: Account,
  read: ReadingLookup,
): string =>
  isProvider(tables, currency, bank_name) && read('audit.account_type') === 'mobile_money'
    ? 'mobile_money'
    : account_type

export const toDestination = (
  tables: Tables,
  account: Account,
  read = defaultReading,
): z.input<typeof destinationAccount> => ({
  account_id: account.id,
  account_type: formatAccountType(tables, account, read),
  masked_details: maskNumber(account.account_number),
  nickname: account.nickname,
})

const formatStatus = (name: TransferStatus, read: ReadingLookup): string =>
  LISTED[read('audit.spelling')](name)

const formatCurrency = (code: string, read: ReadingLookup): string =>
  read('audit.spelling') === 'upper' ? code : code.toLowerCase()

/** Amounts and status are those of the transfer. */
export const toOfframpTransaction = (
  tables: Tables,
  record: Offramp,
  read = defaultReading,
  initiation: Offramp | DepositAddress = record,
): AsRead<z.input<typeof offrampTransaction>> => {
  const transfer = getTransfer(tables, record.transfer_id)
  const isKnown = isConverted(transfer, read)
  return {
    id: read('offramp.id') === 'own' ? initiation.id : transfer.id,
    crypto_currency: formatCurrency(transfer.source_currency, read),
    crypto_amount: toNumber(transfer.source_amount),
    fiat_currency: formatCurrency(transfer.target_currency, read),
    fiat_amount: isKnown ? toNumber(listedAmount(transfer, read)) : null,
    exchange_rate: isKnown ? toNumber(listedRate(transfer.exchange_rate, read)) : null,
    blockchain: formatChain(record.blockchain, read),
    status: formatStatus(transfer.status, read),
    destination_account: toDestination(tables, getAccount(tables, record.account_id), read),
    created_at: formatTime(listedStart(tables, record, initiation, read), read),
  }
}

/** An offramp without a deposit (offramp.listed) has no transfer that could give it an id. */
export const toPendingTransaction = (
  tables: Tables,
  record: DepositAddress,
  read: ReadingLookup,
): AsRead<z.input<typeof offrampTransaction>> => {
  const account = getAccount(tables, record.account_id)
  return {
    id: read('offramp.id') === 'own' ? record.id : null,
    crypto_currency: formatCurrency(record.crypto, read),
    crypto_amount: 0,
    fiat_currency: formatCurrency(account.currency, read),
    fiat_amount: 0,
    exchange_rate: toNumber(listedRate(rateBetween(tables, record.crypto, account.currency), read)),
    blockchain: formatChain(record.chain, read),
    status: formatStatus('PENDING', read),
    destination_account: toDestination(tables, account, read),
    created_at: formatTime(record.created_at, read),
  }
}

export const toTransferItem = (
  tables: Tables,
  record: Transfer,
  read: ReadingLookup,
): AsRead<z.input<ReturnType<typeof transferItemAs>>> => {
  const isKnown = isConverted(record, read)
  return {
    id: record.id,
    source_currency: formatCurrency(record.source_currency, read),
    source_amount: toNumber(record.source_amount),
    target_currency: formatCurrency(record.target_currency, read),
    target_amount: isKnown ? toNumber(listedAmount(record, read)) : null,
    exchange_rate: isKnown ? toNumber(listedRate(record.exchange_rate, read)) : null,
    fees: isKnown ? toNumber(listedFees(tables, record, read)) : null,
    status: formatStatus(record.status, read),
    destination_account: toDestination(tables, getAccount(tables, record.account_id), read),
    created_at: formatTime(record.created_at, read),
  }
}
