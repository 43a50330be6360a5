import * as z from 'zod'
import { DEFAULTS, type Readings } from '../assumptions/use.js'
import { maskNumber } from '../domain/account-numbers.js'
import { getAccount } from '../domain/accounts.js'
import { isConverted, listedFees, listedRate } from '../domain/conversion.js'
import { toNumber } from '../domain/money.js'
import { type Tables, TRANSFER_STATUSES, type Transfer } from '../domain/schema.js'
import { numberOnceConverted } from './audit.js'
import { formatTime, timeAs, uuid } from './fields.js'
import { documented, inContract } from './provenance.js'
import { type AsRead, chosenByDefault, type ReadingSource } from './schema-variants.js'
import { noteShown } from './shown.js'

export const transferPath = z.object({
  transaction_id: documented(
    uuid(),
    'The transfer transaction',
    '66666666-6666-4666-8666-000000000001',
  ),
})

const sourceInfo = z
  .object({
    sender_name: documented(z.string(), 'Name of the sender', 'Ada Okafor'),
    source_account_details: documented(
      z
        .object({
          account_type: documented(z.string(), 'Type of the account', 'bank_account'),
          masked_details: documented(z.string(), 'Masked details of the account', '****4821'),
          payment_rail: documented(z.string(), 'Payment rail', 'ACH'),
        })
        .meta({ id: 'SourceAccountDetails' }),
      'The source account',
    ),
  })
  .meta({ id: 'SourceInfo' })

const destinationInfo = z
  .object({
    recipient_name: documented(z.string(), 'Name of the recipient', 'Ada Okafor'),
    bank_details: documented(
      z
        .object({
          bic: documented(z.string(), 'BIC of the bank', 'COBADEFFXXX'),
          account_number: documented(z.string(), 'Account number, masked', 'DE89****3000'),
          bank_name: documented(z.string(), 'Name of the bank', 'Commerzbank'),
          payment_rail: documented(z.string(), 'Payment rail', 'SEPA'),
        })
        .meta({ id: 'BankDetails' }),
      'Details of the bank',
    ),
    account_id: documented(
      z.uuid(),
      'Identifier of the account',
      '22222222-2222-4222-8222-000000000001',
    ),
  })
  .meta({ id: 'DestinationInfo' })

const reachedAt = (mayRead: ReadingSource, what: string) => {
  const at = timeAs(mayRead)
  const known = mayRead('transfer.unreached', 'null') ? at.nullable() : at
  const schema = mayRead('transfer.unreached', 'absent') ? known.optional() : known
  return documented(schema, what, '2026-06-15T09:00:00.000Z', 'transfer.unreached')
}

export const transferAs = (mayRead: ReadingSource) => {
  const converted = numberOnceConverted(mayRead)
  return z
    .object({
      id: documented(z.uuid(), 'Identifier', '66666666-6666-4666-8666-000000000001'),
      source_currency: documented(z.string(), 'Source currency, in lower case', 'usd'),
      target_currency: documented(z.string(), 'Destination currency, in lower case', 'eur'),
      status: documented(z.enum(TRANSFER_STATUSES), 'Current status', 'PENDING'),
      sender_user_id: documented(
        z.uuid(),
        'The user who initiated it',
        '11111111-1111-4111-8111-000000000001',
      ),
      source_amount: documented(z.number(), 'In source currency', 500),
      destination_amount: documented(
        converted,
        'In destination currency, after conversion and fees',
        459,
        'transfer.unconverted',
      ),
      bank_txn_reference: documented(
        inContract(z.uuid().nullable(), { isOptional: true }),
        'Bank transaction reference',
        '88888888-8888-4888-8888-000000000001',
      ),
      source_info: documented(sourceInfo, 'Sender and source account'),
      destination_info: documented(destinationInfo, 'Recipient and destination account'),
      exchange_rate: documented(
        converted,
        'Exchange rate',
        0.92,
        'transfer.rate',
        'conversion.rate_fixed',
        'transfer.unconverted',
      ),
      fees: documented(converted, 'Fees', 1, 'transfer.fees_currency', 'transfer.unconverted'),
      funds_received_at: reachedAt(mayRead, 'When source funds were received'),
      conversion_processed_at: reachedAt(mayRead, 'When the conversion was processed'),
      payment_processed_at: reachedAt(mayRead, 'When the destination payment was processed'),
    })
    .meta({ id: 'TransferTransaction' })
}

export const transfer = transferAs(chosenByDefault)

export const toTransferResponse = (
  tables: Tables,
  record: Transfer,
  readings = DEFAULTS,
): AsRead<z.input<typeof transfer>> => {
  const account = getAccount(tables, record.account_id)
  const isKnown = isConverted(record, readings)
  return noteShown(record, {
    id: record.id,
    source_currency: record.source_currency.toLowerCase(),
    target_currency: record.target_currency.toLowerCase(),
    status: record.status,
    sender_user_id: record.user_id,
    source_amount: toNumber(record.source_amount),
    destination_amount: isKnown ? toNumber(record.destination_amount) : null,
    bank_txn_reference: record.bank_txn_reference,
    source_info: {
      sender_name: record.source.sender_name,
      source_account_details: formatSource(record),
    },
    destination_info: {
      recipient_name: account.account_holder_name,
      bank_details: {
        bic: account.bic,
        account_number: maskNumber(account.account_number),
        bank_name: account.bank_name,
        payment_rail: record.payment_rail,
      },
      account_id: account.id,
    },
    exchange_rate: isKnown ? toNumber(listedRate(record.exchange_rate, readings)) : null,
    fees: isKnown ? toNumber(listedFees(tables, record, readings)) : null,
    ...formatTimes(record.reached, readings),
  })
}

type Source = z.input<typeof sourceInfo>['source_account_details']

const formatSource = ({ source }: Transfer): Source => {
  const { account_type, masked_details, payment_rail } = source
  return { account_type, masked_details, payment_rail }
}

type Times = Pick<
  AsRead<z.input<typeof transfer>>,
  'funds_received_at' | 'conversion_processed_at' | 'payment_processed_at'
>

/** Stages that are not reached may be absent (transfer.unreached). */
const formatTimes = (reached: Transfer['reached'], readings: Readings): Times => {
  const { FUNDS_RECEIVED, CONVERSION_PROCESSED, PAYMENT_PROCESSED } = reached
  const isDone = FUNDS_RECEIVED && CONVERSION_PROCESSED && PAYMENT_PROCESSED
  const times = {
    funds_received_at: formatReachedTime(FUNDS_RECEIVED, readings),
    conversion_processed_at: formatReachedTime(CONVERSION_PROCESSED, readings),
    payment_processed_at: formatReachedTime(PAYMENT_PROCESSED, readings),
  }
  if (isDone || readings.transfer.unreached === 'null') return times
  const stages = Object.entries(times).filter(([, at]) => at !== null)
  return Object.fromEntries(stages)
}

const formatReachedTime = (at: string | undefined, readings: Readings): string | null =>
  at === undefined ? null : formatTime(at, readings)
