import { Big } from './big.js'
import { assetOf } from './chains.js'
import { fiatDecimals } from './currencies.js'
import { assertNew, strange, wrong } from './fixture-rules.js'
import { type Amount, digitsAccepted, hasExcess, isTooLarge, isZero, round } from './money.js'
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
  if (decimals === undefined) throw strange(path, code, 'an active ISO 4217 code in upper case')
  return { name: code, decimals }
}

export interface NamedToken {
  readonly crypto: string
  readonly chain: string
}

export const tokenAsset = (tables: Tables, { crypto, chain }: NamedToken, path: string): Asset => {
  const token = tables.tokens.get(assetOf(crypto, chain))
  if (!token) throw strange(path, crypto, `the symbol of a token on ${chain} in tokens.json`)
  return { name: token.id, decimals: token.decimals }
}

/** The amount with all the decimals of its asset. */
export const amountOf = (text: string, asset: Asset, path: string, least = ABOVE): Amount => {
  const { name, decimals } = asset
  const fits = !hasExcess(text, decimals) && !isTooLarge(text, decimals)
  if (fits && (least === ZERO_TOO || !isZero(text))) return round(new Big(text), decimals)
  throw strange(path, text, `${least} in ${name}, ${digitsAccepted(decimals)}`)
}

const ABOVE = 'an amount above zero'
export const ZERO_TOO = 'an amount'

/** Rates are kept with eight decimals, both ways: one outside of this would be zero. */
const LEAST_RATE = '0.00000001'
const LARGEST_RATE = '100000000'
export const RATES = `from ${LEAST_RATE} to ${LARGEST_RATE}`
export const isRate = (rate: Big): boolean => rate.gte(LEAST_RATE) && rate.lte(LARGEST_RATE)

export const assertRate = (
  tables: Tables,
  { id, base, quote, rate }: Omit<Rate, 'n'>,
  path: string,
): void => {
  assertNew(tables.rates.get(id) ? 1 : 0, `${base} to ${quote}`, path)
  fiatAsset(quote, `${path}.quote`)
  if (fiatDecimals(base) === undefined && tables.tokens.count('symbol', base) === 0) {
    throw strange(`${path}.base`, base, 'an active ISO 4217 code, or a symbol in tokens.json')
  }
  if (base === quote) throw strange(`${path}.quote`, quote, 'another currency than base')
  if (!isRate(new Big(rate))) throw strange(`${path}.rate`, rate, RATES)
}

/** Rates that are worked out of two others have the same bounds. */
export const assertRates = (tables: Tables, path: string): void => {
  const currencies = new Set([HUB, ...tables.rails.list('all', '').map((it) => it.currency)])
  const symbols = tables.tokens.list('all', '').map(({ symbol }) => symbol)
  for (const source of new Set([...symbols, ...currencies])) {
    for (const target of currencies) {
      const rate = findRate(tables, source, target)
      if (!rate || isRate(rate)) continue
      throw wrong(
        path,
        `they make a rate of ${rate.toFixed()} from ${source} to ${target}; accepted: ${RATES}`,
      )
    }
  }
}
