import { describe, expect, it } from 'vitest'
import { readFixtures } from '../fixtures/read.js'
import { fixturesFolder } from '../paths.js'
import { audit } from './audit.js'
import type { LedgerRecord, Movement } from './ledger.js'
import { createWorld, type Tables } from './world.js'

const given = readFixtures(fixturesFolder)
const ADA = '11111111-1111-4111-8111-000000000001'

const open = (): Tables => {
  const world = createWorld({
    seed: 'audit',
    now: given.now,
    react: () => undefined,
    record: () => {},
  })
  world.run('fixtures.load', given, { kind: 'fixtures' })
  return world.tables
}

/** Rewrites the movements of a subject behind the back of every command. */
const tamper = (tables: Tables, id: string, change: (all: readonly Movement[]) => Movement[]) => {
  const before = tables.ledger.get(id)
  const n = before?.n ?? tables.ledger.next
  const after: LedgerRecord = { ...before, id, n, movements: change(before?.movements ?? []) }
  // In two steps, so that the sums kept along the way follow.
  if (before) tables.ledger.write(id, before, undefined)
  tables.ledger.write(id, undefined, after)
}

const first = (tables: Tables, status: string): string => {
  const transfer = tables.transfers.first('status', status)
  if (!transfer) throw new Error(`the fixtures have no transfer that is ${status}`)
  return transfer.id
}

describe('the audit', () => {
  it('proves the fixtures, and every asset sums to zero', () => {
    const { ok, assets, violations } = audit(open())
    expect({ ok, violations }).toEqual({ ok: true, violations: [] })
    expect(assets.map(({ asset }) => asset)).toEqual(
      expect.arrayContaining(['EUR', 'USD', 'NGN', 'KES', 'USDC@polygon']),
    )
    expect(assets.map(({ sum }) => sum)).toEqual(assets.map(() => '0'))
  })

  it('proves an empty world', () => {
    const world = createWorld({ seed: '', now: 0, react: () => undefined, record: () => {} })
    expect(audit(world.tables)).toEqual({ ok: true, assets: [], violations: [] })
  })

  it('says what each kind of account holds', () => {
    const tables = open()
    const held = (asset: string, kind: string) =>
      audit(tables).assets.find((it) => it.asset === asset)?.accounts[kind]
    const before = Number(held('USD', 'user'))
    tamper(tables, 'credit:test', () => [
      { from: 'outside', to: `user:${ADA}`, asset: 'USD', amount: '0.10' },
    ])
    expect(Number(held('USD', 'user'))).toBeCloseTo(before + 0.1, 6)
    expect(audit(tables).ok).toBe(true)
  })

  it.each([
    ['a movement is missing', (all: readonly Movement[]) => all.slice(0, -1)],
    ['a movement is there twice', (all: readonly Movement[]) => [...all, ...all.slice(-1)]],
    [
      'an amount differs',
      (all: readonly Movement[]) => all.map((it) => ({ ...it, amount: `1${it.amount}` })),
    ],
    [
      'an account differs',
      (all: readonly Movement[]) => all.map((it) => ({ ...it, to: 'unmatched' })),
    ],
    ['there are none', () => []],
  ])('sees that of a transfer %s', (_, change) => {
    const tables = open()
    const id = first(tables, 'CONVERSION_PROCESSED')
    tamper(tables, `transfer:${id}`, change)
    const { ok, violations } = audit(tables)
    expect(ok).toBe(false)
    expect(violations).toContain(
      `transfer ${id} is CONVERSION_PROCESSED, which its movements of money do not match`,
    )
  })

  it('sees a status that money did not follow', () => {
    const tables = open()
    const transfer = tables.transfers.first('status', 'FUNDS_RECEIVED')
    const payout = tables.payouts.first('status', 'PAYOUT_PENDING')
    if (!transfer || !payout) throw new Error('the fixtures have one of each')
    const reached = { ...transfer.reached, FAILED: '2026-06-15T09:00:00.000Z' }
    tables.transfers.write(transfer.id, transfer, { ...transfer, status: 'FAILED', reached })
    tables.payouts.write(payout.id, payout, { ...payout, status: 'PAYOUT_PROCESSED' })
    expect(audit(tables).violations).toEqual([
      `transfer ${transfer.id} is FAILED, which its movements of money do not match`,
      `payout ${payout.id} is PAYOUT_PROCESSED, which its movements of money do not match`,
    ])
  })

  it('sees an account below zero', () => {
    const tables = open()
    const taken = { to: 'outside', amount: '99999999.00' }
    tamper(tables, 'credit:test', () => [
      { ...taken, from: `user:${ADA}`, asset: 'USD' },
      { ...taken, from: 'wallet:none', asset: 'USDC@polygon' },
      { ...taken, from: 'transit', asset: 'EUR' },
    ])
    expect(audit(tables).violations).toEqual([
      `user:${ADA} is below zero: -99989999 USD`,
      'wallet:none is below zero: -99999999 USDC@polygon',
      'transit:test is below zero: -99999999 EUR',
    ])
  })

  /** Sums follow movements that are added: one that is changed in its place escapes them. */
  const slip = (tables: Tables, id: string, change: Partial<Movement>) => {
    const before = tables.ledger.get(id)
    if (!before) throw new Error(`the fixtures have movements of ${id}`)
    const movements = before.movements.map((it) => ({ ...it, ...change }))
    tables.ledger.write(id, before, { ...before, movements })
  }

  it('trusts no sum that was kept along the way', () => {
    const tables = open()
    const deposit = tables.deposits.first('matched', 'wallet')
    slip(tables, 'credit:fixture-1', { amount: '10000.01' })
    slip(tables, `deposit:${deposit?.id}`, { amount: '1500.000001' })
    expect(audit(tables).violations).toEqual([
      `user:${ADA} shows 10000 USD, movements say 10000.01`,
      `wallet:${deposit?.wallet_id} shows 1500 USDC@ethereum, movements say 1500.000001`,
    ])
  })

  it('misses a sum that was not kept', () => {
    const tables = open()
    slip(tables, 'credit:fixture-1', { asset: 'GBP' })
    expect(audit(tables).violations).toEqual([`user:${ADA} shows no GBP, movements say 10000`])
  })
})
