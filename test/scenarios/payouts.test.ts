import { describe, expect, test } from 'vitest'
import { balanceOf } from '../support/balances.js'
import { users } from '../support/fixture-ids.js'
import { moneyOf } from '../support/ledger.js'
import { missesOf, newPayouts, PAYOUT, payoutOf, playing } from '../support/scenario-client.js'
import type { Payout } from '../support/wire.js'

const FUNDS = 5_000_000
const SPENT = 1_500 + 50

describe('payout-pending-then-processed', () => {
  test('passes a client that repeats the same id', async () => {
    const api = await playing('payout-pending-then-processed')
    const made = await api.make<Payout>(PAYOUT, payoutOf(1))
    expect(made).toMatchObject({ status: 'PAYOUT_PENDING', reference: null })
    api.sandbox.advance('599s')
    expect(await api.make<Payout>(PAYOUT, payoutOf(1))).toEqual(made)
    api.sandbox.advance('1s')
    const { status, reference } = await api.make<Payout>(PAYOUT, payoutOf(1))
    expect({ status, reference }).toEqual({
      status: 'PAYOUT_PROCESSED',
      reference: expect.stringMatching(/^NIP-\d{12}$/),
    })
    expect(newPayouts(api)).toHaveLength(1)
    expect(await balanceOf(api, users.ada, 'NGN')).toBe(FUNDS - SPENT)
    await moneyOf(api)
    expect(await missesOf(api, 'payout-pending-then-processed')).toEqual([])
  })
})

describe('payout-fails-and-refunds', () => {
  test('refunds the first payout; a new id succeeds', async () => {
    const api = await playing('payout-fails-and-refunds')
    expect(await api.make<Payout>(PAYOUT, payoutOf(1))).toHaveProperty('status', 'PAYOUT_PENDING')
    expect(await balanceOf(api, users.ada, 'NGN')).toBe(FUNDS - SPENT)
    api.sandbox.advance('30s')
    expect(await balanceOf(api, users.ada, 'NGN')).toBe(FUNDS)
    const failed = await api.make<Payout>(PAYOUT, payoutOf(1))
    expect(failed).toHaveProperty('status', 'PAYOUT_FAILED')
    expect(newPayouts(api)[0]?.reason).toBe('account_closed')
    const again = await api.make<Payout>(PAYOUT, payoutOf(2))
    expect(again).toHaveProperty('status', 'PAYOUT_PROCESSED')
    expect(await balanceOf(api, users.ada, 'NGN')).toBe(FUNDS - SPENT)
    await moneyOf(api)
    expect(await missesOf(api, 'payout-fails-and-refunds')).toEqual([])
  })

  test('fails a client that never notices the failure', async () => {
    const api = await playing('payout-fails-and-refunds')
    await api.make<Payout>(PAYOUT, payoutOf(1))
    expect(await missesOf(api, 'payout-fails-and-refunds')).toEqual([
      'createPayout requests with response.status PAYOUT_FAILED: 0 (at least 1)',
    ])
  })
})
