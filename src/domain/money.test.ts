import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Refusal } from '../kernel/refusal.js'
import { Decimal, isZero, parseAmount, plainDecimal, round, toNumber } from './money.js'

const refusalOf = (act: () => unknown): Refusal => {
  try {
    act()
  } catch (error) {
    if (error instanceof Refusal) return error
    throw error
  }
  throw new Error('nothing was refused')
}

describe('parseAmount', () => {
  test.each([
    ['1', 2, '1.00'],
    ['1.5', 2, '1.50'],
    ['0.01', 2, '0.01'],
    ['007.5', 2, '7.50'],
    ['007', 0, '7'],
    ['0.000001', 6, '0.000001'],
    ['1.234', 3, '1.234'],
    ['9999999999999.99', 2, '9999999999999.99'],
    ['999999999999999', 0, '999999999999999'],
    ['999999999.999999', 6, '999999999.999999'],
    [`${'0'.repeat(30)}1`, 2, '1.00'],
  ])('parses %s with %d decimals as %s', (text, decimals, amount) =>
    expect(parseAmount(text, decimals, 'USD')).toBe(amount),
  )

  test.each([
    ['', 'a plain decimal number'],
    [' 1', 'a plain decimal number'],
    ['1\n', 'a plain decimal number'],
    ['+1', 'a plain decimal number'],
    ['-1', 'a plain decimal number'],
    ['1,5', 'a plain decimal number'],
    ['.5', 'a plain decimal number'],
    ['5.', 'a plain decimal number'],
    ['1e3', 'a plain decimal number'],
    ['Infinity', 'a plain decimal number'],
    ['١', 'a plain decimal number'],
    ['9'.repeat(400), 'at most 9999999999999.99 USD'],
    [`1.${'0'.repeat(19)}`, 'at most 2 decimals in USD'],
    ['0', 'an amount above zero'],
    ['0.00', 'an amount above zero'],
    ['1.001', 'at most 2 decimals in USD'],
    ['10000000000000', 'at most 9999999999999.99 USD'],
  ])('refuses %j and expects %s', (text, form) => {
    const refusal = refusalOf(() => parseAmount(text, 2, 'USD'))
    expect(refusal).toMatchObject({ code: 'rule', field: 'amount', received: text })
    expect(refusal.expected).toContain(form)
  })

  test('names the accepted form of a currency without decimals', () => {
    const read = (text: string) => () => parseAmount(text, 0, 'JPY', 'source_amount')
    expect(refusalOf(read('1.5')).expected).toBe('at most 0 decimals in JPY')
    const { field, expected } = refusalOf(read('1000000000000000'))
    expect(field).toBe('source_amount')
    expect(expected).toBe('at most 999999999999999 JPY')
  })

  test('round-trips amounts through JSON', () => {
    const decimals = fc.constantFrom(0, 2, 3, 6)
    fc.assert(
      fc.property(decimals, fc.nat(10 ** 9), fc.nat(999_999), (places, whole, part) => {
        const digits = String(part).padStart(6, '0').slice(0, places)
        const text = places === 0 ? `${whole}` : `${whole}.${digits}`
        fc.pre(whole.toString().length + places <= 15 && !isZero(text))
        const amount = parseAmount(text, places, 'XYZ')
        expect(amount).toBe(text)
        expect(toNumber(amount).toFixed(places)).toBe(amount)
      }),
    )
  })
})

describe('toNumber', () => {
  test.each([
    ['0.999999999999999999', '0.9999999999999999'],
    ['123.454999999999999999', '123.45499999999998'],
    ['999999.999999999999999999', '999999.9999999999'],
    ['12345678901234567890.5', '12345678901234567000'],
    ['0.000000000000000001', '1e-18'],
    ['1500.000000000000000000', '1500'],
    ['0.000000000000000000', '0'],
  ])('cuts %s to %s', (amount, shown) => expect(String(toNumber(amount))).toBe(shown))

  test('is never above the amount, and the next larger number is', () => {
    const amount = fc.tuple(fc.nat(10 ** 6), fc.bigInt(0n, 10n ** 18n - 1n))
    fc.assert(
      fc.property(amount, ([whole, part]) => {
        const text = `${whole}.${String(part).padStart(18, '0')}`
        const shown = toNumber(text)
        expect(new Decimal(shown).lte(text)).toBe(true)
        expect(new Decimal(shown * (1 + 2 * Number.EPSILON)).gt(text) || isZero(text)).toBe(true)
      }),
    )
  })
})

describe('round', () => {
  test.each([
    ['0.005', 2, '0.00'],
    ['0.015', 2, '0.02'],
    ['0.025', 2, '0.02'],
    ['0.035', 2, '0.04'],
    ['0.0250000001', 2, '0.03'],
    ['0.0249999999', 2, '0.02'],
    ['1.005', 2, '1.00'],
    ['2.675', 2, '2.68'],
    ['0.5', 0, '0'],
    ['1.5', 0, '2'],
    ['2.5', 0, '2'],
    ['99.995', 2, '100.00'],
    ['1', 6, '1.000000'],
    ['1e21', 2, '1000000000000000000000.00'],
  ])('rounds %s to %d decimals as %s, half to even', (value, decimals, text) =>
    expect(round(new Decimal(value), decimals)).toBe(text),
  )
})

describe('plainDecimal', () => {
  test.each<[number | string, string]>([
    [12.5, '12.5'],
    [1e-7, '0.0000001'],
    [1e21, `1${'0'.repeat(21)}`],
    [1e-38, `0.${'0'.repeat(37)}1`],
    [1e-39, '1e-39'],
    [5e-324, '5e-324'],
    [1e300, '1e+300'],
    [Number.POSITIVE_INFINITY, 'Infinity'],
    ['1e3', '1e3'],
  ])('writes %j as %s', (given, text) => expect(plainDecimal(given)).toBe(text))
})
