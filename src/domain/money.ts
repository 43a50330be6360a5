import Decimal from 'big.js'
import { invalidInput } from '../kernel/refusal.js'

export { Decimal }

/** A decimal string without exponent, with all the decimals of its asset. */
export type Amount = string

/** Fifteen digits stay exact in the JSON numbers of the contract. */
const MAX_DIGITS = 15
/**
 * Digits before the point that a token keeps even if its decimals use up the fifteen. Its JSON
 * numbers are cut.
 */
const MIN_WHOLE_DIGITS = 6

const wholeDigits = (decimals: number): number => Math.max(MAX_DIGITS - decimals, MIN_WHOLE_DIGITS)
const DECIMAL = /^(\d+)(?:\.(\d+))?$/

export const ZERO = new Decimal(0)

/** The only place that rounds amounts: half to even by default. */
export const round = (
  value: Decimal,
  decimals: number,
  how: 0 | 1 | 2 | 3 = Decimal.roundHalfEven,
): Amount => value.toFixed(decimals, how)

/** Drops trailing zeros. */
export const roundRate = (value: Decimal, decimals: number): Amount =>
  new Decimal(round(value, decimals)).toFixed()

export const plus = (a: Amount, b: Amount): Decimal => new Decimal(a).plus(b)
export const times = (a: Amount, b: Amount): Decimal => new Decimal(a).times(b)
/** Compares by value. Other text than amounts compares by spelling. */
export const isSame = (a: string, b: string): boolean =>
  a === b || (DECIMAL.test(a) && DECIMAL.test(b) && dropZeros(a) === dropZeros(b))
const dropZeros = (amount: Amount): string =>
  (amount.includes('.') ? amount.replace(/\.?0+$/, '') : amount).replace(/^0+(?=\d)/, '')
export const isZero = (a: Amount): boolean => !/[1-9]/.test(a)

export const isTooLarge = (text: string, decimals: number): boolean =>
  text.length > wholeDigits(decimals) &&
  (DECIMAL.exec(text)?.[1] ?? '').replace(/^0+/, '').length > wholeDigits(decimals)

/** Completes the sentence "Expected an amount in <asset>, …". */
export const digitsHelp = (decimals: number): string =>
  `of at most ${wholeDigits(decimals)} digits before the point and ${decimals} after it`

const MAX_WRITTEN = 40

/**
 * Writes small and large numbers without exponent, as far as anybody would. Returns text unchanged.
 */
export const plainDecimal = (given: number | string): string => {
  const text = String(given)
  if (typeof given === 'string' || !text.includes('e')) return text
  const digits = new Decimal(given).toFixed()
  return digits.length > MAX_WRITTEN ? text : digits
}

/** Accepts amounts above zero with the decimals of the asset. */
export const parseAmount = (
  text: string,
  decimals: number,
  asset: string,
  field = 'amount',
): Amount => {
  const [, whole, fraction = ''] = DECIMAL.exec(text) ?? []
  if (whole === undefined) {
    throw invalidInput(field, text, 'a plain decimal number such as 12.50')
  }
  if (fraction.length > decimals) {
    throw invalidInput(field, text, `at most ${decimals} decimals in ${asset}`)
  }
  if (isTooLarge(text, decimals)) {
    const most =
      '9'.repeat(wholeDigits(decimals)) + (decimals > 0 ? `.${'9'.repeat(decimals)}` : '')
    throw invalidInput(field, text, `at most ${most} ${asset}`)
  }
  if (isZero(text)) throw invalidInput(field, text, 'an amount above zero')
  const isCanonical = fraction.length === decimals && (whole === '0' || !whole.startsWith('0'))
  return isCanonical ? text : round(new Decimal(text), decimals)
}

/** Rounds an amount that has too many decimals; returns other text unchanged. */
export const scaled = (text: string, decimals: number): string =>
  hasExcess(text, decimals) ? round(new Decimal(text), decimals) : text

export const hasExcess = (text: string, decimals: number): boolean => {
  const point = text.indexOf('.')
  return point >= 0 && text.length - point - 1 > decimals && DECIMAL.test(text)
}

/** For JSON. A number cannot show all digits of a long amount; it is then cut, never above it. */
export const toNumber = (amount: Amount): number => {
  const nearest = Number(amount)
  if (amount.length <= MAX_DIGITS + 1 || new Decimal(nearest).lte(amount)) return nearest
  return nearest * (1 - Number.EPSILON / 2)
}
