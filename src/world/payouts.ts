import { accountForm } from './account-numbers.js'
import { Big } from './big.js'
import { decimalsOf } from './currencies.js'
import { broken, Refusal, unknown } from './kernel/refusal.js'
import { layout, type Row } from './kernel/table.js'
import { type Movement, opposite, post, TRANSIT } from './ledger.js'
import { type Amount, isZero, round } from './money.js'
import {
  type FirstAnswer,
  firstAnswerOf,
  repeatedPayout,
  withFirstStatus,
} from './payout-repeats.js'
import {
  assertSpendable,
  type Custody,
  drawCustody,
  drawMovements,
  spendable,
} from './payout-source.js'
import { feeOf, inWords, payoutAmount, type Terms } from './payout-terms.js'
import { payoutRail, type Rail } from './rails.js'
import type { ReadingOf } from './reading-names.js'
import { inQuotes, LONGEST_SHOWN } from './shortened.js'
import { assertMove, type StatusTable } from './statuses.js'
import { assertAdmitted, type User, userOf } from './users.js'
import type { Tables, Tx } from './world.js'

/** Only PAYOUT_PROCESSED is observed in the contract; the others are assumed (payout.statuses). */
export const PAYOUT_STATUSES = ['PAYOUT_PENDING', 'PAYOUT_PROCESSED', 'PAYOUT_FAILED'] as const
export type PayoutStatus = (typeof PAYOUT_STATUSES)[number]

/** PAYOUT_PROCESSED to PAYOUT_FAILED: the receiving bank returned the money (payout.transitions). */
export const payoutMoves: StatusTable<PayoutStatus> = {
  PAYOUT_PENDING: ['PAYOUT_PROCESSED', 'PAYOUT_FAILED'],
  PAYOUT_PROCESSED: ['PAYOUT_FAILED'],
  PAYOUT_FAILED: [],
}

export interface Recipient {
  readonly bank_name: string
  readonly account_holder_name: string
  readonly recipient_account_number: string
}

/** A payment out of a user's balance (contract, Resources, Payout). */
export interface Payout extends Row {
  readonly user_id: string
  readonly customer_payout_id: string
  readonly currency: string
  readonly amount: Amount
  readonly rail: string
  readonly rail_fee: Amount
  readonly reference: string | null
  readonly status: PayoutStatus
  readonly reason: string | null
  readonly account_details: Recipient
  /** The recipient bears the fee: it is taken from the amount (payout.fee). */
  readonly fee_deducted?: true
  /** The crypto that paid for it, where it was not the fiat balance (payout.source). */
  readonly custody?: Custody
  /** The rail kept its fee when the payout failed (payout.failed_fee). */
  readonly fee_kept?: true
  /** When a payout was processed that the receiving bank has returned since. */
  readonly processed_at?: string
  /** What the first answer showed otherwise than the record and the defaults tell. */
  readonly first?: FirstAnswer
  readonly created_at: string
  readonly updated_at: string
}

export const payoutsLayout = layout<Payout>()({
  all: () => '',
  user: (payout) => payout.user_id,
  status: (payout) => payout.status,
  customer_id: (payout) => payout.customer_payout_id,
  failed: ({ status, user_id }) => (status === 'PAYOUT_FAILED' ? user_id : undefined),
})

export interface PayoutInput {
  readonly user_id: string
  readonly currency: string
  readonly customer_payout_id: string
  readonly amount: string
  readonly recipient_details: Recipient
  /** It runs beside another request with its id, and is no repeat of that one (repeat.in_flight). */
  readonly doubled?: true
}

/**
 * Takes amount and fee from the user's balance and leaves the payout pending; the same
 * customer_payout_id again answers the same payout, unless it is read otherwise. Refusals in order: unknown
 * user, id used otherwise, unknown balance, user not active (error.order), amount, no rail, account
 * number, balance too small.
 */
export const createPayout = (tx: Tx, input: PayoutInput): Payout => {
  const user = userOf(tx.tables, input.user_id)
  const again = repeatedPayout(tx, input)
  if (again) {
    tx.emit({ type: 'payout.repeated', id: again.id })
    return again
  }
  const { currency } = input
  const gate = gateOf(tx, user, input)
  if (gate === 'user_first') assertAdmitted(tx, user, 'payout')
  const available = assertSpendable(tx, user.id, currency)
  if (gate === 'shape_first') assertAdmitted(tx, user, 'payout')
  const { amount, rail, fee } = assertDue(tx, input)
  const source = tx.reading('payout.source')
  if (available.lt(fee.total)) {
    const code = tx.reading('payout.balance') === 'not_found' ? 'unknown' : 'rule'
    noteFailedFees(tx, user.id, currency, source)
    const balance = round(available, decimalsOf(currency), Big.roundDown)
    throw new Refusal(code, `${inWords(fee)}; the balance is ${balance}`, 'amount')
  }
  const first = firstAnswerOf(tx)
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
  const payout = tx.add('payouts', source === 'custody' ? paidByCustody(tx, draft) : draft)
  post(tx, subjectOf(payout), movementsAtStart(payout))
  tx.emit({ type: 'payout.created', id: payout.id })
  return payout
}

/** The fees of failed payouts, returned or kept, are part of the balance that the refusal states. */
const noteFailedFees = (
  tx: Tx,
  user_id: string,
  currency: string,
  source: ReadingOf<'payout.source'>,
): void => {
  for (const payout of tx.tables.payouts.list('failed', user_id)) {
    const isOfBalance =
      source === 'custody' ? payout.custody : !payout.custody && payout.currency === currency
    if (!isOfBalance || isZero(payout.rail_fee)) continue
    tx.note('payout.failed_fee', payout.fee_kept ? 'kept' : 'returned')
  }
}

const paidByCustody = (tx: Tx, payout: Payout): Payout => {
  const { user_id, currency, rail_fee: fee } = payout
  const parts = { amount: arriving(payout), fee }
  return { ...payout, custody: drawCustody(tx.tables, user_id, currency, parts) }
}

/** Refuses an account number that its rail cannot pay to, where it has to have a form (payout.account_number). */
const assertForm = (tx: Tx, rail: Rail, { recipient_account_number: number }: Recipient): void => {
  const { fits, accepted } = accountForm(rail)
  if (fits(number) || tx.reading('payout.account_number') === 'any') return
  throw broken(
    'recipient_details.recipient_account_number',
    `${inQuotes(number, LONGEST_SHOWN)} came; accepted on ${rail.id}: ${accepted}`,
  )
}

/** What a payout costs. A refusal rests on payout.source where the other source has no balance to pay from. */
const assertDue = (tx: Tx, input: PayoutInput) => {
  try {
    const due = dueOf(tx, input)
    assertForm(tx, due.rail, input.recipient_details)
    return due
  } catch (error) {
    const other = tx.peek('payout.source') === 'fiat' ? 'custody' : 'fiat'
    if (!spendable(tx.tables, other, input.user_id, input.currency)) tx.reading('payout.source')
    throw error
  }
}

/** What a payout costs, as the readings have it. */
const dueOf = (terms: Terms, { amount: text, currency, recipient_details }: PayoutInput) => {
  const amount = payoutAmount(terms, text, currency)
  const rail = payoutRail(terms, currency, recipient_details.bank_name)
  return { amount, rail, fee: feeOf(terms, amount, rail.payout_fee, currency) }
}

/** When a user's status is looked at; it is open only for one who is not active and has too little. */
const gateOf = (tx: Tx, user: User, input: PayoutInput): ReadingOf<'error.order'> => {
  if (user.status === 'active' || !isShort(tx, user, input)) return 'user_first'
  return tx.reading('error.order')
}

/** Whether the balance is missing or too small; nothing is relied on by wondering. */
const isShort = (tx: Tx, user: User, input: PayoutInput): boolean => {
  const held = spendable(tx.tables, tx.peek('payout.source'), user.id, input.currency)
  if (!held) return true
  try {
    const reading: Tx['peek'] = (id) => tx.peek(id)
    return held.lt(dueOf({ tables: tx.tables, reading }, input).fee.total)
  } catch (error) {
    if (error instanceof Refusal) return false
    throw error
  }
}

export interface PayoutMove {
  readonly id: string
  readonly to: PayoutStatus
  readonly reason?: string | undefined
}

/** The reason of a payout that was returned, unless the move names another. */
const RETURNED = 'returned'

/** Moves a payout along the status table: processed pays it out, failed gives the money back. */
export const movePayout = (tx: Tx, input: PayoutMove): Payout => {
  const payout = payoutOf(tx.tables, input.id)
  assertMove(payoutMoves, `payout ${payout.id}`, payout.status, input.to)
  const moved = tx.replace('payouts', payout, {
    ...(input.to === 'PAYOUT_FAILED' ? failed(tx, payout, input) : processed(tx, payout, input)),
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

const processed = (tx: Tx, payout: Payout, { reason }: PayoutMove): Payout => {
  post(tx, subjectOf(payout), movementsAtEnd(payout))
  const reference = `${payout.rail}-${tx.digits(12)}`
  return { ...payout, reason: reason ?? payout.reason, reference }
}

const failed = (tx: Tx, payout: Payout, { reason }: PayoutMove): Payout => {
  const isReturn = payout.status === 'PAYOUT_PROCESSED'
  const isFeeKept = !isZero(payout.rail_fee) && tx.reading('payout.failed_fee') === 'kept'
  const ended: Payout = {
    ...payout,
    reason: reason ?? (isReturn ? RETURNED : payout.reason),
    ...(isFeeKept && { fee_kept: true }),
    ...(isReturn && { processed_at: payout.updated_at }),
  }
  post(tx, subjectOf(payout), movementsBack(ended))
  return ended
}

/** Whether a move at the instant of the making came by hand, behind the answer. */
const isAfterAnswer = (tx: Tx, { created_at }: Payout): boolean =>
  tx.chain === 0 && tx.at === created_at

/** The payout with this id; refuses an unknown one. */
export const payoutOf = (tables: Tables, id: string): Payout => {
  const payout = tables.payouts.get(id)
  if (!payout) throw unknown('id', `no payout has the id ${id}`)
  return payout
}

const subjectOf = (payout: Payout) => `payout:${payout.id}`

const amountMovements = (payout: Payout): Movement[] => {
  const { user_id, currency: asset, custody } = payout
  const from = custody ? 'conversion' : `user:${user_id}`
  const draws = drawMovements(custody?.amount ?? [])
  return [...draws, { from, to: TRANSIT, asset, amount: arriving(payout) }]
}

const feeMovements = (payout: Payout): Movement[] => {
  const { user_id, currency: asset, rail, rail_fee: amount, custody } = payout
  const from = custody ? 'conversion' : `user:${user_id}`
  return [...drawMovements(custody?.fee ?? []), { from, to: `rail:${rail}`, asset, amount }]
}

const movementsAtStart = (payout: Payout): Movement[] => [
  ...amountMovements(payout),
  ...feeMovements(payout),
]

const movementsAtEnd = (payout: Payout): Movement[] => [
  { from: TRANSIT, to: 'outside', asset: payout.currency, amount: arriving(payout) },
]

/** Reverses all movements of a payout, apart from a fee that the rail keeps. */
const movementsBack = (payout: Payout): Movement[] => {
  const { fee_kept, processed_at } = payout
  return opposite([
    ...amountMovements(payout),
    ...(fee_kept ? [] : feeMovements(payout)),
    ...(processed_at ? movementsAtEnd(payout) : []),
  ])
}

/** What the recipient gets. */
const arriving = ({ amount, rail_fee, currency, fee_deducted }: Payout): Amount =>
  fee_deducted ? round(new Big(amount).minus(rail_fee), decimalsOf(currency)) : amount

/** The movements that a payout's status calls for, in order: what the audit expects. */
export const expectedPayoutMovements = (payout: Payout): Movement[] => {
  const { status, processed_at } = payout
  const isPaidOut = status === 'PAYOUT_PROCESSED' || processed_at !== undefined
  return [
    ...movementsAtStart(payout),
    ...(isPaidOut ? movementsAtEnd(payout) : []),
    ...(status === 'PAYOUT_FAILED' ? movementsBack(payout) : []),
  ]
}
