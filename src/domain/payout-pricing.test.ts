import { describe, expect, test } from 'vitest'
import { emptyWorld } from '../../test/support/domain-world.js'
import { invalid } from '../../test/support/invalid.js'
import { Readings } from '../assumptions/use.js'
import { computeFee, describeFee, type PricingContext, payoutAmount } from './payout-pricing.js'
import type { Choice } from './schema.js'

const termsBy = (...chosen: readonly (readonly [Choice['id'], string])[]): PricingContext => {
  const { tables } = emptyWorld({ now: 0 })
  const readings = new Readings(tables.readings, Object.fromEntries(chosen))
  return { tables, useReading: (id) => readings.use(id) }
}

describe('payoutAmount with payout.amount_scale=rounded', () => {
  const terms = termsBy(['payout.amount_scale', 'rounded'])
  const read = (text: string) => payoutAmount(terms, text, 'USD')

  test.each([
    ['1.005', '1.00'],
    ['1.015', '1.02'],
    ['1.5', '1.50'],
  ])('rounds %s to %s', (text, amount) => expect(read(text)).toBe(amount))

  test.each([
    ['0.001', 'an amount above zero when rounded to USD'],
    ['0', 'an amount above zero'],
    ['0.00', 'an amount above zero'],
  ])('refuses %s', (text, form) => expect(() => read(text)).toThrow(invalid('amount', text, form)))
})

describe('computeFee', () => {
  test('describes amount, fee and sum of a fee on top', () => {
    const fee = computeFee(termsBy(), '10.00', '0.25', 'USD')
    expect(describeFee(fee)).toBe('10.00 and the fee of 0.25 make 10.25 USD')
  })

  test('refuses a deducted fee that uses up the amount', () => {
    const terms = termsBy(['payout.fee', 'deducted'])
    expect(describeFee(computeFee(terms, '10.00', '0.25', 'USD'))).toBe('the amount is 10.00 USD')
    expect(computeFee(terms, '0.26', '0.25', 'USD').total.toFixed()).toBe('0.26')
    expect(() => computeFee(terms, '0.25', '0.25', 'USD')).toThrow(
      invalid('amount', '0.25', 'more than the fee of 0.25 USD'),
    )
  })
})
