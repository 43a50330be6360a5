import type { Readings } from '../assumptions/use.js'
import { invalidInput, notFound, Refusal } from '../kernel/refusal.js'
import { accountForm } from './account-numbers.js'
import type { Posting } from './balance-index.js'
import { assetDecimals } from './currencies.js'
import { post, reversePostings, TRANSIT } from './ledger.js'
import { type Amount, Decimal, isZero, parseAmount, plus, round } from './money.js'
import { findRepeated, type PayoutInput } from './payout-idempotency.js'
import { availableBalance, custodyPostings, drawCustody } from './payout-source.js'
import { railFor } from './rails.js'
import type { Payout, PayoutStatus, Rail, Tables, Tx } from './schema.js'
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
 * Pays out from the user's available balance. A known customer_payout_id returns its payout
 * (payout.repeat). Refusals in order: unknown user, id of another request, no balance, user not active,
 * amount, no rail, account number, amount not above a fee that it pays, balance too small.
 */
export const createPayout = (tx: Tx, input: PayoutInput): Payout => {
  const user = getUser(tx.tables, input.user_id)
  const again = findRepeated(tx, input)
  if (again) {
    tx.emit({ type: 'payout.repeated', id: again.id })
    return again
  }
  const { currency, recipient_details } = input
  const available = availableBalance(tx, user.id, currency)
  assertMayTransact(tx, user)
  const amount = parseAmount(input.amount, assetDecimals(currency), currency)
  const rail = railFor(tx.tables, currency, recipient_details.bank_name)
  assertAccountNumber(tx, rail, recipient_details.recipient_account_number)
  const isDeducted = !isZero(rail.payout_fee) && tx.readings.payout.fee === 'deducted'
  assertCovered(tx, available, amount, rail, isDeducted)
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
    account_details: recipient_details,
    ...(isDeducted && { fee_deducted: true }),
    created_at: tx.at,
    updated_at: tx.at,
  }
  const isCustody = tx.readings.payout.source === 'custody'
  const payout = tx.add('payouts', isCustody ? payFromCustody(tx, draft) : draft)
  post(tx, eventSubject(payout), reservePostings(payout))
  tx.emit({ type: 'payout.created', id: payout.id })
  return payout
}

const payFromCustody = (tx: Tx, payout: Payout): Payout => {
  const { user_id, currency, rail_fee: fee } = payout
  const parts = { amount: recipientAmount(payout), fee }
  return { ...payout, custody: drawCustody(tx.tables, user_id, currency, parts) }
}

const assertAccountNumber = (tx: Tx, rail: Rail, number: string): void => {
  const { fits, accepted } = accountForm(rail)
  if (fits(number) || tx.readings.payout.account_number === 'any') return
  const field = 'recipient_details.recipient_account_number'
  throw invalidInput(field, number, `${accepted} on ${rail.id}`)
}

/** The balance pays amount and fee; or the amount, of which the recipient gets less (payout.fee). */
const assertCovered = (
  tx: Tx,
  available: Decimal,
  amount: Amount,
  { payout_fee: fee, currency }: Rail,
  isDeducted: boolean,
): void => {
  const due = isDeducted ? new Decimal(amount) : plus(amount, fee)
  if (isDeducted && due.lte(fee))
    throw invalidInput('amount', amount, `more than the fee of ${fee} ${currency}`)
  if (available.gte(due)) return
  const decimals = assetDecimals(currency)
  const cost = isDeducted
    ? `the amount is ${amount} ${currency}`
    : `${amount} and the fee of ${fee} make ${round(due, decimals)} ${currency}`
  throw new Refusal(
    tx.readings.payout.balance === 'not_found' ? 'unknown' : 'rule',
    `${cost}; the balance is ${round(available, decimals, Decimal.roundDown)}`,
    'amount',
  )
}

export interface PayoutTransition {
  readonly id: string
  readonly to: PayoutStatus
  readonly reason?: string | undefined
}

/** Processed pays out; failed returns the money. */
export const transitionPayout = (tx: Tx, input: PayoutTransition): Payout => {
  const payout = getPayout(tx.tables, input.id)
  assertTransition(PAYOUT_TRANSITIONS, `payout ${payout.id}`, payout.status, input.to)
  const { status, reference, updated_at } = payout
  const moved = tx.replace('payouts', payout, {
    ...(input.to === 'PAYOUT_FAILED'
      ? failPayout(tx, payout, input)
      : processPayout(tx, payout, input)),
    ...(isAnswered(tx, payout) && { first: payout.first ?? { status, reference, updated_at } }),
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

/** Moves at the instant of the creation belong to its response, unless somebody else makes them. */
const isAnswered = (tx: Tx, { created_at }: Payout): boolean =>
  tx.cascadeDepth === 0 || tx.at !== created_at

const processPayout = (tx: Tx, payout: Payout, { reason }: PayoutTransition): Payout => {
  post(tx, eventSubject(payout), settlePostings(payout))
  const reference = `${payout.rail}-${tx.digits(12)}`
  return { ...payout, reason: reason ?? payout.reason, reference }
}

/** Default reason of a returned payout. */
const RETURNED = 'returned'

const failPayout = (tx: Tx, payout: Payout, { reason }: PayoutTransition): Payout => {
  const isReturn = payout.status === 'PAYOUT_PROCESSED'
  const ended: Payout = {
    ...payout,
    reason: reason ?? (isReturn ? RETURNED : payout.reason),
    ...(isReturn && { processed_at: payout.updated_at }),
  }
  post(tx, eventSubject(payout), returnPostings(ended))
  return ended
}

/** The payout as the response shows it: a new one may be pending still, a repeated one as at first. */
export const shownPayout = (
  tables: Tables,
  readings: Readings,
  { id }: Payout,
  isNew: boolean,
): Payout => {
  // Steps that were due at once have moved the record.
  const now = getPayout(tables, id)
  if (!isNew && readings.payout.repeat !== 'replay') return now
  const first = { ...now, ...now.first }
  return first.status !== 'PAYOUT_PENDING' && readings.payout.status === 'pending'
    ? { ...first, status: 'PAYOUT_PENDING', reference: null, updated_at: now.created_at }
    : first
}

export const getPayout = (tables: Tables, id: string): Payout => {
  const payout = tables.payouts.get(id)
  if (!payout) throw notFound('id', `no payout has the id ${id}`)
  return payout
}

const eventSubject = (payout: Payout) => `payout:${payout.id}`

const reservePostings = (payout: Payout): Posting[] => {
  const { user_id, currency: asset, custody, rail, rail_fee } = payout
  const from = custody ? 'conversion' : `user:${user_id}`
  return [
    ...custodyPostings(custody?.amount ?? []),
    { from, to: TRANSIT, asset, amount: recipientAmount(payout) },
    ...custodyPostings(custody?.fee ?? []),
    { from, to: `rail:${rail}`, asset, amount: rail_fee },
  ]
}

const settlePostings = (payout: Payout): Posting[] => [
  { from: TRANSIT, to: 'outside', asset: payout.currency, amount: recipientAmount(payout) },
]

const returnPostings = (payout: Payout): Posting[] =>
  reversePostings([
    ...reservePostings(payout),
    ...(payout.processed_at ? settlePostings(payout) : []),
  ])

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
