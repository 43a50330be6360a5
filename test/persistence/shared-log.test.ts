import { describe, expect, test } from 'vitest'
import type { MemoryLog } from '../../src/persistence/memory.js'
import { ownId } from '../support/fixture-ids.js'
import { payoutRequest } from '../support/requests.js'
import { openOn, UnreliableLog } from '../support/shared-sandbox.js'
import { worldKey } from '../support/worlds.js'

const PAYOUT = '/payment/api/v1/payout'
const payout = (n: number) => ({ ...payoutRequest(), customer_payout_id: ownId(n), amount: '1.00' })

const openTwo = async (options: ConstructorParameters<typeof MemoryLog>[0] = {}) => {
  const log = new UnreliableLog({ isShared: true, ...options })
  return { log, one: await openOn(log), other: await openOn(log) }
}

describe('two sandboxes on one log', () => {
  test.each([
    ['the default world', undefined],
    ['a world by key', worldKey('a')],
  ])('show each what the other did in %s', async (_, key) => {
    const { one, other } = await openTwo()
    expect((await one.call('POST', PAYOUT, payout(1), key)).status).toBe(200)
    for (const path of ['/_sandbox/payouts', '/_sandbox/journal', '/_sandbox/clock']) {
      const shown = await Promise.all(
        [one, other].map((it) => it.call('GET', path, undefined, key)),
      )
      expect(shown[1]?.text).toBe(shown[0]?.text)
    }
  })

  test('undo each what the other did, resets included', async () => {
    const { one, other } = await openTwo()
    await one.call('POST', PAYOUT, payout(1))
    await other.call('POST', '/_sandbox/snapshots', { name: 'kept' })
    await one.call('POST', PAYOUT, payout(2))
    await other.call('POST', '/_sandbox/reset')
    const listed = async () => (await one.call('GET', '/_sandbox/payouts')).body.items.length
    const before = await listed()
    expect((await one.call('POST', '/_sandbox/undo')).status).toBe(200)
    expect(await listed()).toBe(before + 2)
    await other.call('POST', '/_sandbox/snapshots/kept/restore')
    expect(await listed()).toBe(before + 1)
    expect((await one.call('POST', '/_sandbox/undo')).status).toBe(200)
    expect(await listed()).toBe(before + 2)
  })
})
