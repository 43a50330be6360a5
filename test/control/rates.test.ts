import { describe, expect, test } from 'vitest'
import { expectRefusal } from '../support/client.js'
import { startTransfer } from '../support/control.js'
import { moneyOf } from '../support/ledger.js'
import { openSandbox } from '../support/open-sandbox.js'

const path = '/_sandbox/rates'
const change = () => ({ base: 'USD', quote: 'EUR', rate: '0.9' })

describe('setRate', () => {
  const set = async (more: object = {}) => {
    const api = await openSandbox()
    const answer = await api.call('PUT', path, { body: { ...change(), ...more } })
    return { api, answer }
  }

  test('changes what later transfers convert at, and not an earlier one', async () => {
    const { api, answer } = await set()
    expect(answer).toMatchObject({ status: 200, body: { base: 'USD', quote: 'EUR', rate: 0.9 } })
    const { items } = await api.read<{ items: { rate: number }[] }>(path)
    expect(items.map(({ rate }) => rate)).toContain(0.9)
    expect(await startTransfer(api)).toMatchObject({ exchange_rate: 0.9, destination_amount: 449 })
    api.sandbox.advance({ until: 'idle' })
    await moneyOf(api)
  })

  test.each([
    [{ base: 'EUR', quote: 'USD' }, 404, '4040', 'no rate leads from EUR to USD. Expected '],
    [{ rate: '0.000000001' }, 400, '4000', 'it makes a rate of '],
    [{ rate: '200000000' }, 400, '4000', 'it makes a rate of '],
    [{ rate: 0 }, 400, '4000', 'rate: '],
  ])('%j is refused', async (more, status, code, words) => {
    const { api, answer } = await set(more)
    expectRefusal(answer, status, code, words)
    expect((await startTransfer(api)).exchange_rate).toBe(0.85)
  })
})
