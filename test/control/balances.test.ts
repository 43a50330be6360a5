import { describe, expect, test } from 'vitest'
import { expectRefusal } from '../support/client.js'
import { users } from '../support/fixture-ids.js'
import { moneyOf } from '../support/ledger.js'
import { openSandbox } from '../support/open-sandbox.js'

const path = `/_sandbox/users/${users.ada}/balances`
const credit = () => ({ currency: 'NGN', amount: '250000.00' })

describe('listUserBalances', () => {
  test('one item per currency that there was ever any of, by code', async () => {
    const api = await openSandbox()
    expect(await api.read(path)).toEqual({
      items: [
        { currency: 'EUR', amount: 8_000 },
        { currency: 'KES', amount: 500_000 },
        { currency: 'KWD', amount: 2_500.5 },
        { currency: 'NGN', amount: 5_000_000 },
        { currency: 'USD', amount: 10_000 },
        { currency: 'XOF', amount: 3_000_000 },
      ],
      pagination: { page: 0, size: 50, total_pages: 1, total_elements: 6 },
    })
    expect(await api.read(`${path}?page=1&size=5`)).toEqual({
      items: [{ currency: 'XOF', amount: 3_000_000 }],
      pagination: { page: 1, size: 5, total_pages: 2, total_elements: 6 },
    })
  })
})

describe('creditUser', () => {
  test('adds to what is there, and answers the balance after it', async () => {
    const api = await openSandbox()
    expect(await api.make(path, credit())).toEqual({ currency: 'NGN', amount: 5_250_000 })
    expect(await api.make(path, { currency: 'NGN', amount: 0.01 })).toEqual({
      currency: 'NGN',
      amount: 5_250_000.01,
    })
    await moneyOf(api)
  })

  test.each([
    ['JPY', '1.5', 'Invalid amount: got "1.5". Expected at most 0 decimals in JPY'],
    ['USD', '10000000000000.00', 'Invalid amount: got "10000000000000.00". Expected at most '],
    ['USD', 1e300, 'Invalid amount: got 1e+300. Expected a plain decimal number'],
    ['USD', 5e-324, 'Invalid amount: got 5e-324. Expected a plain decimal number'],
  ])('%s %s is no amount', async (currency, amount, words) => {
    const api = await openSandbox()
    const before = await api.read(path)
    expectRefusal(await api.post(path, { currency, amount }), 400, '4000', words)
    expect(await api.read(path)).toEqual(before)
  })
})
