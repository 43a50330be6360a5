import Big from 'big.js'
import { describe, expect, test } from 'vitest'
import { audit } from '../../src/domain/audit.js'
import { fiatBalances } from '../../src/domain/balances.js'
import { chainTotals } from '../../src/domain/wallets.js'
import type { World } from '../../src/domain/world.js'
import { openBase, openWorld } from './open-world.js'
import {
  ADA,
  accountIn,
  move,
  startBank,
  startOfframp,
  statusNouns,
  wayTo,
} from './status-tables.js'

/** The holdings of a world: each kind of account and each user's balance, by asset. */
type Holdings = Record<string, string>

const holdingsOf = ({ tables }: World): Holdings => {
  const holdings: Holdings = {}
  for (const { asset, accounts } of audit(tables).assets) {
    for (const [kind, sum] of Object.entries(accounts)) holdings[`${kind} ${asset}`] = sum
  }
  for (const { id } of tables.users.list('all', '')) {
    for (const { currency, amount } of fiatBalances(tables, id)) {
      holdings[`${id === ADA ? 'Ada' : id} ${currency}`] = amount
    }
  }
  for (const { token, amount } of chainTotals(tables)) holdings[`wallets ${token.id}`] = amount
  return holdings
}

/** The changes between two holdings, without zeros. */
const difference = (before: Holdings, after: Holdings): Holdings => {
  const changes: Holdings = {}
  for (const place of new Set([...Object.keys(before), ...Object.keys(after)])) {
    const change = new Big(after[place] ?? 0).minus(before[place] ?? 0)
    if (!change.eq(0)) changes[place] = change.toFixed(2)
  }
  return changes
}

const nounOf = (name: string) => {
  const noun = statusNouns.find(({ noun }) => noun === name)
  if (!noun) throw new Error(`no noun is named ${name}`)
  return noun
}

const base = openBase()

/** The changes of the world's holdings after each step of a record on this path. */
const moneyAlong = (name: string, way: readonly string[]): Holdings[] => {
  const noun = nounOf(name)
  const { world } = openWorld({ base, react: () => undefined })
  const account = { user_id: ADA, account_id: accountIn('EUR') }
  world.run('offramp.initiate', account, { kind: 'library' })
  const before = holdingsOf(world)
  const id = noun.make(world)
  const money = [difference(before, holdingsOf(world))]
  for (const status of way) {
    move(world, noun, id, status)
    expect(audit(world.tables).violations).toEqual([])
    money.push(difference(before, holdingsOf(world)))
  }
  return money
}

// 100 USD or USDC buy 85 EUR at 0.85; SEPA keeps 1 EUR of them.
describe.each([
  ['bank transfer', 'USD'],
  ['offramp transfer', 'USDC@polygon'],
])('the money of a %s', (name, source) => {
  const entered = { [`outside ${source}`]: '-100.00' }
  const received = { ...entered, [`transit ${source}`]: '100.00' }
  const converted = {
    ...entered,
    [`conversion ${source}`]: '100.00',
    'conversion EUR': '-85.00',
    'transit EUR': '84.00',
    'fees EUR': '1.00',
  }
  const { 'transit EUR': arrived, ...rest } = converted
  const paid = { ...rest, 'outside EUR': arrived }

  test('enters, converts and leaves as its statuses say', () => {
    const way = wayTo(nounOf(name), 'PAYMENT_PROCESSED')
    expect(moneyAlong(name, way)).toEqual([{}, received, converted, converted, paid])
  })

  const noun = nounOf(name)
  const ends = ['FAILED', 'CANCELLED'].flatMap((end) =>
    Object.keys(noun.legal)
      .filter((from) => noun.legal[from]?.includes(end))
      .map((from) => ({ from, end })),
  )

  test('has seven ways to come to nothing', () => expect(ends).toHaveLength(7))

  test.each(ends)('is back where it came from when $from becomes $end', ({ from, end }) => {
    expect(moneyAlong(name, [...wayTo(noun, from), end]).at(-1)).toEqual({})
  })
})

describe('a transfer smaller than its fee', () => {
  test.each([
    ['bank transfer', startBank],
    ['offramp transfer', startOfframp],
  ])('%s fails at once, and no money stays', (_, start) => {
    const { world, entries } = openWorld({ base })
    world.run(
      'offramp.initiate',
      { user_id: ADA, account_id: accountIn('EUR') },
      { kind: 'library' },
    )
    const before = holdingsOf(world)
    const id = start(world, '1.18')
    expect(world.tables.transfers.get(id)).toMatchObject({
      status: 'FAILED',
      reason: 'below_fee',
      destination_amount: '0.00',
    })
    expect(world.nextDue).toBeUndefined()
    expect(entries.at(-1)?.events.map(({ type }) => type)).toEqual(
      expect.arrayContaining(['transfer.created', 'transfer.moved']),
    )
    expect(difference(before, holdingsOf(world))).toEqual({})
    expect(audit(world.tables).violations).toEqual([])
  })

  test('goes on when one cent arrives', () => {
    const { world } = openWorld({ base })
    const transfer = world.tables.transfers.get(startBank(world, '1.19'))
    expect(transfer).toMatchObject({ status: 'PENDING', destination_amount: '0.01' })
  })
})

describe('the money of a payout', () => {
  // ACH takes 0.25 USD.
  const pending = { 'user USD': '-50.25', 'Ada USD': '-50.25', 'rail USD': '0.25' }

  test('leaves the balance at once, and the world when it is processed', () => {
    expect(moneyAlong('payout', ['PAYOUT_PROCESSED'])).toEqual([
      { ...pending, 'transit USD': '50.00' },
      { ...pending, 'outside USD': '50.00' },
    ])
  })

  test.each([[['PAYOUT_FAILED']], [['PAYOUT_PROCESSED', 'PAYOUT_FAILED']]])(
    'is back on the balance, fee included, after %j',
    (way) => {
      expect(moneyAlong('payout', way).at(-1)).toEqual({})
    },
  )
})
