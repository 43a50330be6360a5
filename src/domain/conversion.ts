import type { ReadingLookup } from '../assumptions/ids.js'
import { assetDecimals } from './currencies.js'
import { type Amount, Decimal, isSame, isZero, round, times, ZERO } from './money.js'
import { inverseRate, railFor, rateBetween } from './rails.js'
import type { Account, Tables, Transfer, Tx } from './schema.js'

/** Fixed when the transfer is created. */
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

/** Fees above the amount leave zero. */
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

export const grossAmount = (terms: Omit<QuoteTerms, 'fees'>): Amount => {
  const { source_amount, exchange_rate, target_currency, rounding = 'half_even' } = terms
  return round(times(source_amount, exchange_rate), assetDecimals(target_currency), HOW[rounding])
}

const roundedTransfers = new WeakMap<Transfer, boolean>()

/** Whether another rounding gives another amount (conversion.rounding). Clients poll one transfer many times. */
export const isRounded = (transfer: Transfer): boolean => {
  const known = roundedTransfers.get(transfer)
  if (known !== undefined) return known
  const rounded = dependsOnRounding(transfer)
  roundedTransfers.set(transfer, rounded)
  return rounded
}

const dependsOnRounding = ({ rounding: _, ...terms }: Transfer): boolean => {
  if (times(terms.source_amount, terms.exchange_rate).eq(grossAmount(terms))) return false
  const down = netAmount({ ...terms, rounding: 'down' })
  return down !== netAmount(terms) || down !== netAmount({ ...terms, rounding: 'gross_first' })
}

/** Undefined stands for the default. */
export const roundingReading = (tx: Pick<Tx, 'peekReading'>): Transfer['rounding'] => {
  const rounding = tx.peekReading('conversion.rounding')
  return rounding === 'half_even' ? undefined : rounding
}

export const feesInSource = (tables: Tables, transfer: Transfer): Amount => {
  const { source_asset, source_currency, fees, exchange_rate } = transfer
  const decimals = tables.tokens.get(source_asset)?.decimals ?? assetDecimals(source_currency)
  return round(new Decimal(fees).div(exchange_rate), decimals)
}

/** Before its conversion, a transfer may hide its amounts (transfer.unconverted). */
export const isConverted = ({ reached }: Transfer, read: ReadingLookup): boolean =>
  reached.CONVERSION_PROCESSED !== undefined || read('transfer.unconverted') === 'known'

/** The converted amount, after or before its fee (audit.amounts). */
export const listedAmount = (transfer: Transfer, read: ReadingLookup): Amount =>
  isZero(transfer.fees) || read('audit.amounts') === 'net'
    ? transfer.destination_amount
    : grossAmount(transfer)

/** The fee in target or source currency (transfer.fees_currency). */
export const listedFees = (tables: Tables, transfer: Transfer, read: ReadingLookup): Amount => {
  const { fees, exchange_rate } = transfer
  const isAlike = isZero(fees) || isSame(exchange_rate, '1')
  const isInTarget = isAlike || read('transfer.fees_currency') === 'target'
  return isInTarget ? fees : feesInSource(tables, transfer)
}

/** The rate in the direction of the reading (transfer.rate). */
export const listedRate = (rate: Amount, read: ReadingLookup): Amount =>
  isSame(rate, '1') || read('transfer.rate') === 'target_per_source' ? rate : inverseRate(rate)
