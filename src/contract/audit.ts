import * as z from 'zod'
import { DEFAULTS, type Readings } from '../assumptions/use.js'
import { maskNumber } from '../domain/account-numbers.js'
import { getAccount } from '../domain/accounts.js'
import { isConverted, listedAmount, listedFees, listedRate } from '../domain/conversion.js'
import { toNumber } from '../domain/money.js'
import {
  type Account,
  type Offramp,
  type Tables,
  TRANSFER_STATUSES,
  type Transfer,
  type TransferStatus,
} from '../domain/schema.js'
import { getTransfer } from '../domain/transfers.js'
import { formatTime, timeAs, uuid } from './fields.js'
import { pageNumber, pagination } from './pagination.js'
import { documented, observed } from './provenance.js'
import { type AsRead, chosenByDefault, nullableIf, type ReadingSource } from './schema-variants.js'
import { noteShown } from './shown.js'

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

const clampedQuery = z.object({
  page: z.preprocess(clampPage, pageNumber),
  size: z.preprocess(clampSize, z.int()),
})

/** A query out of range may count as the nearest one in range (audit.size). */
export const clampedIfChosen = (readings: Readings) =>
  readings.audit.size === 'clamped' ? clampedQuery : undefined

const destinationAccount = z
  .object({
    account_id: documented(
      z.uuid(),
      'Identifier of the account',
      '22222222-2222-4222-8222-000000000001',
    ),
    account_type: observed(z.string(), 'bank_account is the one observed value', 'bank_account'),
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

const offrampTransactionAs = (mayRead: ReadingSource) =>
  z
    .object({
      id: documented(z.uuid(), 'Identifier', '55555555-5555-4555-8555-000000000001'),
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
      blockchain: documented(z.string(), 'Blockchain network', 'polygon'),
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

export const toDestination = (account: Account): z.input<typeof destinationAccount> => ({
  account_id: account.id,
  account_type: account.account_type,
  masked_details: maskNumber(account.account_number),
  nickname: account.nickname,
})

const formatStatus = (name: TransferStatus, readings: Readings): string =>
  LISTED[readings.audit.spelling](name)

const formatCurrency = (code: string, readings: Readings): string =>
  readings.audit.spelling === 'upper' ? code : code.toLowerCase()

/** Amounts and status are those of the transfer. */
export const toOfframpTransaction = (
  tables: Tables,
  record: Offramp,
  readings = DEFAULTS,
): AsRead<z.input<typeof offrampTransaction>> => {
  const transfer = getTransfer(tables, record.transfer_id)
  const isKnown = isConverted(transfer, readings)
  return noteShown(transfer, {
    id: record.id,
    crypto_currency: formatCurrency(transfer.source_currency, readings),
    crypto_amount: toNumber(transfer.source_amount),
    fiat_currency: formatCurrency(transfer.target_currency, readings),
    fiat_amount: isKnown ? toNumber(listedAmount(transfer, readings)) : null,
    exchange_rate: isKnown ? toNumber(listedRate(transfer.exchange_rate, readings)) : null,
    blockchain: record.blockchain,
    status: formatStatus(transfer.status, readings),
    destination_account: toDestination(getAccount(tables, record.account_id)),
    created_at: formatTime(record.created_at, readings),
  })
}

export const toTransferItem = (
  tables: Tables,
  record: Transfer,
  readings: Readings,
): AsRead<z.input<ReturnType<typeof transferItemAs>>> => {
  const isKnown = isConverted(record, readings)
  return noteShown(record, {
    id: record.id,
    source_currency: formatCurrency(record.source_currency, readings),
    source_amount: toNumber(record.source_amount),
    target_currency: formatCurrency(record.target_currency, readings),
    target_amount: isKnown ? toNumber(listedAmount(record, readings)) : null,
    exchange_rate: isKnown ? toNumber(listedRate(record.exchange_rate, readings)) : null,
    fees: isKnown ? toNumber(listedFees(tables, record, readings)) : null,
    status: formatStatus(record.status, readings),
    destination_account: toDestination(getAccount(tables, record.account_id)),
    created_at: formatTime(record.created_at, readings),
  })
}
