import * as z from 'zod'
import {
  type AssumptionId,
  DEFAULT_READINGS,
  defaultReading,
  type ReadingLookup,
  type ReadingOf,
} from '../assumptions/ids.js'
import { toNumber } from '../domain/money.js'
import { listedPayout } from '../domain/payout-idempotency.js'
import { PAYOUT_STATUSES, type Payout, type PayoutStatus } from '../domain/schema.js'
import { formatInvalid, inWords } from '../lib/app-error.js'
import {
  amount,
  anyAmount,
  anyCode,
  anyText,
  currency,
  formatTime,
  inAnyCase,
  isAmountInAnyForm,
  isBlank,
  isCode,
  isCurrencyInAnyCase,
  isLongAmount,
  text,
  timeAs,
  uuid,
} from './fields.js'
import { documented, inContract, observed } from './provenance.js'
import { chosenByDefault, type ReadingSource, type SchemaVariants } from './schema-variants.js'

const recipient = (id: string, word: z.ZodString, ...open: readonly AssumptionId[]) =>
  z
    .object({
      bank_name: documented(
        word,
        'Name of the receiving bank or wallet provider',
        'Access Bank',
        ...open,
      ),
      account_holder_name: documented(
        word,
        'Holder of the receiving account',
        'Ada Okafor',
        ...open,
      ),
      recipient_account_number: documented(
        word,
        'Account number or wallet identifier',
        '0690000031',
        ...open,
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
    currency: documented(currency(), 'ISO 4217 code', 'NGN', 'payout.currency'),
    customer_payout_id: documented(
      uuid(),
      'Idempotent identifier of the payout in your system',
      'c0ffee00-0000-4000-8000-000000000001',
      'payout.repeat',
      'payout.changed_repeat',
    ),
    amount: documented(
      amount(),
      'Amount to pay out in the currency, as a string',
      '1500.00',
      'payout.amount_form',
      'payout.amount_limits',
      'payout.amount_scale',
    ),
    recipient_details: documented(
      recipient('PayoutRecipient', text(), 'size.limits'),
      'The recipient',
    ),
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
      rail: documented(z.string(), 'Payment rail used', 'NIP', 'payout.rail'),
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
      rail_fee: documented(
        z.number(),
        'Fee charged by the rail',
        50,
        'payout.fee',
        'payout.failed_fee',
      ),
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

export const payoutVariants: SchemaVariants = {
  assumptionFor: ({ path }, value) => {
    if (path[0] === 'currency') {
      return isCurrencyInAnyCase(value) || isCode(value) ? 'payout.currency' : undefined
    }
    if (path[0] === 'amount') {
      if (isLongAmount(value)) return 'payout.amount_limits'
      return isAmountInAnyForm(value) ? 'payout.amount_form' : undefined
    }
    const isText = path[0] === 'recipient_details' && path.length > 1 && typeof value === 'string'
    return isText && !isBlank(value) ? 'size.limits' : undefined
  },
  ids: ['payout.currency', 'payout.amount_form', 'size.limits'],
  schema: (read) => {
    const word = WORDS[read('size.limits')]
    const details = { bank_name: word(), account_holder_name: word() }
    return payoutRequest.extend({
      currency: CURRENCIES[read('payout.currency')](),
      amount: read('payout.amount_form') === 'any' ? anyAmount() : amount(),
      recipient_details: z.object({ ...details, recipient_account_number: word() }),
    })
  },
  extraCheck: (parsed, read) => {
    const { amount, recipient_details } = parsed as z.output<typeof payoutRequest>
    if (/^0\d/.test(amount) && read('payout.amount_form') === 'canonical') {
      return formatInvalid('amount', amount, 'an amount without leading zeros')
    }
    for (const name in recipient_details) {
      const text = recipient_details[name as keyof typeof recipient_details]
      if (text.length <= SHORT_TEXT) continue
      // By code points, as the schema counts.
      const { length } = [...text]
      if (length <= SHORT_TEXT || read('size.limits') !== 'small') continue
      const received = inWords(`${length} characters`)
      return formatInvalid(`recipient_details.${name}`, received, `1 to ${SHORT_TEXT}`)
    }
    return undefined
  },
}

const CURRENCIES: Readonly<Record<ReadingOf<'payout.currency'>, () => z.ZodType>> = {
  strict: currency,
  any_case: () => inAnyCase(currency()),
  looked_up: anyCode,
}

const SHORT_TEXT = 70

const WORDS = { usual: text, small: () => text(SHORT_TEXT), none: anyText }

/** The readings of the first response, for a replay. */
export const readAtFirst =
  ({ first }: Payout): ReadingLookup =>
  (id) => {
    const given: Readonly<Record<string, string | undefined>> = {
      'payout.statuses': first?.statuses,
      'payout.transitions': first?.transitions,
      'time.form': first?.times,
    }
    return (given[id] ?? DEFAULT_READINGS[id]) as (typeof DEFAULT_READINGS)[typeof id]
  }

/** Assumed names: the contract does not show these statuses. */
const INITIATED: Readonly<Record<PayoutStatus, string>> = {
  PAYOUT_PENDING: 'PAYOUT_INITIATED',
  PAYOUT_PROCESSED: 'PAYOUT_PROCESSED',
  PAYOUT_FAILED: 'PAYOUT_REJECTED',
}

const RETURNED = 'PAYOUT_RETURNED'

const formatStatus = ({ status, processed_at }: Payout, read: ReadingLookup): string => {
  if (processed_at && read('payout.transitions') === 'returned') return RETURNED
  return status === 'PAYOUT_PROCESSED' || read('payout.statuses') === 'three'
    ? status
    : INITIATED[status]
}

export const toPayoutResponse = (given: Payout, read = defaultReading): z.input<typeof payout> => {
  const record = listedPayout(given, read)
  return {
    id: record.id,
    currency: record.currency.toLowerCase(),
    rail: record.rail,
    reference: record.reference,
    amount: toNumber(record.amount),
    status: formatStatus(record, read),
    user_id: record.user_id,
    customer_payout_id: record.customer_payout_id,
    rail_fee: toNumber(record.rail_fee),
    account_details: record.account_details,
    created_at: formatTime(record.created_at, read),
    updated_at: formatTime(record.updated_at, read),
  }
}
