import { describe, expect, test } from 'vitest'
import { BY, fixtureWorld, fixtures as given } from '../../test/support/domain-world.js'
import type { DomainEvent } from '../kernel/entry.js'
import { audit } from './audit.js'
import { fiatBalances } from './balances.js'
import type { WorldOptions } from './world.js'

const BEN = '11111111-1111-4111-8111-000000000002'

const open = (
  rails = given.rails,
  evaluateRules: WorldOptions['evaluateRules'] = () => undefined,
) => {
  const facts: DomainEvent[] = []
  const world = fixtureWorld(
    { evaluateRules, record: ({ events }) => facts.push(...events) },
    { ...given, rails },
  )
  const pay = (currency: string, amount: string, bank_name: string) =>
    world.run(
      'payout.create',
      {
        user_id: BEN,
        customer_payout_id: 'eeeeeeee-eeee-4eee-8eee-000000000001',
        currency,
        amount,
        recipient_details: {
          bank_name,
          account_holder_name: 'Amina Yusuf',
          recipient_account_number: '0123456789',
        },
      },
      BY,
    )
  const balance = (currency: string) =>
    fiatBalances(world.tables, BEN).find((it) => it.currency === currency)?.amount
  return { world, pay, balance, facts }
}

test.each([
  ['PAYOUT_PROCESSED', {}],
  ['PAYOUT_FAILED', { reason: 'account_closed' }],
] as const)('states that it was made, and that it became %s: %j', (to, why) => {
  const { world, pay, facts } = open()
  const { id } = pay('USD', '10', 'First Bank')
  world.run('payout.move', { id, to, ...why }, BY)
  expect(JSON.parse(JSON.stringify(facts))).toEqual([
    { type: 'payout.created', id },
    { type: 'payout.moved', id, from: 'PAYOUT_PENDING', to, ...why },
  ])
})

describe('a payout', () => {
  test('over a rail without fee posts only its amount', () => {
    const { world, pay, balance } = open(given.rails.map((it) => ({ ...it, payout_fee: '0' })))
    const { id } = pay('USD', '10', 'First Bank')
    expect(balance('USD')).toBe('9990.00')
    expect(world.tables.ledger.get(`payout:${id}`)?.movements).toMatchObject([
      { from: `user:${BEN}`, to: 'transit', asset: 'USD', amount: '10.00' },
    ])
    expect(audit(world.tables).violations).toEqual([])
  })
})

test('a payout that is returned after it was processed leaves the balance as it was', () => {
  const { world, pay, balance } = open()
  const { id } = pay('USD', '10', 'First Bank')
  world.run('payout.move', { id, to: 'PAYOUT_PROCESSED' }, BY)
  world.advance(world.now + 1)
  world.run('payout.move', { id, to: 'PAYOUT_FAILED' }, BY)
  const payout = world.tables.payouts.get(id)
  expect(payout).toMatchObject({ status: 'PAYOUT_FAILED', reason: 'returned' })
  expect(payout?.reference).toMatch(/^ACH-/)
  expect(balance('USD')).toBe('10000.00')
  expect(audit(world.tables).violations).toEqual([])
})

describe('a payout out of custody wallets', () => {
  const paid = (amount: string, choices: Readonly<Record<string, string>> = {}) => {
    const opened = open()
    const { world, pay } = opened
    for (const [id, reading] of Object.entries({ 'payout.source': 'custody', ...choices })) {
      world.run('reading.choose', { id, reading }, BY)
    }
    const held = () =>
      world.tables.wallets
        .list('user', BEN)
        .flatMap(({ id }) => [...world.tables.balances.of(`wallet:${id}`)])
        .map(([asset, sum]) => `${sum.amount} ${asset}`)
    const before = held()
    const { id } = pay('USD', amount, 'First Bank')
    return { ...opened, id, before, held }
  }

  test('takes the oldest wallet first, not the fiat balance', () => {
    const { world, balance, before, held } = paid('400')
    expect(before).toEqual(['300 USDT@ethereum', '125 USDC@polygon', '60.75 USDC@solana'])
    expect(held()).toEqual(['0 USDT@ethereum', '24.75 USDC@polygon', '60.75 USDC@solana'])
    expect(balance('USD')).toBe('10000.00')
    expect(audit(world.tables).violations).toEqual([])
  })

  test('is refused above the value of the wallets', () => {
    expect(() => paid('485.51')).toThrow(
      'amount: 485.51 and the fee of 0.25 make 485.76 USD; the balance is 485.75',
    )
  })

  test('returns the crypto when it fails', () => {
    const { world, id, before, held } = paid('400')
    world.run('payout.move', { id, to: 'PAYOUT_FAILED' }, BY)
    expect(held()).toEqual(before)
    expect(audit(world.tables).violations).toEqual([])
  })
})
