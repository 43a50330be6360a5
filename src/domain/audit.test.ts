import { beforeEach, describe, expect, test } from 'vitest'
import { emptyWorld, fixtureWorld } from '../../test/support/domain-world.js'
import { audit } from './audit.js'
import type { LedgerRecord, Posting } from './balance-index.js'
import type { Deposit, Tables } from './schema.js'
import { loadTables } from './world.js'

const ADA = '11111111-1111-4111-8111-000000000001'

const open = (): Tables => fixtureWorld().tables

let tables: Tables

beforeEach(() => {
  tables = open()
})

/** Rewrites the movements of a subject behind the back of every command. */
const tamper = (tables: Tables, id: string, change: (all: readonly Posting[]) => Posting[]) => {
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
  test('passes for the fixtures, with every asset at zero', () => {
    const { ok, assets, violations } = audit(open())
    expect({ ok, violations }).toEqual({ ok: true, violations: [] })
    const names = assets.map(({ asset }) => asset)
    expect(names).toEqual(expect.arrayContaining(['EUR', 'USD', 'NGN', 'KES', 'USDC@polygon']))
    expect(names).toEqual(names.toSorted())
    expect(assets.map(({ sum }) => sum)).toEqual(assets.map(() => '0'))
  })

  test('passes for an empty world', () => {
    const world = emptyWorld({ now: 0 })
    expect(audit(world.tables)).toEqual({ ok: true, assets: [], violations: [] })
  })

  test('repeats the report of the records underneath until a world writes its own', () => {
    const base = open()
    const [one, other] = [loadTables(base), loadTables(base)]
    expect(audit(one)).toEqual(audit(base))
    expect(audit(other)).toBe(audit(one))
    tamper(one, 'refund:test', () => [{ from: 'fees', to: 'held', asset: 'USD', amount: '1.00' }])
    expect(audit(one).violations).toHaveLength(1)
    expect(audit(other).violations).toEqual([])
  })

  test('sums amounts of all decimals exactly', () => {
    const { tables } = emptyWorld({ now: 0 })
    const out = { from: 'held', to: 'fees', asset: 'USD' }
    tamper(tables, 'credit:test', () => [
      { ...out, amount: '0.000000000000000001' },
      { ...out, amount: '123456789012345.5' },
      { ...out, amount: '7' },
    ])
    expect(audit(tables).assets).toEqual([
      {
        asset: 'USD',
        sum: '0',
        accounts: {
          held: '-123456789012352.500000000000000001',
          fees: '123456789012352.500000000000000001',
        },
      },
    ])
  })

  test.each<[string, (all: readonly Posting[]) => Posting[]]>([
    ['a movement is missing', (all) => all.slice(0, -1)],
    ['a movement is there twice', (all) => [...all, ...all.slice(-1)]],
    ['an amount differs', (all) => all.map((it) => ({ ...it, amount: `1${it.amount}` }))],
    ['an account differs', (all) => all.map((it) => ({ ...it, to: 'unmatched' }))],
    ['an account that it left differs', (all) => all.map((it) => ({ ...it, from: 'unmatched' }))],
    ['there are none', () => []],
  ])('finds a transfer whose movements were changed: %s', (_, change) => {
    const id = first(tables, 'CONVERSION_PROCESSED')
    tamper(tables, `transfer:${id}`, change)
    expect(audit(tables).violations).toContain(
      `transfer ${id} is CONVERSION_PROCESSED, but its postings do not match`,
    )
  })

  test('finds a status without its postings', () => {
    const transfer = tables.transfers.first('status', 'FUNDS_RECEIVED')
    const payout = tables.payouts.first('status', 'PAYOUT_PENDING')
    if (!transfer || !payout) throw new Error('the fixtures have one of each')
    const reached = { ...transfer.reached, FAILED: '2026-06-15T09:00:00.000Z' }
    tables.transfers.write(transfer.id, transfer, { ...transfer, status: 'FAILED', reached })
    tables.payouts.write(payout.id, payout, { ...payout, status: 'PAYOUT_PROCESSED' })
    expect(audit(tables).violations).toEqual([
      `transfer ${transfer.id} is FAILED, but its postings do not match`,
      `payout ${payout.id} is PAYOUT_PROCESSED, but its postings do not match`,
    ])
  })

  test('finds an account below zero', () => {
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
      'credit:test is not a single posting of a currency from outside to a user',
    ])
  })

  /** Sums follow what differs from the record before: one that is said to have been so all along escapes them. */
  const slip = (tables: Tables, id: string, change: Partial<Posting>) => {
    const before = tables.ledger.get(id)
    if (!before) throw new Error(`the fixtures have movements of ${id}`)
    const movements = before.movements.map((it) => ({ ...it, ...change }))
    const after = { ...before, movements }
    tables.ledger.write(id, after, after)
  }

  test('finds a wrong running balance', () => {
    const deposit = tables.deposits.first('matched', 'wallet')
    slip(tables, 'credit:fixture-1', { amount: '10000.01' })
    slip(tables, `deposit:${deposit?.id}`, { amount: '1500.000001' })
    expect(audit(tables).violations).toEqual([
      `user:${ADA} shows 10000 USD, but its postings sum to 10000.01`,
      `wallet:${deposit?.wallet_id} shows 1500 USDC@ethereum, but its postings sum to 1500.000001`,
      `deposit ${deposit?.id} moved 1500.000000 USDC@ethereum to wallet ${deposit?.wallet_id}, but ` +
        'its postings do not match',
    ])
  })

  test('finds a missing running balance', () => {
    slip(tables, 'credit:fixture-1', { asset: 'GBP' })
    expect(audit(tables).violations).toEqual([
      `user:${ADA} shows no GBP, but its postings sum to 10000`,
    ])
  })
})

describe('the audit of deposits', () => {
  const unlike = 'but its postings do not match'
  const from = { from: 'outside', amount: '1.00' }

  const deposit = (tables: Tables, matched: Deposit['matched']): Deposit => {
    const found = tables.deposits.first('matched', matched)
    if (!found) throw new Error(`the fixtures have no deposit matched ${matched}`)
    return found
  }
  const edit = (tables: Tables, matched: Deposit['matched'], change: Partial<Deposit>) => {
    const before = deposit(tables, matched)
    tables.deposits.write(before.id, before, { ...before, ...change })
    return before
  }

  test.each<[Deposit['matched'], Partial<Deposit>, string]>([
    ['wallet', { amount: '5000' }, 'moved 5000 USDC@ethereum to wallet'],
    ['wallet', { crypto: 'ZZZ', chain: 'moon' }, 'moved 1500.000000 ZZZ@moon to wallet'],
    ['unmatched', { amount: '5000' }, 'to nobody'],
    ['unmatched', { matched: 'wallet', wallet_id: 'w' }, 'to wallet w'],
    ['offramp', { matched: 'unmatched' }, 'to nobody'],
  ])('finds a deposit to %s changed to %j', (matched, change, words) => {
    const { id } = edit(tables, matched, change)
    const [violation = '', ...more] = audit(tables).violations
    expect(violation).toContain(`deposit ${id} moved `)
    expect(violation).toContain(`${words}`)
    expect(violation.endsWith(`, ${unlike}`)).toBe(true)
    expect(more).toEqual([])
  })

  test.each<Partial<Deposit>>([{ amount: '5000' }, { chain: 'base' }, { transfer_id: 'none' }])(
    'sees one to an offramp that its transfer does not convert: %j',
    (change) => {
      const { id } = edit(tables, 'offramp', change)
      const words = change.transfer_id ? 'but that does not exist' : 'but that converts '
      expect(audit(tables).violations).toEqual([expect.stringContaining(words)])
      expect(audit(tables).violations[0]).toContain(`deposit ${id} moved `)
    },
  )

  test('finds a deposit without postings, and postings without a deposit', () => {
    const { id, wallet_id } = deposit(tables, 'wallet')
    const row = tables.ledger.get(`deposit:${id}`)
    tables.ledger.write(`deposit:${id}`, row, undefined)
    tamper(tables, 'deposit:none', () => [...(row?.movements ?? [])])
    expect(audit(tables).violations).toEqual([
      `deposit ${id} moved 1500.000000 USDC@ethereum to wallet ${wallet_id}, ${unlike}`,
      'deposit:none moves money, but no deposit has that id',
    ])
  })

  const credited = { to: `user:${ADA}`, asset: 'USD' }

  const NO_CREDIT = 'is not a single posting of a currency from outside to a user'
  const NO_NOUN = 'is not a transfer, payout, deposit or credit'
  const fee = { to: 'fees', asset: 'USD' }

  test.each<[string, (Pick<Posting, 'to' | 'asset'> & Partial<Posting>)[], string]>([
    ['credit:a', [], NO_CREDIT],
    ['credit:a', [{ ...credited, to: 'user:none' }], NO_CREDIT],
    ['credit:a', [{ ...credited, asset: 'USDC@base' }], NO_CREDIT],
    ['credit:a', [fee], NO_CREDIT],
    ['credit:a', [{ ...credited, to: `wallet:${ADA}` }], NO_CREDIT],
    ['credit:a', [credited, credited], NO_CREDIT],
    ['credit:a', [{ ...credited, from: 'fees' }], NO_CREDIT],
    ['refund:a', [fee], NO_NOUN],
    ['transfer:a', [fee], 'moves money, but no transfer has that id'],
    ['nothing', [fee], NO_NOUN],
  ])('finds postings of %s, %j, without a record', (id, movements, words) => {
    tamper(tables, id, () => movements.map((it) => ({ ...from, ...it })))
    expect(audit(tables).violations).toEqual([expect.stringContaining(words)])
  })

  test('finds an unknown asset, except among unmatched deposits', () => {
    const before = edit(tables, 'wallet', { crypto: 'ZZZ' })
    const asset = `ZZZ@${before.chain}`
    tamper(tables, `deposit:${before.id}`, (all) => all.map((it) => ({ ...it, asset })))
    expect(audit(tables).violations).toEqual([
      `deposit:${before.id} moves ${asset}, which is neither a currency nor a token`,
    ])
    const other = open()
    const { id } = edit(other, 'unmatched', { crypto: 'ZZZ', chain: 'moon' })
    tamper(other, `deposit:${id}`, (all) => all.map((it) => ({ ...it, asset: 'ZZZ@moon' })))
    expect(audit(other).violations).toEqual([])
  })
})
