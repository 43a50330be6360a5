import * as z from 'zod'
import { type Account, accountFor, maskNumber } from '../world/accounts.js'
import { toNumber } from '../world/money.js'
import type { Offramp } from '../world/offramps.js'
import { type Transfer, transferOf } from '../world/transfers.js'
import type { Tables } from '../world/world.js'
import { uuid } from './fields.js'
import { assumed, documented, observed } from './provenance.js'

/** The largest page that the audit lists give (reading audit.size). */
export const LARGEST_PAGE = 100

export const auditPath = z.object({
  user_id: documented(uuid(), 'The user', '11111111-1111-4111-8111-000000000001'),
})

export const auditQuery = z.object({
  page: documented(
    z.int('a whole number from 0').min(0, 'a whole number from 0').default(0),
    'Page number, from 0',
  ),
  size: documented(
    z
      .int(`a whole number from 1 to ${LARGEST_PAGE}`)
      .min(1, `a whole number from 1 to ${LARGEST_PAGE}`)
      .max(LARGEST_PAGE, `a whole number from 1 to ${LARGEST_PAGE}`)
      .default(5),
    'Items per page',
  ).meta({ 'x-assumption': 'audit.size' }),
})

export const pagination = z
  .object({
    page: documented(z.int(), 'This page, from 0', 0),
    size: documented(z.int(), 'Items per page', 5),
    total_pages: documented(z.int(), 'How many pages there are', 1),
    total_elements: documented(z.int(), 'How many items there are on all pages', 1),
  })
  .meta({ id: 'Pagination' })

const destinationAccount = z
  .object({
    account_id: documented(z.uuid(), 'The account', '22222222-2222-4222-8222-000000000001'),
    account_type: observed(z.string(), 'bank_account is the one observed value', 'bank_account'),
    masked_details: documented(
      z.string(),
      'Account details with the middle hidden',
      'DE89****3000',
    ).meta({ 'x-assumption': 'audit.masked_details' }),
    nickname: documented(z.string(), 'Label of the account', 'Main EUR account'),
  })
  .meta({ id: 'DestinationAccountSummary' })

const status = observed(
  z.enum([
    'pending',
    'funds_received',
    'conversion_processed',
    'payment_submitted',
    'payment_processed',
    'failed',
    'cancelled',
  ]),
  'Status in lower case. Only pending is observed in lists',
  'pending',
  'audit.status_case',
)
const created_at = documented(
  z.iso.datetime(),
  'When it was created, UTC',
  '2026-06-15T09:00:00.000Z',
)

export const offrampTransaction = z
  .object({
    id: documented(z.uuid(), 'Identifier', '55555555-5555-4555-8555-000000000001').meta({
      'x-assumption': 'offramp.id',
    }),
    crypto_currency: assumed(z.string(), 'audit.currency_case', 'Token that arrived', 'usdc'),
    crypto_amount: documented(z.number(), 'How much of it arrived', 100),
    fiat_currency: assumed(z.string(), 'audit.currency_case', 'Currency paid out', 'eur'),
    fiat_amount: documented(z.number(), 'What is paid out, after fees', 91).meta({
      'x-assumption': 'offramp.fiat_amount',
    }),
    exchange_rate: documented(z.number(), 'Fiat for one unit of the token', 0.92),
    blockchain: documented(z.string(), 'Network that it arrived on', 'polygon'),
    status,
    destination_account: documented(destinationAccount, 'Where the fiat goes'),
    created_at,
  })
  .meta({ id: 'OfframpTransaction' })

const transferItem = z
  .object({
    id: documented(
      z.uuid(),
      'Identifier: the one to read the status by',
      '66666666-6666-4666-8666-000000000001',
    ),
    source_currency: assumed(z.string(), 'audit.currency_case', 'Currency or token sent', 'usd'),
    source_amount: documented(z.number(), 'How much is sent', 500),
    target_currency: assumed(z.string(), 'audit.currency_case', 'Currency received', 'eur'),
    target_amount: documented(z.number(), 'How much is received, after fees', 459).meta({
      'x-assumption': 'transfer_audit.target_amount',
    }),
    exchange_rate: documented(z.number(), 'Target for one unit of source', 0.92),
    fees: documented(z.number(), 'Fees, in target currency', 1).meta({
      'x-assumption': 'transfer.fees_currency',
    }),
    status,
    destination_account: documented(destinationAccount, 'Where the money goes'),
    created_at,
  })
  .meta({ id: 'TransferAuditItem' })

const auditOf = (item: z.ZodType, id: string) =>
  z
    .object({
      user_id: documented(z.guid(), 'The user', '11111111-1111-4111-8111-000000000001'),
      transactions: documented(z.array(item), 'This page, the newest first').meta({
        'x-assumption': 'audit.order',
      }),
      pagination: documented(pagination, 'Where this page stands'),
    })
    .meta({ id })

export const offrampAudit = auditOf(offrampTransaction, 'OfframpAudit')
export const transferAudit = auditOf(transferItem, 'TransferAudit')

/** An account as audits summarise it. */
export const showDestination = (account: Account): z.input<typeof destinationAccount> => ({
  account_id: account.id,
  account_type: account.account_type,
  masked_details: maskNumber(account.account_number),
  nickname: account.nickname,
})

/** An offramp as its audit writes it; amounts and status are its transfer's. */
export const showOfframp = (
  tables: Tables,
  record: Offramp,
): z.input<typeof offrampTransaction> => {
  const transfer = transferOf(tables, record.transfer_id)
  return {
    id: record.id,
    crypto_currency: transfer.source_currency.toLowerCase(),
    crypto_amount: toNumber(transfer.source_amount),
    fiat_currency: transfer.target_currency.toLowerCase(),
    fiat_amount: toNumber(transfer.destination_amount),
    exchange_rate: toNumber(transfer.exchange_rate),
    blockchain: record.blockchain,
    status: lowerStatus(transfer),
    destination_account: showDestination(accountFor(tables, record.account_id)),
    created_at: record.created_at,
  }
}

/** A transfer as its audit writes it. */
export const showTransferItem = (
  tables: Tables,
  record: Transfer,
): z.input<typeof transferItem> => ({
  id: record.id,
  source_currency: record.source_currency.toLowerCase(),
  source_amount: toNumber(record.source_amount),
  target_currency: record.target_currency.toLowerCase(),
  target_amount: toNumber(record.destination_amount),
  exchange_rate: toNumber(record.exchange_rate),
  fees: toNumber(record.fees),
  status: lowerStatus(record),
  destination_account: showDestination(accountFor(tables, record.account_id)),
  created_at: record.created_at,
})

const lowerStatus = ({ status }: Transfer) => status.toLowerCase() as Lowercase<typeof status>

export interface Page {
  readonly page: number
  readonly size: number
}

export const showPagination = (
  { page, size }: Page,
  total_elements: number,
): z.input<typeof pagination> => ({
  page,
  size,
  total_pages: Math.ceil(total_elements / size),
  total_elements,
})
