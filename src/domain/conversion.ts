import type { Readings } from '../assumptions/use.js'
import { assetDecimals } from './currencies.js'
import { type Amount, Decimal, isSame, isZero, round, times, ZERO } from './money.js'
import { inverseRate, railFor, rateBetween } from './rails.js'
import type { Account, Tables, Transfer } from './schema.js'

/** At the rate of now. */
export const quote = (
  tables: Tables,
  account: Account,
  source_currency: string,
  source_amount: Amount,
): Pick<Transfer, 'exchange_rate' | 'fees' | 'destination_amount' | 'payment_rail'> => {
  const { currency: target_currency, bank_name } = account
  const { id: payment_rail, transfer_fee: fees } = railFor(tables, target_currency, bank_name)
  const exchange_rate = rateBetween(tables, source_currency, target_currency)
  const destination_amount = netAmount({ source_amount, exchange_rate, fees, target_currency })
  return { exchange_rate, fees, destination_amount, payment_rail }
}

type QuoteTerms = Pick<Transfer, 'source_amount' | 'exchange_rate' | 'fees' | 'target_currency'>

/** Rounded once, after the fee. Fees as high as the amount leave zero. */
export const netAmount = (terms: QuoteTerms): Amount => {
  const { source_amount, exchange_rate, fees, target_currency } = terms
  const gross = times(source_amount, exchange_rate)
  return round(gross.gt(fees) ? gross.minus(fees) : ZERO, assetDecimals(target_currency))
}

export const grossAmount = (terms: Omit<QuoteTerms, 'fees'>): Amount => {
  const { source_amount, exchange_rate, target_currency } = terms
  return round(times(source_amount, exchange_rate), assetDecimals(target_currency))
}

export const feesInSource = (tables: Tables, transfer: Transfer): Amount => {
  const { source_asset, source_currency, fees, exchange_rate } = transfer
  const decimals = tables.tokens.get(source_asset)?.decimals ?? assetDecimals(source_currency)
  return round(new Decimal(fees).div(exchange_rate), decimals)
}

/** Before its conversion, a transfer may hide its amounts (transfer.unconverted). */
export const isConverted = ({ reached }: Transfer, readings: Readings): boolean =>
  reached.CONVERSION_PROCESSED !== undefined || readings.transfer.unconverted === 'known'

/** The converted amount, after or before its fee (audit.amounts). */
export const listedAmount = (transfer: Transfer, readings: Readings): Amount =>
  isZero(transfer.fees) || readings.audit.amounts === 'net'
    ? transfer.destination_amount
    : grossAmount(transfer)

/** The fee in target or source currency (transfer.fees_currency). */
export const listedFees = (tables: Tables, transfer: Transfer, readings: Readings): Amount => {
  const { fees, exchange_rate } = transfer
  const isAlike = isZero(fees) || isSame(exchange_rate, '1')
  const isInTarget = isAlike || readings.transfer.fees_currency === 'target'
  return isInTarget ? fees : feesInSource(tables, transfer)
}

/** The rate in the direction of the reading (transfer.rate). */
export const listedRate = (rate: Amount, readings: Readings): Amount =>
  isSame(rate, '1') || readings.transfer.rate === 'target_per_source' ? rate : inverseRate(rate)
