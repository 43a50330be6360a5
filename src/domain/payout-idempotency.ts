import type { ReadingLookup, ReadingOf } from '../assumptions/ids.js'
import { alreadyExists, Refusal } from '../kernel/refusal.js'
import { parseInstant } from '../kernel/time.js'
import { type Doubled, findByClientId } from './client-ids.js'
import { assetDecimals } from './currencies.js'
import { hasExcess, isSame } from './money.js'
import { type PricingContext, roundToScale } from './payout-pricing.js'
import type { OriginalResponse, Payout, Recipient, Tx } from './schema.js'

/** Undefined if the request creates a payout. */
export const findIdempotentPayout = (tx: Tx, input: PayoutInput & Doubled): Payout | undefined => {
  const { user_id, customer_payout_id: id } = input
  if (input.doubled) return undefined
  const all = findByClientId(tx, tx.tables.payouts, 'customer_id', id, user_id)
  if (all.length === 0) return undefined
  const reading = tx.useReading('payout.repeat')
  const named =
    reading === 'second' ? undefined : all.find((payout) => isKeyStillValid(tx, payout, reading))
  if (!named) return undefined
  if (reading === 'conflict')
    throw alreadyExists('customer_payout_id', `${id} already names a payout`)
  assertSameRequest(tx, named, input)
  return named
}

const DAY_MS = 24 * 3_600_000

/** Keys can expire (payout.repeat). */
const isKeyStillValid = (tx: Tx, payout: Payout, reading: ReadingOf<'payout.repeat'>): boolean => {
  if (reading === 'a_day') return tx.now - parseInstant(payout.created_at) < DAY_MS
  if (reading !== 'failed_again' || payout.status !== 'PAYOUT_FAILED') return true
  // A returned payout may still count as processed.
  return payout.processed_at !== undefined && tx.useReading('payout.transitions') === 'unchanged'
}

/** The readings of the first response, for a replay; undefined if all are defaults. */
export const createOriginalResponse = (tx: Tx): OriginalResponse | undefined => {
  const status = tx.peekReading('payout.status')
  const statuses = tx.peekReading('payout.statuses')
  const transitions = tx.peekReading('payout.transitions')
  const times = tx.peekReading('time.form')
  const isUsual = status === 'processed' && statuses === 'three' && transitions === 'failed'
  if (isUsual && times === 'milliseconds') return undefined
  return {
    ...(status === 'pending' && { status }),
    ...(statuses !== 'three' && { statuses }),
    ...(transitions !== 'failed' && { transitions }),
    ...(times !== 'milliseconds' && { times }),
  }
}

/** A move by hand at the instant of creation. */
export const withFirstStatus = ({ first, status }: Payout): OriginalResponse =>
  status === 'PAYOUT_PENDING' || first?.status === 'pending'
    ? { ...first, status: 'pending' }
    : { ...first, status: 'processed' }

/** The record as the first response showed it. */
export const toOriginalResponse = (payout: Payout): Payout => {
  const { created_at, updated_at, processed_at, first } = payout
  if ((processed_at ?? updated_at) === created_at && first?.status !== 'pending') {
    const isReturnedLater = updated_at !== created_at || first?.status === 'processed'
    return processed_at && isReturnedLater ? beforeReturn(payout) : payout
  }
  // Without processed_at: readings show a payout with it as returned or processed.
  const { processed_at: _, ...pending } = payout
  return {
    ...pending,
    status: 'PAYOUT_PENDING',
    reason: null,
    reference: null,
    updated_at: created_at,
  }
}

/** A returned payout may look as before its return (payout.transitions). */
export const listedPayout = (payout: Payout, read: ReadingLookup): Payout =>
  payout.processed_at && read('payout.transitions') === 'unchanged' ? beforeReturn(payout) : payout

const beforeReturn = ({ processed_at, ...payout }: Payout): Payout => ({
  ...payout,
  status: 'PAYOUT_PROCESSED',
  reason: null,
  updated_at: processed_at ?? payout.updated_at,
})

/** One reading ignores the difference (payout.changed_repeat). */
const CHANGED = {
  invalid: 'rule',
  conflict: 'taken',
  unprocessable: 'mismatch',
  first: undefined,
} as const

const assertSameRequest = (tx: Tx, known: Payout, input: PayoutInput): void => {
  const field = findChangedField(tx, known, input)
  const code = field === undefined ? field : CHANGED[tx.useReading('payout.changed_repeat')]
  if (code === undefined) return
  throw new Refusal(
    code,
    `${input.customer_payout_id} already names payout ${known.id} with another ${field}`,
    'customer_payout_id',
  )
}

/** The first field in which a request differs from the payout of its id. */
export const findChangedField = (
  tx: PricingContext,
  known: Payout,
  input: PayoutInput,
): string | undefined => {
  const { bank_name, account_holder_name, recipient_account_number } = input.recipient_details
  const details = known.account_details
  const fields = [
    ['user_id', known.user_id === input.user_id],
    ['currency', known.currency === input.currency],
    ['amount', isSameAmount(tx, known, input)],
    ['recipient_details.bank_name', details.bank_name === bank_name],
    ['recipient_details.account_holder_name', details.account_holder_name === account_holder_name],
    [
      'recipient_details.recipient_account_number',
      details.recipient_account_number === recipient_account_number,
    ],
  ] as const
  return fields.find(([, same]) => !same)?.[0]
}

/** Compares a rounded amount with its rounded form. */
const isSameAmount = (
  tx: PricingContext,
  { amount, currency }: Payout,
  input: PayoutInput,
): boolean => {
  const decimals = assetDecimals(currency)
  if (isSame(amount, input.amount) || !hasExcess(input.amount, decimals)) {
    return isSame(amount, input.amount)
  }
  return isSame(amount, roundToScale(tx, input.amount, decimals))
}

export interface PayoutInput {
  readonly user_id: string
  readonly currency: string
  readonly customer_payout_id: string
  readonly amount: string
  readonly recipient_details: Recipient
}
