import { describe, expect, test } from 'vitest'
import { fixtureWorld, fixtures as given } from '../../test/support/domain-world.js'
import { invalid } from '../../test/support/invalid.js'
import { railFor, rateBetween, toUsd } from './rails.js'
import type { Tables } from './schema.js'

const tablesWith = (changes: Partial<typeof given> = {}): Tables =>
  fixtureWorld({}, { ...given, ...changes }).tables
const tables = tablesWith()

describe('railFor', () => {
  test.each([
    ['KES', 'Equity Bank', 'PESALINK'],
    ['KES', '', 'PESALINK'],
    ['KES', 'M-PESA', 'MPESA'],
    ['KES', 'm-pesa', 'MPESA'],
    ['KES', '  Safaricom m-pesa ', 'MPESA'],
    ['KES', 'M-PESA bank', 'PESALINK'],
    ['EUR', 'M-PESA', 'SEPA'],
    ['USD', 'any', 'ACH'],
  ])('returns for %s and %j the rail %s, %s', (currency, bank, rail) =>
    expect(railFor(tables, currency, bank).id).toBe(rail),
  )

  test('lists each currency once in a refusal', () => {
    expect(() => railFor(tables, 'JPY', '')).toThrow(
      invalid('currency', 'JPY', 'a currency with a rail: USD, EUR, NGN, KES, GBP'),
    )
  })
})

describe('rateBetween', () => {
  test.each([
    ['USD', 'USD', '1'],
    ['JPY', 'JPY', '1'],
    ['USD', 'EUR', '0.85'],
    ['USD', 'NGN', '1400'],
    ['EUR', 'USD', '1.17647059'],
    ['NGN', 'USD', '0.00071429'],
    ['EUR', 'NGN', '1647.05882353'],
    ['EUR', 'GBP', '0.87058824'],
    ['USDC', 'USD', '1'],
    ['USDC', 'KES', '129'],
    ['USDT', 'EUR', '0.85'],
  ])('returns the rate of %s in %s as %s', (source, target, rate) =>
    expect(rateBetween(tables, source, target)).toBe(rate),
  )

  test('prefers a direct rate to the cross rate', () => {
    const direct = { id: 'EUR/GBP', base: 'EUR', quote: 'GBP', rate: '0.9' }
    const with_it = tablesWith({ rates: [...given.rates, direct] })
    expect(rateBetween(with_it, 'EUR', 'GBP')).toBe('0.9')
    expect(rateBetween(with_it, 'GBP', 'EUR')).toBe('1.11111111')
  })

  test.each([
    ['JPY', 'EUR'],
    ['EUR', 'JPY'],
    ['DOGE', 'USD'],
  ])('refuses %s to %s without a rate', (source, target) => {
    expect(() => rateBetween(tables, source, target)).toThrow(
      new RegExp(`^no exchange rate leads from ${source} to ${target}\\.$`),
    )
  })
})

describe('toUsd', () => {
  test('rounds the value down', () => {
    expect(toUsd(tables, 'USDC', '12.345000', 2)).toBe('12.34')
    expect(toUsd(tables, 'USDC', '12.359999', 2)).toBe('12.35')
    expect(toUsd(tables, 'USDT', '0.000001', 2)).toBe('0.00')
  })
})
