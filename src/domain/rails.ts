import { Refusal, type RefusalCode, ruleViolation } from '../kernel/refusal.js'
import { type Amount, Decimal, round, roundRate, times } from './money.js'
import type { Rail, Tables, Tx } from './schema.js'

/** Refuses a currency without a rail. */
export const railFor = (
  tables: Tables,
  currency: string,
  bank_name: string,
  field = 'currency',
): Rail => {
  const rails = tables.rails.list('currency', currency)
  return (
    findProviderRail(rails, bank_name) ?? findBankRail(rails) ?? refuseRail(tables, currency, field)
  )
}

/** A provider may have its own rail (payout.rail, payout.currency). */
export const payoutRail = (
  tx: Pick<Tx, 'tables' | 'useReading'>,
  currency: string,
  bank_name: string,
): Rail => {
  const rails = tx.tables.rails.list('currency', currency)
  const own = findProviderRail(rails, bank_name)
  const isOwn = own !== undefined && tx.useReading('payout.rail') === 'provider'
  const rail = isOwn ? own : findBankRail(rails)
  if (rail) return rail
  const code = tx.useReading('payout.currency') === 'looked_up' ? 'unknown' : 'rule'
  return refuseRail(tx.tables, currency, 'currency', code)
}

/** Whether a rail of the currency reaches this wallet provider. */
export const isProvider = (tables: Tables, currency: string, bank_name: string): boolean =>
  findProviderRail(tables.rails.list('currency', currency), bank_name) !== undefined

const findProviderRail = (rails: readonly Rail[], bank_name: string): Rail | undefined => {
  const provider = bank_name.trim().toLowerCase()
  return rails.find(({ providers }) => providers.some((it) => it.toLowerCase() === provider))
}

const findBankRail = (rails: readonly Rail[]): Rail | undefined =>
  rails.find(({ providers }) => providers.length === 0)

const refuseRail = (
  tables: Tables,
  currency: string,
  field: string,
  code: RefusalCode = 'rule',
): never => {
  const known = [...new Set(tables.rails.list('all', '').map((it) => it.currency))].join(', ')
  throw new Refusal(code, {
    field,
    received: currency,
    expected: `a currency with a rail: ${known}`,
  })
}

export const RATE_DECIMALS = 8
export const HUB = 'USD'

/** Target units for one source unit: direct, inverse, or through US dollars. */
export const rateBetween = (tables: Tables, source: string, target: string): Amount => {
  const rate = findRate(tables, source, target)
  if (rate) return roundRate(rate, RATE_DECIMALS)
  throw ruleViolation(undefined, `no exchange rate leads from ${source} to ${target}`)
}

/** Before rounding; undefined if no rates connect the two. */
export const findRate = (tables: Tables, source: string, target: string): Decimal | undefined =>
  directRate(tables, source, target) ?? crossRate(tables, source, target)

export const inverseRate = (rate: Amount): Amount =>
  roundRate(new Decimal(1).div(rate), RATE_DECIMALS)

const directRate = (tables: Tables, source: string, target: string): Decimal | undefined => {
  if (source === target) return new Decimal(1)
  const direct = tables.rates.get(`${source}/${target}`)
  if (direct) return new Decimal(direct.rate)
  const inverse = tables.rates.get(`${target}/${source}`)
  return inverse && new Decimal(1).div(inverse.rate)
}

const crossRate = (tables: Tables, source: string, target: string): Decimal | undefined => {
  const first = directRate(tables, source, HUB)
  const second = directRate(tables, HUB, target)
  return first && second && first.times(second)
}

/** Rounded down, so never more than the user has. */
export const toUsd = (tables: Tables, symbol: string, amount: Amount, decimals: number): Amount =>
  round(times(amount, rateBetween(tables, symbol, HUB)), decimals, Decimal.roundDown)
