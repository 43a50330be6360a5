import { describe, expect, test } from 'vitest'
import { fiatDecimals } from './currencies.js'

describe('fiatDecimals', () => {
  test.each([
    ['EUR', 2],
    ['USD', 2],
    ['GBP', 2],
    ['NGN', 2],
    ['KES', 2],
    ['MGA', 2],
    ['JPY', 0],
    ['KRW', 0],
    ['UGX', 0],
    ['ISK', 0],
    ['XOF', 0],
    ['BHD', 3],
    ['IQD', 3],
    ['KWD', 3],
    ['TND', 3],
  ])('%s has %d decimals', (code, decimals) => expect(fiatDecimals(code)).toBe(decimals))

  test.each([
    ['usd', 'lower case'],
    ['US', 'too short'],
    ['USDC', 'a token'],
    ['', 'nothing'],
    ['XXX', 'no currency'],
    ['XAU', 'gold'],
    ['CLF', 'a fund'],
    ['USN', 'a fund'],
    ['DEM', 'withdrawn in 2002'],
    ['HRK', 'withdrawn in 2023'],
    ['ZWL', 'withdrawn in 2024'],
    ['ANG', 'withdrawn in 2025'],
    ['BGN', 'withdrawn in 2026'],
    ['constructor', 'a name of JavaScript’s own'],
  ])('%s is not a currency: %s', (code) => expect(fiatDecimals(code)).toBeUndefined())

  test.each(['SLE', 'VED', 'XCG', 'ZWG'])('%s is known, although recent', (code) =>
    expect(fiatDecimals(code)).toBe(2),
  )
})
