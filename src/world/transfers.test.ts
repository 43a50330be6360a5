import { describe, expect, it } from 'vitest'
import { readFixtures } from '../fixtures/read.js'
import { fixturesFolder } from '../paths.js'
import { isoTime } from './kernel/time.js'
import { nextStatus, TRANSFER_STATUSES, type TransferStatus } from './transfers.js'
import { createWorld } from './world.js'

const given = readFixtures(fixturesFolder)
const BY = { kind: 'library' } as const
const ADA = '11111111-1111-4111-8111-000000000001'

const open = () => {
  const world = createWorld({
    seed: 'way',
    now: given.now,
    react: () => undefined,
    record: () => {},
  })
  world.run('fixtures.load', given, { kind: 'fixtures' })
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
  return { world, made, move }
}

describe('a transfer', () => {
  it('has its rate, fee and amounts from the start', () => {
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

  it('keeps them on its way, and stamps every status', () => {
    const { made, move } = open()
    const { status, reached, updated_at, bank_txn_reference, ...fixed } = made
    const way: TransferStatus[] = [
      'FUNDS_RECEIVED',
      'CONVERSION_PROCESSED',
      'PAYMENT_SUBMITTED',
      'PAYMENT_PROCESSED',
      'FAILED',
    ]
    let stamps: Record<string, string> = reached
    for (const [i, to] of way.entries()) {
      const now = isoTime(given.now + (i + 1) * 1_000)
      stamps = { ...stamps, [to]: now }
      expect(move(to)).toMatchObject({ ...fixed, reached: stamps, updated_at: now })
    }
  })

  it('has a bank reference once the payment is submitted, and keeps it', () => {
    const { move } = open()
    expect(move('FUNDS_RECEIVED').bank_txn_reference).toBeNull()
    expect(move('CONVERSION_PROCESSED').bank_txn_reference).toBeNull()
    const { bank_txn_reference } = move('PAYMENT_SUBMITTED')
    expect(bank_txn_reference).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-/)
    expect(move('PAYMENT_PROCESSED').bank_txn_reference).toBe(bank_txn_reference)
    expect(move('FAILED').bank_txn_reference).toBe(bank_txn_reference)
  })

  it('keeps the last reason that was given', () => {
    const { move } = open()
    expect(move('FUNDS_RECEIVED', 'early').reason).toBe('early')
    expect(move('CONVERSION_PROCESSED').reason).toBe('early')
    expect(move('FAILED', 'account_closed').reason).toBe('account_closed')
  })
})

describe('nextStatus', () => {
  it('leads from the first status to the last good one', () => {
    const way: TransferStatus[] = ['PENDING']
    for (let next = nextStatus('PENDING'); next; next = nextStatus(next)) way.push(next)
    expect(way).toEqual(TRANSFER_STATUSES.slice(0, 5))
  })

  it('has none after an end', () => {
    const ends: TransferStatus[] = ['PAYMENT_PROCESSED', 'FAILED', 'CANCELLED']
    expect(ends.map(nextStatus)).toEqual([undefined, undefined, undefined])
  })
})
