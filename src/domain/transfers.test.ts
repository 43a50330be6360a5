import { describe, expect, test } from 'vitest'
import { BY, fixtureWorld, fixtures as given } from '../../test/support/domain-world.js'
import type { Entry } from '../kernel/entry.js'
import { feesInSource, grossAmount } from './conversion.js'
import type { TransferStatus } from './schema.js'

const ADA = '11111111-1111-4111-8111-000000000001'

const rail = (id: string, currency: string, fee: string) => ({
  id,
  name: id,
  currency,
  payout_fee: fee,
  transfer_fee: fee,
  providers: [],
})

const open = (set = given) => {
  const entries: Entry[] = []
  const world = fixtureWorld({ record: (entry) => void entries.push(entry) }, set)
  const account = given.accounts.find((it) => it.user_id === ADA && it.currency === 'NGN')
  const made = world.run(
    'transfer.start',
    { user_id: ADA, account_id: account?.id ?? '', source_currency: 'EUR', source_amount: '250' },
    BY,
  )
  const move = (to: TransferStatus, reason?: string) => {
    world.advance(world.now + 1_000)
    return world.run('transfer.move', { id: made.id, to, reason }, BY)
  }
  return { world, entries, made, move }
}

describe('a transfer', () => {
  test('has rate, fee and amounts from the start', () => {
    // 250 EUR at 1400 / 0.85 make 411,764.7058825 NGN, of which NIP keeps 750.
    expect(open().made).toMatchObject({
      status: 'PENDING',
      source_amount: '250.00',
      exchange_rate: '1647.05882353',
      fees: '750.00',
      destination_amount: '411014.71',
      payment_rail: 'NIP',
      bank_txn_reference: null,
      reason: null,
      reached: { PENDING: '2026-06-15T09:00:00.000Z' },
    })
  })
})

describe('amounts of a transfer', () => {
  const set = {
    ...given,
    rails: [...given.rails, rail('ZENGIN', 'JPY', '150'), rail('BENEFIT', 'BHD', '0.250')],
    rates: [
      ...given.rates,
      { id: 'USD/JPY', base: 'USD', quote: 'JPY', rate: '150.5' },
      { id: 'USD/BHD', base: 'USD', quote: 'BHD', rate: '0.376' },
    ],
  }

  test.each([
    ['USD', '10.01', 'JPY', { net: '1357', gross: '1507', fees: '1.00' }],
    ['USD', '10.01', 'BHD', { net: '3.514', gross: '3.764', fees: '0.66' }],
    ['JPY', '10000', 'USD', { net: '64.95', gross: '66.45', fees: '226' }],
  ])('from %s %s to %s have the decimals of their currencies', (from, amount, to, amounts) => {
    const { world } = open(set)
    const account = { user_id: ADA, currency: to, account_number: '1' }
    const { id: account_id } = world.run('account.register', account, BY)
    const made = world.run(
      'transfer.start',
      { user_id: ADA, account_id, source_currency: from, source_amount: amount },
      BY,
    )
    const { destination_amount: net } = made
    const fees = feesInSource(world.tables, made)
    expect({ net, gross: grossAmount(made), fees }).toEqual(amounts)
  })

  test('of a token have its decimals', () => {
    const { world } = open()
    const { address } = given.instructions.find(({ crypto }) => crypto === 'USDC') ?? {}
    const { transfer_id } = world.run(
      'deposit.receive',
      { address: address ?? '', amount: '100' },
      BY,
    )
    const made = world.tables.transfers.get(transfer_id ?? '')
    expect(made && feesInSource(world.tables, made)).toMatch(/^\d+\.\d{6}$/)
  })
})
