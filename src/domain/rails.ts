import { invalidInput, ruleViolation } from '../kernel/refusal.js'
import { type Amount, Decimal, round, roundRate, times } from './money.js'
import type { Rail, Tables } from './schema.js'

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

const findProviderRail = (rails: readonly Rail[], bank_name: string): Rail | undefined => {
  const provider = bank_name.trim().toLowerCase()
  return rails.find(({ providers }) => providers.some((it) => it.toLowerCase() === provider))
}

const findBankRail = (rails: readonly Rail[]): Rail | undefined =>
  rails.find(({ providers }) => providers.length === 0)

const refuseRail = (tables: Tables, currency: string, field: string): never => {
  const known = [...new Set(tables.rails.list('all', '').map((it) => it.currency))].join(', ')
  throw invalidInput(field, currency, `a currency with a rail: ${known}`)
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
