import { describe, expect, test } from 'vitest'
import { BY, fixtureWorld } from '../../test/support/domain-world.js'
import { audit } from './audit.js'
import { fiatBalances } from './balances.js'
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
  test('returns the payout as it is now and takes no money', () => {
    const { world, tables, sizes } = open()
    const first = world.run('payout.create', payout, BY)
    const moved = world.run('payout.move', { id: first.id, to: 'PAYOUT_PROCESSED' }, BY)
    const [before, balances] = [sizes(), fiatBalances(tables, ADA)]
    for (const amount of ['10.50', '10.5', '010.5']) {
      expect(world.run('payout.create', { ...payout, amount }, BY)).toEqual(moved)
    }
    expect(sizes()).toEqual(before)
    expect(fiatBalances(tables, ADA)).toEqual(balances)
    expect(audit(tables).violations).toEqual([])
  })

  type Change = Partial<Omit<PayoutInput, 'recipient_details'> & PayoutInput['recipient_details']>

  test.each<[string, Change]>([
    ['amount', { amount: '10.51' }],
    ['amount', { amount: 'ten' }],
    ['currency', { currency: 'EUR' }],
    ['currency', { currency: 'XXX', amount: '10.51' }],
    ['recipient_details.bank_name', { bank_name: 'Second Bank' }],
    ['recipient_details.account_holder_name', { account_holder_name: 'amina yusuf' }],
    ['recipient_details.recipient_account_number', { recipient_account_number: '1' }],
  ])('is refused with another %s: %j', (field, { amount, currency, ...recipient }) => {
    const { world } = open()
    const first = world.run('payout.create', payout, BY)
    const again = {
      ...payout,
      amount: amount ?? payout.amount,
      currency: currency ?? payout.currency,
      recipient_details: { ...payout.recipient_details, ...recipient },
    }
    expect(() => world.run('payout.create', again, BY)).toThrow(
      `customer_payout_id: ${REF} already names payout ${first.id} with another ${field}`,
    )
  })

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

  test('creates a payout in another world', () => {
    const [one, other] = [open().world, open().world]
    one.run('payout.create', payout, BY)
    expect(other.run('payout.create', { ...payout, amount: '11' }, BY).amount).toBe('11.00')
  })
})

describe('a repeated wallet', () => {
  test('returns the wallet', () => {
    const { world, sizes } = open()
    const input = { user_id: ADA, chain: 'solana', customer_wallet_ref: REF }
    const first = world.run('wallet.create', input, BY)
    const before = sizes()
    expect(world.run('wallet.create', input, BY)).toEqual({ ...first, created: false })
    expect(first.created).toBe(true)
    expect(sizes()).toEqual(before)
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

describe('a repeated offramp', () => {
  test('returns the same address, and another one for another account', () => {
    const { world, tables } = open()
    const accounts = tables.accounts.list('user', ADA)
    const addresses = accounts.map(({ id: account_id }) => {
      const initiate = () => world.run('offramp.initiate', { user_id: ADA, account_id }, BY)
      const first = initiate()
      expect(initiate()).toEqual(first)
      return first.address
    })
    expect(addresses.length).toBeGreaterThan(1)
    expect(new Set(addresses).size).toBe(addresses.length)
  })

  test('expects the asset of the account, by default USDC on polygon', () => {
    const { world } = open()
    const asks = (more: object) => {
      const account = { user_id: ADA, currency: 'EUR', account_number: '1', ...more }
      const { id: account_id } = world.run('account.register', account, BY)
      const { crypto, chain } = world.run('offramp.initiate', { user_id: ADA, account_id }, BY)
      return `${crypto}@${chain}`
    }
    expect(asks({})).toBe('USDC@polygon')
    expect(asks({ crypto: 'USDT', chain: 'tron' })).toBe('USDT@tron')
  })
})
