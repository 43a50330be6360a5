import type { ReadingOf } from '../assumptions/ids.js'
import type { Readings } from '../assumptions/use.js'
import { invalidInput, notFound, Refusal } from '../kernel/refusal.js'
import { accountForm } from './account-numbers.js'
import type { Posting } from './balance-index.js'
import type { Doubled } from './client-ids.js'
import { assetDecimals } from './currencies.js'
import { post, reversePostings, TRANSIT } from './ledger.js'
import { type Amount, Decimal, isZero, round } from './money.js'
import {
  createOriginalResponse,
  findIdempotentPayout,
  type PayoutInput,
  toOriginalResponse,
  withFirstStatus,
} from './payout-idempotency.js'
import { computeFee, describeFee, type PricingContext, payoutAmount } from './payout-pricing.js'
import { assertSpendable, custodyPostings, drawCustody, spendableBalance } from './payout-source.js'
import { payoutRail } from './rails.js'
import type { Payout, PayoutStatus, Rail, Recipient, Tables, Tx, User } from './schema.js'
import { assertTransition, type TransitionTable } from './transitions.js'
import { assertMayTransact, getUser } from './users.js'

/**
 * PAYOUT_PROCESSED to PAYOUT_FAILED: the receiving bank returned the money (payout.transitions).
 */
export const PAYOUT_TRANSITIONS: TransitionTable<PayoutStatus> = {
  PAYOUT_PENDING: ['PAYOUT_PROCESSED', 'PAYOUT_FAILED'],
  PAYOUT_PROCESSED: ['PAYOUT_FAILED'],
  PAYOUT_FAILED: [],
}

/**
 * Reserves amount and fee. A known customer_payout_id returns the same payout (payout.repeat).
 * Refusals in order: unknown user, id of another request, unknown balance, user not active
 * (error.order), amount, no rail, account number, balance too small.
 */
export const createPayout = (tx: Tx, input: PayoutInput & Doubled): Payout => {
  const user = getUser(tx.tables, input.user_id)
  const again = findIdempotentPayout(tx, input)
  if (again) {
    tx.emit({ type: 'payout.repeated', id: again.id })
    return again
  }
  const { currency } = input
  const gate = statusCheckOrder(tx, user, input)
  if (gate === 'user_first') assertMayTransact(tx, user, 'payout')
  const available = assertSpendable(tx, user.id, currency)
  if (gate === 'shape_first') assertMayTransact(tx, user, 'payout')
  const { amount, rail, fee } = assertPrice(tx, input)
  const source = tx.useReading('payout.source')
  if (available.lt(fee.total)) {
    const code = tx.useReading('payout.balance') === 'not_found' ? 'unknown' : 'rule'
    recordFailedFees(tx, user.id, currency, source)
    const balance = round(available, assetDecimals(currency), Decimal.roundDown)
    throw new Refusal(code, `${describeFee(fee)}; the balance is ${balance}`, 'amount')
  }
  const first = createOriginalResponse(tx)
  const draft: Payout = {
    id: tx.uuid(),
    n: tx.tables.payouts.next,
    user_id: user.id,
    customer_payout_id: input.customer_payout_id,
    currency,
    amount,
    rail: rail.id,
    rail_fee: rail.payout_fee,
    reference: null,
    status: 'PAYOUT_PENDING',
    reason: null,
    account_details: input.recipient_details,
    ...(fee.deducted && { fee_deducted: true }),
    ...(first && { first }),
    created_at: tx.at,
    updated_at: tx.at,
  }
  const payout = tx.add('payouts', source === 'custody' ? payFromCustody(tx, draft) : draft)
  post(tx, eventSubject(payout), reservePostings(payout))
  tx.emit({ type: 'payout.created', id: payout.id })
  return payout
}

/** The refusal states a balance that includes the fees of failed payouts. */
const recordFailedFees = (
  tx: Tx,
  user_id: string,
  currency: string,
  source: ReadingOf<'payout.source'>,
): void => {
  for (const payout of tx.tables.payouts.list('failed', user_id)) {
    const isOfBalance =
      source === 'custody' ? payout.custody : !payout.custody && payout.currency === currency
    if (!isOfBalance || isZero(payout.rail_fee)) continue
    tx.recordReading('payout.failed_fee', payout.fee_kept ? 'kept' : 'returned')
  }
}

const payFromCustody = (tx: Tx, payout: Payout): Payout => {
  const { user_id, currency, rail_fee: fee } = payout
  const parts = { amount: recipientAmount(payout), fee }
  return { ...payout, custody: drawCustody(tx.tables, user_id, currency, parts) }
}

/** Some readings check the form of the account number (payout.account_number). */
const assertAccountNumber = (
  tx: Tx,
  rail: Rail,
  { recipient_account_number: number }: Recipient,
): void => {
  const { fits, accepted } = accountForm(rail)
  if (fits(number) || tx.useReading('payout.account_number') === 'any') return
  throw invalidInput(
    'recipient_details.recipient_account_number',
    number,
    `${accepted} on ${rail.id}`,
  )
}

/** A refusal depends on payout.source if the other source has no balance. */
const assertPrice = (tx: Tx, input: PayoutInput) => {
  try {
    const due = computePrice(tx, input)
    assertAccountNumber(tx, due.rail, input.recipient_details)
    return due
  } catch (error) {
    const other = tx.peekReading('payout.source') === 'fiat' ? 'custody' : 'fiat'
    if (!spendableBalance(tx.tables, other, input.user_id, input.currency))
      tx.useReading('payout.source')
    throw error
  }
}

const computePrice = (
  terms: PricingContext,
  { amount: text, currency, recipient_details }: PayoutInput,
) => {
  const amount = payoutAmount(terms, text, currency)
  const rail = payoutRail(terms, currency, recipient_details.bank_name)
  return { amount, rail, fee: computeFee(terms, amount, rail.payout_fee, currency) }
}

/** The order is open only for an inactive user with too little money. */
const statusCheckOrder = (tx: Tx, user: User, input: PayoutInput): ReadingOf<'error.order'> => {
  if (user.status === 'active' || !hasInsufficientFunds(tx, user, input)) return 'user_first'
  return tx.useReading('error.order')
}

/** Peeks only, so that the check records no reading. */
const hasInsufficientFunds = (tx: Tx, user: User, input: PayoutInput): boolean => {
  const held = spendableBalance(tx.tables, tx.peekReading('payout.source'), user.id, input.currency)
  if (!held) return true
  try {
    const useReading: Tx['peekReading'] = (id) => tx.peekReading(id)
    return held.lt(computePrice({ tables: tx.tables, useReading }, input).fee.total)
  } catch (error) {
    if (error instanceof Refusal) return false
    throw error
  }
}

export interface PayoutTransition {
  readonly id: string
  readonly to: PayoutStatus
  readonly reason?: string | undefined
}

/** Default reason of a returned payout. */
const RETURNED = 'returned'

/** Processed pays out; failed returns the money. */
export const transitionPayout = (tx: Tx, input: PayoutTransition): Payout => {
  const payout = getPayout(tx.tables, input.id)
  assertTransition(PAYOUT_TRANSITIONS, `payout ${payout.id}`, payout.status, input.to)
  const moved = tx.replace('payouts', payout, {
    ...(input.to === 'PAYOUT_FAILED'
      ? failPayout(tx, payout, input)
      : processPayout(tx, payout, input)),
    ...(isAfterAnswer(tx, payout) && { first: withFirstStatus(payout) }),
    status: input.to,
    updated_at: tx.at,
  })
  tx.emit({
    type: 'payout.moved',
    id: payout.id,
    from: payout.status,
    to: input.to,
    ...(input.reason === undefined ? {} : { reason: input.reason }),
  })
  return moved
}

const processPayout = (tx: Tx, payout: Payout, { reason }: PayoutTransition): Payout => {
  post(tx, eventSubject(payout), settlePostings(payout))
  const reference = `${payout.rail}-${tx.digits(12)}`
  return { ...payout, reason: reason ?? payout.reason, reference }
}

const failPayout = (tx: Tx, payout: Payout, { reason }: PayoutTransition): Payout => {
  const isReturn = payout.status === 'PAYOUT_PROCESSED'
  const isFeeKept = !isZero(payout.rail_fee) && tx.useReading('payout.failed_fee') === 'kept'
  const ended: Payout = {
    ...payout,
    reason: reason ?? (isReturn ? RETURNED : payout.reason),
    ...(isFeeKept && { fee_kept: true }),
    ...(isReturn && { processed_at: payout.updated_at }),
  }
  post(tx, eventSubject(payout), returnPostings(ended))
  return ended
}

/** The payout was moved by hand at the instant of its creation, after the response. */
const isAfterAnswer = (tx: Tx, { created_at }: Payout): boolean =>
  tx.cascadeDepth === 0 && tx.at === created_at

export const selectResponse = (
  tables: Tables,
  readings: Readings,
  created: Payout,
  isNew: boolean,
): { readonly payout: Payout; readonly isReplay: boolean } => {
  // Steps that were due at once have moved the record.
  const now = getPayout(tables, created.id)
  if (!isNew && readings.peek('payout.repeat') === 'replay') {
    return { payout: toOriginalResponse(now), isReplay: true }
  }
  const isPending = isNew && now !== created && readings.use('payout.status') === 'pending'
  const payout = isPending ? created : now
  if (payout.status === 'PAYOUT_FAILED' && !isZero(payout.rail_fee)) {
    readings.record('payout.failed_fee', payout.fee_kept ? 'kept' : 'returned')
  }
  return { payout, isReplay: false }
}

export const getPayout = (tables: Tables, id: string): Payout => {
  const payout = tables.payouts.get(id)
  if (!payout) throw notFound('id', `no payout has the id ${id}`)
  return payout
}

const eventSubject = (payout: Payout) => `payout:${payout.id}`

const amountPostings = (payout: Payout): Posting[] => {
  const { user_id, currency: asset, custody } = payout
  const from = custody ? 'conversion' : `user:${user_id}`
  const draws = custodyPostings(custody?.amount ?? [])
  return [...draws, { from, to: TRANSIT, asset, amount: recipientAmount(payout) }]
}

const feePostings = (payout: Payout): Posting[] => {
  const { user_id, currency: asset, rail, rail_fee: amount, custody } = payout
  const from = custody ? 'conversion' : `user:${user_id}`
  return [...custodyPostings(custody?.fee ?? []), { from, to: `rail:${rail}`, asset, amount }]
}

const reservePostings = (payout: Payout): Posting[] => [
  ...amountPostings(payout),
  ...feePostings(payout),
]

const settlePostings = (payout: Payout): Posting[] => [
  { from: TRANSIT, to: 'outside', asset: payout.currency, amount: recipientAmount(payout) },
]

/** Excludes a fee that the rail keeps. */
const returnPostings = (payout: Payout): Posting[] => {
  const { fee_kept, processed_at } = payout
  return reversePostings([
    ...amountPostings(payout),
    ...(fee_kept ? [] : feePostings(payout)),
    ...(processed_at ? settlePostings(payout) : []),
  ])
}

const recipientAmount = ({ amount, rail_fee, currency, fee_deducted }: Payout): Amount =>
  fee_deducted ? round(new Decimal(amount).minus(rail_fee), assetDecimals(currency)) : amount

/** The postings that the audit expects, in order. */
export const expectedPayoutPostings = (payout: Payout): Posting[] => {
  const { status, processed_at } = payout
  const isPaidOut = status === 'PAYOUT_PROCESSED' || processed_at !== undefined
  return [
    ...reservePostings(payout),
    ...(isPaidOut ? settlePostings(payout) : []),
    ...(status === 'PAYOUT_FAILED' ? returnPostings(payout) : []),
  ]
}
