import { describe, expect, test } from 'vitest'
import { balanceOf } from '../support/balances.js'
import { expectRefusal } from '../support/client.js'
import { payoutId, users } from '../support/fixture-ids.js'
import { moneyOf } from '../support/ledger.js'
import { openSandbox } from '../support/open-sandbox.js'
import type { Payout } from '../support/wire.js'

type SandboxPayout = Payout & { readonly reason: string | null; readonly legal_moves: string[] }

const path = '/_sandbox/payouts'
const pathOf = (n: number) => `${path}/${payoutId(n)}/advance`

describe('advancePayout', () => {
  test('processes a pending payout, which gets its reference', async () => {
    const api = await openSandbox()
    api.sandbox.advance('1m')
    expect(await api.make<SandboxPayout>(pathOf(3))).toMatchObject({
      status: 'PAYOUT_PROCESSED',
      reference: expect.stringMatching(/^MPESA-\d{12}$/),
      reason: null,
      legal_moves: ['PAYOUT_FAILED'],
      updated_at: '2026-06-15T09:01:00.000Z',
    })
    expect(await balanceOf(api, users.ben, 'KES')).toBe(500_000)
    await moneyOf(api)
  })

  test('failing one returns amount and fee', async () => {
    const api = await openSandbox()
    const body = { to: 'PAYOUT_FAILED', reason: 'account_closed' }
    expect(await api.make<SandboxPayout>(pathOf(3), body)).toMatchObject({
      status: 'PAYOUT_FAILED',
      reference: null,
      reason: 'account_closed',
      legal_moves: [],
    })
    expect(await balanceOf(api, users.ben, 'KES')).toBe(500_000 + 12_500 + 25)
    await moneyOf(api)
  })

  test.each([
    [1, 'legal moves: PAYOUT_FAILED'],
    [2, 'PAYOUT_FAILED is final'],
  ])('payout %d has no next status', async (n, choice) => {
    const api = await openSandbox()
    const words = `which has no next status; ${choice}`
    expectRefusal(await api.post(pathOf(n)), 409, '4090', words)
  })
})
