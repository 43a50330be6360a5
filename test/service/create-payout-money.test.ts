import { describe, expect, test } from 'vitest'
import { balanceOf } from '../support/balances.js'
import { ownId, users } from '../support/fixture-ids.js'
import { openSandbox } from '../support/open-sandbox.js'
import { payoutRequest } from '../support/requests.js'
import type { Payout } from '../support/wire.js'

const path = '/payment/api/v1/payout'

describe('createPayout and money', () => {
  test('fifty of one customer_payout_id at once pay once', async () => {
    const api = await openSandbox()
    const calls = Array.from({ length: 50 }, () => api.make<Payout>(path, payoutRequest()))
    const ids = new Set((await Promise.all(calls)).map(({ id }) => id))
    expect(ids.size).toBe(1)
    expect(await balanceOf(api, users.ada, 'NGN')).toBe(5_000_000 - 1_500 - 50)
    expect(api.sandbox.audit().ok).toBe(true)
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

test.each(['\x1b', '\x7f', '\x85', '\udc00'])(
  'a text with the control character %j is refused',
  async (character) => {
    const api = await openSandbox()
    const body = payoutRequest()
    body.recipient_details.account_holder_name += character
    expect(await api.post(path, body)).toMatchObject({ status: 400, body: { code: '4000' } })
  },
)
