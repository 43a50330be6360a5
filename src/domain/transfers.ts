import { notFound } from '../kernel/refusal.js'
import { afterPoll } from '../kernel/timer-records.js'
import { getUserAccount } from './accounts.js'
import type { Posting } from './balance-index.js'
import { netAmount, quote } from './conversion.js'
import { assetDecimals } from './currencies.js'
import { post, reversePostings, TRANSIT } from './ledger.js'
import { type Amount, isZero, parseAmount } from './money.js'
import { railFor, rateBetween } from './rails.js'
import {
  type Account,
  BELOW_FEE,
  type Tables,
  type Transfer,
  type TransferSource,
  type TransferStatus,
  type Tx,
} from './schema.js'
import { assertTransition, noNextStatus, type TransitionTable } from './transitions.js'
import { assertActive, fullName, getUser } from './users.js'

/**
 * Decided: the contract shows none. PAYMENT_PROCESSED to FAILED: the receiving bank returned the
 * payment.
 */
export const TRANSFER_TRANSITIONS: TransitionTable<TransferStatus> = {
  PENDING: ['FUNDS_RECEIVED', 'FAILED', 'CANCELLED'],
  FUNDS_RECEIVED: ['CONVERSION_PROCESSED', 'FAILED', 'CANCELLED'],
  CONVERSION_PROCESSED: ['PAYMENT_SUBMITTED', 'FAILED'],
  PAYMENT_SUBMITTED: ['PAYMENT_PROCESSED', 'FAILED'],
  PAYMENT_PROCESSED: ['FAILED'],
  FAILED: [],
  CANCELLED: [],
}

interface NewTransfer {
  readonly kind: Transfer['kind']
  readonly account: Account
  readonly source_currency: string
  readonly source_asset: string
  readonly source_amount: Amount
  readonly source: TransferSource
}

export const createTransfer = (tx: Tx, input: NewTransfer): Transfer => {
  const { account, ...given } = input
  const transfer = tx.add('transfers', {
    id: tx.uuid(),
    n: tx.tables.transfers.next,
    ...given,
    user_id: account.user_id,
    account_id: account.id,
    target_currency: account.currency,
    ...quote(tx.tables, account, input.source_currency, input.source_amount),
    status: 'PENDING',
    reached: { PENDING: tx.at },
    reason: null,
    bank_txn_reference: null,
    created_at: tx.at,
    updated_at: tx.at,
  })
  tx.emit({ type: 'transfer.created', id: transfer.id })
  const isBelowFee =
    isZero(transfer.destination_amount) && tx.readings.conversion.rate_fixed === 'deposit'
  // The transfer fails before rules see it.
  return isBelowFee ? failBelowFee(tx, transfer) : transfer
}

const failBelowFee = (tx: Tx, { id }: Transfer): Transfer =>
  transitionTransfer(tx, { id, to: 'FAILED', reason: BELOW_FEE })

export interface TransferTransition {
  readonly id: string
  readonly to: TransferStatus
  readonly reason?: string | undefined
}

/** Posts the money that the new status implies. */
export const transitionTransfer = (tx: Tx, input: TransferTransition): Transfer => {
  const known = getTransfer(tx.tables, input.id, 'id')
  assertTransition(TRANSFER_TRANSITIONS, `transfer ${known.id}`, known.status, input.to)
  const isConversion = input.to === 'CONVERSION_PROCESSED'
  const transfer = isConversion ? applyConversionRate(tx, known) : known
  if (isConversion && isZero(transfer.destination_amount)) return failBelowFee(tx, known)
  postTransition(tx, transfer, input.to)
  const moved = tx.replace('transfers', known, {
    ...transfer,
    status: input.to,
    reached: { ...transfer.reached, [input.to]: tx.at },
    reason: input.reason ?? transfer.reason,
    bank_txn_reference: input.to === 'PAYMENT_SUBMITTED' ? tx.uuid() : transfer.bank_txn_reference,
    updated_at: tx.at,
  })
  tx.emit({
    type: 'transfer.moved',
    id: transfer.id,
    from: transfer.status,
    to: input.to,
    ...(input.reason === undefined ? {} : { reason: input.reason }),
  })
  return moved
}

/** A conversion uses the rate of the creation or of now (conversion.rate_fixed). */
const applyConversionRate = (tx: Tx, transfer: Transfer): Transfer => {
  const { source_currency, target_currency } = transfer
  const exchange_rate = rateBetween(tx.tables, source_currency, target_currency)
  if (exchange_rate === transfer.exchange_rate) return transfer
  if (tx.readings.conversion.rate_fixed === 'deposit') return transfer
  const converted = { ...transfer, exchange_rate }
  return { ...converted, destination_amount: netAmount(converted) }
}

/** On the happy path; undefined at the end. */
export const nextStatus = (status: TransferStatus): TransferStatus | undefined =>
  status === 'PAYMENT_PROCESSED' ? undefined : TRANSFER_TRANSITIONS[status][0]

/** Rules plan its usual steps again, in place of those that are pending. */
export const resumeTransfer = (tx: Tx, { id }: { readonly id: string }): void => {
  const { status } = getTransfer(tx.tables, id, 'id')
  if (!nextStatus(status)) throw noNextStatus(TRANSFER_TRANSITIONS, `transfer ${id}`, status)
  for (const timer of tx.tables.timers.list('subject', id)) tx.unschedule(timer)
  tx.emit({ type: 'transfer.resumed', id })
}

const eventSubject = (transfer: Transfer) => `transfer:${transfer.id}`

const isEnd = (status: TransferStatus): boolean => status === 'FAILED' || status === 'CANCELLED'

const postTransition = (tx: Tx, transfer: Transfer, to: TransferStatus): void => {
  post(tx, eventSubject(transfer), isEnd(to) ? returnPostings(transfer) : postingsOn(transfer, to))
}

/** Fees are paid from the converted amount. */
const postingsOn = (transfer: Transfer, status: TransferStatus): Posting[] => {
  const { source_asset, source_amount, target_currency: asset } = transfer
  const { destination_amount, fees } = transfer
  switch (status) {
    case 'FUNDS_RECEIVED':
      return [{ from: 'outside', to: TRANSIT, asset: source_asset, amount: source_amount }]
    case 'CONVERSION_PROCESSED':
      return [
        { from: TRANSIT, to: 'conversion', asset: source_asset, amount: source_amount },
        { from: 'conversion', to: TRANSIT, asset, amount: destination_amount },
        { from: 'conversion', to: 'fees', asset, amount: fees },
      ]
    case 'PAYMENT_PROCESSED':
      return [{ from: TRANSIT, to: 'outside', asset, amount: destination_amount }]
    default:
      return []
  }
}

const forwardPostings = (transfer: Transfer): Posting[] => {
  const steps: TransferStatus[] = ['FUNDS_RECEIVED', 'CONVERSION_PROCESSED', 'PAYMENT_PROCESSED']
  return steps
    .filter((status) => transfer.reached[status])
    .flatMap((status) => postingsOn(transfer, status))
}

/** The sender gets the money back. */
const returnPostings = (transfer: Transfer): Posting[] => reversePostings(forwardPostings(transfer))

/** The postings that the audit expects, in order. */
export const expectedTransferPostings = (transfer: Transfer): Posting[] => {
  const forward = forwardPostings(transfer)
  const ended = transfer.reached.FAILED ?? transfer.reached.CANCELLED
  return ended ? [...forward, ...returnPostings(transfer)] : forward
}

export const getTransfer = (tables: Tables, id: string, field = 'transaction_id'): Transfer => {
  const transfer = tables.transfers.get(id)
  if (!transfer) throw notFound(field, `no transfer has the id ${id}`)
  return transfer
}

/** Whether a step of a rule waits for status requests of this record. */
export const isPollAwaited = (tables: Tables, id: string): boolean =>
  tables.timers.count('reads', id) > 0

/** Counts a status request. Steps that waited for it are due at once. */
export const recordPoll = (tx: Tx, { id }: { readonly id: string }): void => {
  for (const timer of tx.tables.timers.list('reads', id)) {
    tx.reschedule(timer, afterPoll(timer, tx.now))
  }
}

export interface BankTransferInput {
  readonly user_id: string
  readonly account_id: string
  readonly source_currency: string
  readonly source_amount: string
}

/**
 * From a bank account of the user to one of the user's destination accounts. Refusals in order:
 * unknown user, unknown or foreign account, user not active, currency, amount, no rail, no rate.
 */
export const startBankTransfer = (tx: Tx, input: BankTransferInput): Transfer => {
  const user = getUser(tx.tables, input.user_id)
  const account = getUserAccount(tx.tables, user.id, input.account_id)
  assertActive(user)
  const { source_currency } = input
  const decimals = assetDecimals(source_currency, 'source_currency')
  const source_amount = parseAmount(input.source_amount, decimals, source_currency, 'source_amount')
  return createTransfer(tx, {
    kind: 'bank',
    account,
    source_currency,
    source_asset: source_currency,
    source_amount,
    source: {
      sender_name: fullName(user),
      account_type: 'bank_account',
      masked_details: `****${tx.digits(4)}`,
      payment_rail: railFor(tx.tables, source_currency, '', 'source_currency').id,
    },
  })
}
