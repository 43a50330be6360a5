import { invalidInput } from '../kernel/refusal.js'

/**
 * Source: ISO 4217:2015, list one as of amendment 180 (January 2026), without funds codes and
 * precious metals.
 */
const TWO_DECIMALS =
  'AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BMD BND BOB BRL BSD BTN BWP BYN BZD CAD CDF ' +
  'CHF CNY COP CRC CUP CVE CZK DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GTQ GYD HKD HNL ' +
  'HTG HUF IDR ILS INR IRR JMD KES KGS KHR KPW KYD KZT LAK LBP LKR LRD LSL MAD MDL MGA MKD MMK MNT MOP ' +
  'MRU MUR MVR MWK MXN MYR MZN NAD NGN NIO NOK NPR NZD PAB PEN PGK PHP PKR PLN QAR RON RSD RUB SAR SBD ' +
  'SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS TMT TOP TRY TTD TWD TZS UAH USD UYU UZS ' +
  'VED VES WST XCD XCG YER ZAR ZMW ZWG'
const NO_DECIMALS = 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX VND VUV XAF XOF XPF'
const THREE_DECIMALS = 'BHD IQD JOD KWD LYD OMR TND'

const decimals = new Map<string, number>()
for (const code of TWO_DECIMALS.split(' ')) decimals.set(code, 2)
for (const code of NO_DECIMALS.split(' ')) decimals.set(code, 0)
for (const code of THREE_DECIMALS.split(' ')) decimals.set(code, 3)

export const currencyCodes: readonly string[] = [...decimals.keys()]

export const fiatDecimals = (code: string): number | undefined => decimals.get(code)

/** Refuses codes that are not active in ISO 4217. */
export const assetDecimals = (currency: string, field = 'currency'): number => {
  const decimals = fiatDecimals(currency)
  if (decimals === undefined) {
    throw invalidInput(field, currency, 'an active ISO 4217 code in upper case')
  }
  return decimals
}
