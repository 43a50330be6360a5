import { describe, expect, test } from 'vitest'
import { BY, fixtureWorld, fixtures as given } from '../../test/support/domain-world.js'
import type { Cause } from '../kernel/entry.js'

const ADA = '11111111-1111-4111-8111-000000000001'

const asked = (...scenarios: string[]): Cause => ({
  kind: 'request',
  request: 'test',
  operation: 'initiateOfframp',
  scenarios,
})

const open = () => {
  const world = fixtureWorld()
  const register = (more: object) => {
    const account = { user_id: ADA, currency: 'EUR', account_number: '1', ...more }
    return world.run('account.register', account, BY).id
  }
  const initiate = (account_id: string, cause: Cause = BY) =>
    world.run('offramp.initiate', { user_id: ADA, account_id }, cause)
  return { world, register, initiate }
}

describe('a deposit address', () => {
  test('has the scenarios of the last request that named some', () => {
    const { register, initiate } = open()
    const account = register({})
    expect(initiate(account, asked('slow')).scenarios).toEqual(['slow'])
    const kept = initiate(account)
    expect(kept.scenarios).toEqual(['slow'])
    expect(initiate(account, asked('stuck'))).toEqual({ ...kept, scenarios: ['stuck'] })
  })
})

test('a deposit to a wallet has the scenarios of the wallet', () => {
  const { world } = open()
  const input = { user_id: ADA, chain: 'tron', customer_wallet_ref: ADA }
  const { wallet } = world.run('wallet.create', input, asked('slow'))
  const deposit = { address: wallet.wallet_address, amount: '1', crypto: 'USDT' }
  expect(world.run('deposit.receive', deposit, BY)).toMatchObject({
    matched: 'wallet',
    scenarios: ['slow'],
  })
})

test('a deposit of an unknown token has six decimals', () => {
  const { world } = open()
  const address = given.wallets[0]?.wallet_address ?? ''
  const send = (amount: string) =>
    world.run('deposit.receive', { address, amount, crypto: 'DOGE' }, BY)
  expect(send('1.5').amount).toBe('1.500000')
  expect(() => send('1.1234567')).toThrow('at most 6 decimals in DOGE')
})
