import { notFound } from '../kernel/refusal.js'
import { afterPoll } from '../kernel/timers.js'
import { readIn } from './assumptions.js'
import type { Posting } from './balance-index.js'
import { assetDecimals } from './currencies.js'
import { Decimal } from './decimal.js'
import { HELD, post, reversed, TRANSIT } from './ledger.js'
import { type Amount, isZero, round, times, ZERO } from './money.js'
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
import { assertTransition, type TransitionTable } from './transitions.js'

/**
 * Transitions are not in the contract (transfer.transitions). PAYMENT_PROCESSED to FAILED is
 * the late failure: the receiving bank returned the payment.
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

const noReturn: TransitionTable<TransferStatus> = { ...TRANSFER_TRANSITIONS, PAYMENT_PROCESSED: [] }

/** The moves that this world allows. */
export const transferTransitionsIn = (tables: Tables): TransitionTable<TransferStatus> =>
  readIn(tables, 'transfer.transitions') === 'no_return' ? noReturn : TRANSFER_TRANSITIONS

export interface NewTransfer {
  readonly kind: Transfer['kind']
  readonly account: Account
  readonly source_currency: string
  readonly source_asset: string
  readonly source_amount: Amount
  readonly source: TransferSource
}

/** What a transfer to an account costs and brings, fixed when it is made. */
export const quote = (
  tables: Tables,
  account: Account,
  source_currency: string,
  source_amount: Amount,
  rounding?: Transfer['rounding'],
): Pick<
  Transfer,
  'exchange_rate' | 'fees' | 'destination_amount' | 'payment_rail' | 'rounding'
> => {
  const { currency } = account
  const rail = railFor(tables, currency, account.bank_name)
  const exchange_rate = rateBetween(tables, source_currency, currency)
  const fees = rail.transfer_fee
  return {
    exchange_rate,
    fees,
    destination_amount: netAmount({
      source_amount,
      exchange_rate,
      fees,
      target_currency: currency,
      ...(rounding && { rounding }),
    }),
    payment_rail: rail.id,
    ...(rounding && { rounding }),
  }
}

type QuoteTerms = Pick<
  Transfer,
  'source_amount' | 'exchange_rate' | 'fees' | 'target_currency' | 'rounding'
>

/** What arrives, after conversion and fees. Fees of more than there is leave nothing. */
export const netAmount = (terms: QuoteTerms): Amount => {
  const { fees, target_currency, rounding } = terms
  const gross =
    rounding === 'gross_first'
      ? new Decimal(grossAmount(terms))
      : times(terms.source_amount, terms.exchange_rate)
  return round(
    gross.gt(fees) ? gross.minus(fees) : ZERO,
    assetDecimals(target_currency),
    rounding === 'down' ? Decimal.roundDown : Decimal.roundHalfEven,
  )
}

const HOW = {
  half_even: Decimal.roundHalfEven,
  gross_first: Decimal.roundHalfUp,
  down: Decimal.roundDown,
} as const

/** What a transfer brings before its fee is taken. */
export const grossAmount = (terms: Omit<QuoteTerms, 'fees'>): Amount => {
  const { source_amount, exchange_rate, target_currency, rounding = 'half_even' } = terms
  return round(times(source_amount, exchange_rate), assetDecimals(target_currency), HOW[rounding])
}

/** Whether another rounding would bring another amount (conversion.rounding). */
export const isRounded = (transfer: Transfer): boolean => {
  const { rounding: _, ...terms } = transfer
  if (times(terms.source_amount, terms.exchange_rate).eq(grossAmount(terms))) return false
  const down = netAmount({ ...terms, rounding: 'down' })
  return down !== netAmount(terms) || down !== netAmount({ ...terms, rounding: 'gross_first' })
}

/** How a conversion rounds that is made now; undefined by default. */
export const roundingReading = (tx: Pick<Tx, 'peekReading'>): Transfer['rounding'] => {
  const rounding = tx.peekReading('conversion.rounding')
  return rounding === 'half_even' ? undefined : rounding
}

/** Its fee in the source currency. */
export const feesInSource = (tables: Tables, transfer: Transfer): Amount => {
  const { source_asset, source_currency, fees, exchange_rate } = transfer
  const decimals = tables.tokens.get(source_asset)?.decimals ?? assetDecimals(source_currency)
  return round(new Decimal(fees).div(exchange_rate), decimals)
}

/** Makes a PENDING transfer with its rate, fee and amounts fixed. */
export const createTransfer = (tx: Tx, input: NewTransfer): Transfer => {
  const { account, ...given } = input
  const transfer = tx.add('transfers', {
    id: tx.uuid(),
    n: tx.tables.transfers.next,
    ...given,
    user_id: account.user_id,
    account_id: account.id,
    target_currency: account.currency,
    ...quote(tx.tables, account, input.source_currency, input.source_amount, roundingReading(tx)),
    status: 'PENDING',
    reached: { PENDING: tx.at },
    reason: null,
    bank_txn_reference: null,
    created_at: tx.at,
    updated_at: tx.at,
  })
  tx.emit({ type: 'transfer.created', id: transfer.id })
  if (!isZero(transfer.destination_amount)) return transfer
  // Nothing would arrive (offramp.below_fee): it is listed, and failed before rules see it.
  return transitionTransfer(tx, { id: transfer.id, to: 'FAILED', reason: BELOW_FEE })
}

export interface TransferTransition {
  readonly id: string
  readonly to: TransferStatus
  readonly reason?: string | undefined
}

/** Moves a transfer along the status table, with the money that the new status means. */
export const transitionTransfer = (tx: Tx, input: TransferTransition): Transfer => {
  const known = getTransfer(tx.tables, input.id, 'id')
  assertTransition(allowedTransitions(tx, known), `transfer ${known.id}`, known.status, input.to)
  const transfer = input.to === 'CONVERSION_PROCESSED' ? atItsRate(tx, known) : known
  const failed_funds = isEnd(input.to) ? fundsOnFailure(tx, transfer) : undefined
  postTransition(tx, { ...transfer, ...(failed_funds && { failed_funds }) }, input.to)
  const moved = tx.replace('transfers', known, {
    ...transfer,
    ...(failed_funds && { failed_funds }),
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

/** A transfer that is converted now: its rate is that of its making, or today's (conversion.rate_fixed). */
const atItsRate = (tx: Tx, transfer: Transfer): Transfer => {
  const { source_currency, target_currency } = transfer
  const exchange_rate = rateBetween(tx.tables, source_currency, target_currency)
  if (exchange_rate === transfer.exchange_rate) return transfer
  const rate_fixed = tx.useReading('conversion.rate_fixed')
  if (rate_fixed === 'deposit') return { ...transfer, rate_fixed }
  const converted = { ...transfer, exchange_rate, rate_fixed }
  return { ...converted, destination_amount: netAmount(converted) }
}

/** The legal moves; a payment that was processed may be final (transfer.transitions). */
const allowedTransitions = (tx: Tx, { status }: Transfer): TransitionTable<TransferStatus> =>
  status === 'PAYMENT_PROCESSED' && tx.useReading('transfer.transitions') === 'no_return'
    ? noReturn
    : TRANSFER_TRANSITIONS

/** The status that follows when nothing goes wrong; undefined at the end. */
export const nextStatus = (status: TransferStatus): TransferStatus | undefined =>
  status === 'PAYMENT_PROCESSED' ? undefined : TRANSFER_TRANSITIONS[status][0]

const eventSubject = (transfer: Transfer) => `transfer:${transfer.id}`

const isEnd = (status: TransferStatus): boolean => status === 'FAILED' || status === 'CANCELLED'

/** Whether a transfer ended with money that had to go somewhere (transfer.failed_funds). */
export const hasFailedFunds = ({ status, reached }: Transfer): boolean =>
  isEnd(status) && reached.FUNDS_RECEIVED !== undefined

/** Where the money of a transfer goes that ends now; undefined for its sender, or without money. */
const fundsOnFailure = (tx: Tx, { reached }: Transfer): Transfer['failed_funds'] => {
  if (!reached.FUNDS_RECEIVED) return undefined
  const funds = tx.useReading('transfer.failed_funds')
  return funds === 'sender' ? undefined : funds
}

const postTransition = (tx: Tx, transfer: Transfer, to: TransferStatus): void => {
  post(tx, eventSubject(transfer), isEnd(to) ? returnPostings(transfer) : postingsOn(transfer, to))
}

/** What entering a status means in money. Fees are paid out of the converted amount. */
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

/** What a transfer that ends means in money: all goes back to the sender, or is kept for the user. */
const returnPostings = (transfer: Transfer): Posting[] => {
  const { failed_funds, reached, user_id, fees, source_asset, source_amount } = transfer
  if (!failed_funds) return reversed(forwardPostings(transfer))
  const to = failed_funds === 'balance' ? `user:${user_id}` : HELD
  const { target_currency: asset, destination_amount } = transfer
  if (reached.CONVERSION_PROCESSED) {
    const paid = reached.PAYMENT_PROCESSED ? postingsOn(transfer, 'PAYMENT_PROCESSED') : []
    return [
      ...reversed(paid),
      { from: TRANSIT, to, asset, amount: destination_amount },
      { from: 'fees', to, asset, amount: fees },
    ]
  }
  if (failed_funds === 'held') {
    return [{ from: TRANSIT, to, asset: source_asset, amount: source_amount }]
  }
  return [
    { from: TRANSIT, to: 'conversion', asset: source_asset, amount: source_amount },
    { from: 'conversion', to, asset, amount: destination_amount },
    { from: 'conversion', to, asset, amount: fees },
  ]
}

/** The movements that a transfer's history of statuses calls for, in order: what the audit expects. */
export const expectedTransferPostings = (transfer: Transfer): Posting[] => {
  const forward = forwardPostings(transfer)
  const ended = transfer.reached.FAILED ?? transfer.reached.CANCELLED
  return ended ? [...forward, ...returnPostings(transfer)] : forward
}

/** The transfer with this id; refuses an unknown one. */
export const getTransfer = (tables: Tables, id: string, field = 'transaction_id'): Transfer => {
  const transfer = tables.transfers.get(id)
  if (!transfer) throw notFound(field, `no transfer has the id ${id}`)
  return transfer
}

/** Whether a step of some rule waits for reads of this record. */
export const isPollAwaited = (tables: Tables, id: string): boolean =>
  tables.timers.count('reads', id) > 0

/** Counts one answered read of a record. Steps that waited for it are due at once. */
export const recordPoll = (tx: Tx, { id }: { readonly id: string }): void => {
  for (const timer of tx.tables.timers.list('reads', id)) {
    tx.reschedule(timer, afterPoll(timer, tx.now))
  }
}
