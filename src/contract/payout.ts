import * as z from 'zod'
import { DEFAULTS, type Readings } from '../assumptions/use.js'
import { toNumber } from '../domain/money.js'
import { PAYOUT_STATUSES, type Payout, type PayoutStatus } from '../domain/schema.js'
import { amount, currency, formatTime, text, timeAs, uuid } from './fields.js'
import { documented, inContract, observed } from './provenance.js'
import { chosenByDefault, type ReadingSource } from './schema-variants.js'
import { noteShown } from './shown.js'

const recipient = (id: string, word: z.ZodString) =>
  z
    .object({
      bank_name: documented(word, 'Name of the receiving bank or wallet provider', 'Access Bank'),
      account_holder_name: documented(word, 'Holder of the receiving account', 'Ada Okafor'),
      recipient_account_number: documented(
        word,
        'Account number or wallet identifier',
        '0690000031',
      ),
    })
    .meta({ id, 'x-contract': { isRequired: true } })

export const payoutRequest = z
  .object({
    user_id: documented(
      uuid(),
      'The user the payout is for',
      '11111111-1111-4111-8111-000000000001',
    ),
    currency: documented(currency(), 'ISO 4217 code', 'NGN'),
    customer_payout_id: documented(
      uuid(),
      'Idempotent identifier of the payout in your system',
      'c0ffee00-0000-4000-8000-000000000001',
      'payout.repeat',
      'payout.changed_repeat',
    ),
    amount: documented(amount(), 'Amount to pay out in the currency, as a string', '1500.00'),
    recipient_details: documented(recipient('PayoutRecipient', text()), 'The recipient'),
  })
  .meta({ id: 'PayoutRequest', 'x-contract': { isRequired: true } })

const statusesAs = (mayRead: ReadingSource): string[] => [
  ...(mayRead('payout.statuses', 'three') ? PAYOUT_STATUSES : Object.values(INITIATED)),
  ...(mayRead('payout.transitions', 'returned') ? [RETURNED] : []),
]

export const payoutAs = (mayRead: ReadingSource) =>
  z
    .object({
      id: documented(z.uuid(), 'Identifier of the payout', '77777777-7777-4777-8777-000000000001'),
      currency: observed(z.string(), 'Currency of the payout; lower case is observed', 'ngn'),
      rail: documented(z.string(), 'Payment rail used', 'NIP'),
      reference: documented(
        inContract(z.string().nullable(), { isOptional: true }),
        'Reference from the underlying rail, if available',
        'NIP-048213907755',
      ),
      amount: documented(z.number(), 'Amount in the currency of the payout', 1500),
      status: observed(
        z.enum(statusesAs(mayRead)),
        'Current status; PAYOUT_PROCESSED is the one observed value',
        'PAYOUT_PROCESSED',
        'payout.statuses',
        'payout.status',
        'payout.transitions',
      ),
      user_id: documented(z.uuid(), 'The user', '11111111-1111-4111-8111-000000000001'),
      customer_payout_id: documented(
        z.guid(),
        'Your own idempotent identifier',
        'c0ffee00-0000-4000-8000-000000000001',
      ),
      rail_fee: documented(z.number(), 'Fee charged by the rail', 50, 'payout.fee'),
      account_details: documented(recipient('PayoutAccountDetails', z.string()), 'The recipient'),
      created_at: documented(timeAs(mayRead), 'Time of creation, UTC', '2026-06-15T09:00:00.000Z'),
      updated_at: documented(
        timeAs(mayRead),
        'Time of the last update, UTC',
        '2026-06-15T09:00:00.000Z',
      ),
    })
    .meta({ id: 'Payout' })

export const payout = payoutAs(chosenByDefault)

/** Other names for the two statuses that the contract does not show. */
const INITIATED: Readonly<Record<PayoutStatus, string>> = {
  PAYOUT_PENDING: 'PAYOUT_INITIATED',
  PAYOUT_PROCESSED: 'PAYOUT_PROCESSED',
  PAYOUT_FAILED: 'PAYOUT_REJECTED',
}

const RETURNED = 'PAYOUT_RETURNED'

const formatStatus = ({ status, processed_at }: Payout, readings: Readings): string => {
  if (status === 'PAYOUT_FAILED' && processed_at && readings.payout.transitions === 'returned')
    return RETURNED
  return status === 'PAYOUT_PROCESSED' || readings.payout.statuses === 'three'
    ? status
    : INITIATED[status]
}

export const toPayoutResponse = (record: Payout, readings = DEFAULTS): z.input<typeof payout> =>
  noteShown(record, {
    id: record.id,
    currency: record.currency.toLowerCase(),
    rail: record.rail,
    reference: record.reference,
    amount: toNumber(record.amount),
    status: formatStatus(record, readings),
    user_id: record.user_id,
    customer_payout_id: record.customer_payout_id,
    rail_fee: toNumber(record.rail_fee),
    account_details: record.account_details,
    created_at: formatTime(record.created_at, readings),
    updated_at: formatTime(record.updated_at, readings),
  })
