import { describe, expect, test } from 'vitest'
import { balanceOf } from '../support/balances.js'
import { footprint } from '../support/cases/subject.js'
import { type Client, expectRefusal } from '../support/client.js'
import { ownId, payoutId, users } from '../support/fixture-ids.js'
import { invalid, inWords } from '../support/invalid.js'
import { openSandbox } from '../support/open-sandbox.js'
import { payoutRequest } from '../support/requests.js'
import type { Payout } from '../support/wire.js'
import { withField } from '../support/with-field.js'

const path = '/payment/api/v1/payout'

/** The request that made a payout of the fixtures. */
const requestOf = (api: Client, id: string) => {
  const record = api.sandbox.tables.payouts.get(id)
  if (!record) throw new Error(`the fixtures have no payout ${id}`)
  const { user_id, currency, customer_payout_id, amount, account_details } = record
  return { user_id, currency, customer_payout_id, amount, recipient_details: account_details }
}

describe('an amount of many digits', () => {
  test('is shown as beyond 1e308 when no number holds it', async () => {
    const api = await openSandbox()
    const text = JSON.stringify(payoutRequest()).replace(/"amount":"[^"]*"/, '"amount":1e400')
    const headers = { 'content-type': 'application/json' }
    const answer = await api.call('POST', path, { headers, raw: text })
    expectRefusal(answer, 400, '4000', invalid('amount', inWords('a number beyond 1e308')))
  })
})

describe('createPayout and money', () => {
  describe('the same customer_payout_id again', () => {
    test('answers the same payout and pays once', async () => {
      const api = await openSandbox()
      const first = await api.make<Payout>(path, payoutRequest())
      const before = footprint(api)
      for (const amount of ['1500.00', '1500', '1500.0', '01500.000']) {
        expect(await api.make<Payout>(path, { ...payoutRequest(), amount })).toEqual(first)
      }
      const id = payoutRequest().customer_payout_id.toUpperCase()
      const shouted = await api.make<Payout>(path, { ...payoutRequest(), customer_payout_id: id })
      expect(shouted).toEqual(first)
      expect(footprint(api)).toEqual(before)
    })

    test('shows the payout as it is now', async () => {
      const api = await openSandbox()
      const request = requestOf(api, payoutId(3))
      const pending = await api.make<Payout>(path, request)
      expect(pending).toMatchObject({ status: 'PAYOUT_PENDING', reference: null })
      api.sandbox.advance('1h')
      await api.make(`/_sandbox/payouts/${payoutId(3)}/advance`)
      const processed = await api.make<Payout>(path, request)
      expect(processed).toEqual({
        ...pending,
        status: 'PAYOUT_PROCESSED',
        reference: expect.stringMatching(/^MPESA-\d{12}$/),
        updated_at: '2026-06-15T10:00:00.000Z',
      })
    })

    test('is answered when it failed, and when the user is no longer active', async () => {
      const api = await openSandbox()
      expect(await api.make<Payout>(path, requestOf(api, payoutId(2)))).toMatchObject({
        id: payoutId(2),
        status: 'PAYOUT_FAILED',
      })
      const first = await api.make<Payout>(path, payoutRequest())
      await api.make(`/_sandbox/users/${users.ada}/status`, { status: 'paused' })
      expect(await api.make<Payout>(path, payoutRequest())).toEqual(first)
    })

    test.each([
      ['user_id', users.ben],
      ['amount', '1500.01'],
    ])('but another %s is refused', async (name, value) => {
      const api = await openSandbox()
      const { id } = await api.make<Payout>(path, payoutRequest())
      const before = footprint(api)
      const answer = await api.post(path, withField(payoutRequest(), name, value))
      const words = `already names payout ${id} with another ${name}`
      expectRefusal(answer, 400, '4000', 'customer_payout_id: ', words)
      expect(footprint(api)).toEqual(before)
    })

    test('fifty at once pay once', async () => {
      const api = await openSandbox()
      const calls = Array.from({ length: 50 }, () => api.make<Payout>(path, payoutRequest()))
      const ids = new Set((await Promise.all(calls)).map(({ id }) => id))
      expect(ids.size).toBe(1)
      expect(await balanceOf(api, users.ada, 'NGN')).toBe(5_000_000 - 1_500 - 50)
      expect(api.sandbox.audit().ok).toBe(true)
    })
  })

  test('fifty different ones at once take only what is there', async () => {
    const api = await openSandbox()
    const credit = { currency: 'USD', amount: '100.00' }
    await api.make(`/_sandbox/users/${users.hanna}/balances`, credit)
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, n) => {
        const own = { user_id: users.hanna, customer_payout_id: ownId(100 + n) }
        return api.post(path, { ...payoutRequest(), ...own, currency: 'USD', amount: '9.75' })
      }),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(10)
    expect(answers.filter(({ status }) => status === 400)).toHaveLength(40)
    expect(await balanceOf(api, users.hanna, 'USD')).toBe(0)
  })

  test('an insufficient balance is shown with all its digits', async () => {
    const api = await openSandbox()
    const before = footprint(api)
    const answer = await api.post(path, { ...payoutRequest(), amount: '4999950.10' })
    const words = '4999950.10 and the fee of 50.00 make 5000000.10 NGN; the balance is 5000000.00'
    expectRefusal(answer, 400, '4000', `amount: ${words}`)
    expect(footprint(api)).toEqual(before)
  })

  test('a currency in which there never was a balance is not found', async () => {
    const api = await openSandbox()
    const answer = await api.post(path, { ...payoutRequest(), currency: 'GBP' })
    expectRefusal(answer, 404, '4040', `currency: user ${users.ada} has no balance in GBP`)
  })

  test('a currency that no rail pays out is refused, and those that are paid out named', async () => {
    const api = await openSandbox()
    await api.make(`/_sandbox/users/${users.ada}/balances`, { currency: 'JPY', amount: '5000' })
    const answer = await api.post(path, { ...payoutRequest(), currency: 'JPY', amount: '100' })
    const words =
      'Invalid currency: got "JPY". Expected a currency with a rail: USD, EUR, NGN, KES, GBP'
    expectRefusal(answer, 400, '4000', words)
  })

  test.each(['0.01', '0.10', '0.29', '1.10', '4.35', '9999999999998.99'])(
    '%s is exact on the wire and in the balance',
    async (amount) => {
      const api = await openSandbox()
      const credit = { currency: 'USD', amount: '9999999999999.99' }
      await api.make(`/_sandbox/users/${users.hanna}/balances`, credit)
      const body = { ...payoutRequest(), user_id: users.hanna, currency: 'USD', amount }
      expect((await api.make<Payout>(path, body)).amount).toBe(Number(amount))
      const cents = (text: string) => BigInt(text.replace('.', ''))
      const left = cents('9999999999999.99') - cents(amount) - 25n
      expect(await balanceOf(api, users.hanna, 'USD')).toBe(Number(left) / 100)
    },
  )
})
