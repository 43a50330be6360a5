import { describe, expect, test } from 'vitest'
import { BY, fixtureWorld } from '../../test/support/domain-world.js'
import type { PayoutInput } from './payout-idempotency.js'
import { tableNames } from './schema.js'

const ADA = '11111111-1111-4111-8111-000000000001'
const REF = 'eeeeeeee-eeee-4eee-8eee-000000000001'

const open = () => {
  const world = fixtureWorld()
  const sizes = () => Object.fromEntries(tableNames.map((name) => [name, world.tables[name].size]))
  return { world, tables: world.tables, sizes }
}

const payout: PayoutInput = {
  user_id: ADA,
  customer_payout_id: REF,
  currency: 'USD',
  amount: '10.50',
  recipient_details: {
    bank_name: 'First Bank',
    account_holder_name: 'Amina Yusuf',
    recipient_account_number: '0123456789',
  },
}

describe('a repeated payout', () => {
  test('returns the oldest of several with the id', () => {
    const { world } = open()
    const choose = (reading: string) =>
      world.run('reading.choose', { id: 'payout.repeat', reading }, BY)
    choose('second')
    const [first, second] = [1, 2].map(() => world.run('payout.create', payout, BY))
    expect(second?.id).not.toBe(first?.id)
    choose('current')
    expect(world.run('payout.create', payout, BY)).toEqual(first)
  })
})

describe('a repeated wallet with several of its reference', () => {
  test('returns the oldest', () => {
    const { world } = open()
    const choose = (reading: string) =>
      world.run('reading.choose', { id: 'wallet.repeat', reading }, BY)
    const input = { user_id: ADA, chain: 'solana', customer_wallet_ref: REF }
    choose('second')
    const [first, second] = [1, 2].map(() => world.run('wallet.create', input, BY))
    expect(second?.created).toBe(true)
    choose('same')
    expect(world.run('wallet.create', input, BY)).toEqual({ ...first, created: false })
  })
})
