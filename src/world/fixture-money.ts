import { toAsset } from './chains.js'
import { fiatDecimals } from './currencies.js'
import { Decimal } from './decimal.js'
import { assertNew, fixtureError, invalidValue } from './fixture-validation.js'
import { type Amount, digitsHelp, hasExcess, isTooLarge, isZero, round } from './money.js'
import { findRate, HUB, type Rate } from './rails.js'
import type { Tables } from './world.js'

/** What amounts and rates of fixtures have to keep to, so that no figure made of them is false. */

/** What an amount is counted in. */
export interface Asset {
  readonly name: string
  readonly decimals: number
}

export const fiatAsset = (code: string, path: string): Asset => {
  const decimals = fiatDecimals(code)
  if (decimals === undefined)
    throw invalidValue(path, code, 'an active ISO 4217 code in upper case')
  return { name: code, decimals }
}

export interface NamedToken {
  readonly crypto: string
  readonly chain: string
}

export const tokenAsset = (tables: Tables, { crypto, chain }: NamedToken, path: string): Asset => {
  const token = tables.tokens.get(toAsset(crypto, chain))
  if (!token) throw invalidValue(path, crypto, `the symbol of a token on ${chain} in tokens.json`)
  return { name: token.id, decimals: token.decimals }
}

/** The amount with all the decimals of its asset. */
export const parseFixtureAmount = (
  text: string,
  asset: Asset,
  path: string,
  least = ABOVE,
): Amount => {
  const { name, decimals } = asset
  const fits = !hasExcess(text, decimals) && !isTooLarge(text, decimals)
  if (fits && (least === ZERO_TOO || !isZero(text))) return round(new Decimal(text), decimals)
  throw invalidValue(path, text, `${least} in ${name}, ${digitsHelp(decimals)}`)
}

const ABOVE = 'an amount above zero'
export const ZERO_TOO = 'an amount'

/** Rates are kept with eight decimals, both ways: one outside of this would be zero. */
const MIN_RATE = '0.00000001'
const MAX_RATE = '100000000'
export const RATES = `from ${MIN_RATE} to ${MAX_RATE}`
export const isRate = (rate: Decimal): boolean => rate.gte(MIN_RATE) && rate.lte(MAX_RATE)

export const assertRate = (
  tables: Tables,
  { id, base, quote, rate }: Omit<Rate, 'n'>,
  path: string,
): void => {
  assertNew(tables.rates.get(id) ? 1 : 0, `${base} to ${quote}`, path)
  fiatAsset(quote, `${path}.quote`)
  if (fiatDecimals(base) === undefined && tables.tokens.count('symbol', base) === 0) {
    throw invalidValue(`${path}.base`, base, 'an active ISO 4217 code, or a symbol in tokens.json')
  }
  if (base === quote) throw invalidValue(`${path}.quote`, quote, 'another currency than base')
  if (!isRate(new Decimal(rate))) throw invalidValue(`${path}.rate`, rate, RATES)
}

/** Rates that are worked out of two others have the same bounds. */
export const assertRates = (tables: Tables, path: string): void => {
  const currencies = new Set([HUB, ...tables.rails.list('all', '').map((it) => it.currency)])
  const symbols = tables.tokens.list('all', '').map(({ symbol }) => symbol)
  for (const source of new Set([...symbols, ...currencies])) {
    for (const target of currencies) {
      const rate = findRate(tables, source, target)
      if (!rate || isRate(rate)) continue
      throw fixtureError(
        path,
        `they make a rate of ${rate.toFixed()} from ${source} to ${target}; accepted: ${RATES}`,
      )
    }
  }
}
