import { ruleViolation } from '../kernel/refusal.js'
import { Decimal } from './decimal.js'

/** A decimal string in canonical form: no exponent, as many decimals as its asset has. */
export type Amount = string

/** Fifteen digits keep an amount exact on the wire, where the contract writes a JSON number. */
const MAX_DIGITS = 15
/** A token with many decimals keeps so many digits before the point; as a JSON number its amounts are rounded. */
const MIN_WHOLE_DIGITS = 6

const wholeDigits = (decimals: number): number => Math.max(MAX_DIGITS - decimals, MIN_WHOLE_DIGITS)
const DECIMAL = /^(\d+)(?:\.(\d+))?$/

export const ZERO = new Decimal(0)

/** The one place where amounts are rounded: half to even unless told otherwise, to the decimals of the asset. */
export const round = (
  value: Decimal,
  decimals: number,
  how: 0 | 1 | 2 | 3 = Decimal.roundHalfEven,
): Amount => value.toFixed(decimals, how)

/** A rate rounded likewise, without trailing zeros. */
export const roundRate = (value: Decimal, decimals: number): Amount =>
  new Decimal(round(value, decimals)).toFixed()

export const plus = (a: Amount, b: Amount): Decimal => new Decimal(a).plus(b)
export const times = (a: Amount, b: Amount): Decimal => new Decimal(a).times(b)
/** Whether two texts are the same amount. What is no amount equals nothing but its own text. */
export const isSame = (a: string, b: string): boolean =>
  a === b || (DECIMAL.test(a) && DECIMAL.test(b) && new Decimal(a).eq(b))
export const isZero = (a: Amount): boolean => !/[1-9]/.test(a)

/** Whether an amount has too many digits before the point. */
export const isTooLarge = (text: string, decimals: number): boolean =>
  text.length > wholeDigits(decimals) &&
  (DECIMAL.exec(text)?.[1] ?? '').replace(/^0+/, '').length > wholeDigits(decimals)

/** How many digits an amount may have, as the end of a sentence that names what it is in. */
export const digitsHelp = (decimals: number): string =>
  `of at most ${wholeDigits(decimals)} digits before the point and ${decimals} after it`

const MAX_WRITTEN = 40

/**
 * A number as it is written without an exponent, which JSON numbers have when they are tiny or huge; one
 * that nobody would write out keeps it. Text is as it came.
 */
export const plainDecimal = (given: number | string): string => {
  const text = String(given)
  if (typeof given === 'string' || !text.includes('e')) return text
  const digits = new Decimal(given).toFixed()
  return digits.length > MAX_WRITTEN ? text : digits
}

/** Reads an amount from input: above zero, with no more decimals than the asset has. */
export const parseAmount = (
  text: string,
  decimals: number,
  asset: string,
  field = 'amount',
): Amount => {
  const [, whole, fraction = ''] = DECIMAL.exec(text) ?? []
  if (whole === undefined) {
    throw ruleViolation(
      field,
      `${JSON.stringify(text)} is not a plain decimal number such as 12.50`,
    )
  }
  if (fraction.length > decimals) {
    const came = fraction.length === 1 ? '1 decimal' : `${fraction.length} decimals`
    throw ruleViolation(field, `${text} has ${came}; ${asset} has at most ${decimals}`)
  }
  if (isTooLarge(text, decimals)) {
    const most =
      '9'.repeat(wholeDigits(decimals)) + (decimals > 0 ? `.${'9'.repeat(decimals)}` : '')
    throw ruleViolation(field, `${text} is too large; the most accepted is ${most} ${asset}`)
  }
  if (isZero(text)) throw ruleViolation(field, `${text} is not above zero`)
  const isCanonical = fraction.length === decimals && (whole === '0' || !whole.startsWith('0'))
  return isCanonical ? text : round(new Decimal(text), decimals)
}

/** An amount with more decimals than its asset has, rounded to those; any other text as it is. */
export const scaled = (text: string, decimals: number): string =>
  hasExcess(text, decimals) ? round(new Decimal(text), decimals) : text

/** Whether a text is an amount with more decimals than these. */
export const hasExcess = (text: string, decimals: number): boolean => {
  const point = text.indexOf('.')
  return point >= 0 && text.length - point - 1 > decimals && DECIMAL.test(text)
}

/** As the contract writes amounts: a JSON number. */
export const toNumber = (amount: Amount): number => Number(amount)
