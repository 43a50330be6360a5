import { describe, expect, it } from 'vitest'
import { readFixtures } from '../fixtures/read.js'
import { fixturesFolder } from '../paths.js'
import { audit } from './audit.js'
import type { FixtureSet } from './fixtures.js'
import type { Entry } from './kernel/entry.js'
import { Refusal } from './kernel/refusal.js'
import { createWorld, tableNames } from './world.js'

const given = readFixtures(fixturesFolder)
const UNKNOWN = 'ffffffff-ffff-4fff-bfff-ffffffffffff'
const LATER = '2026-06-15T09:00:00.001Z'

const open = (seed = 'fixtures') => {
  const entries: Entry[] = []
  const record = (entry: Entry) => void entries.push(entry)
  const world = createWorld({ seed, now: given.now, evaluateRules: () => undefined, record })
  const load = (set: FixtureSet = given) => world.run('fixtures.load', set, { kind: 'fixtures' })
  return { world, entries, load }
}

type Lists = Omit<FixtureSet, 'now'>

/** The shipped fixtures with some fields of one record set to something else. */
const withRecord = <K extends keyof Lists>(
  name: K,
  place: number,
  changes: Partial<Lists[K][number]>,
): FixtureSet => ({
  ...given,
  [name]: given[name].map((record, i) => (i === place ? { ...record, ...changes } : record)),
})

const refusalOf = (set: FixtureSet): string => {
  const { world, load } = open()
  let message = 'nothing was refused'
  try {
    load(set)
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    message = error.message
  }
  for (const name of tableNames) expect(world.tables[name].all()).toEqual([])
  return message
}

describe('loading fixtures', () => {
  it('makes one entry without events, and the ledger is proved', () => {
    const { world, entries, load } = open()
    load()
    expect(entries).toHaveLength(1)
    expect(entries[0]).toMatchObject({ command: 'fixtures.load', events: [] })
    expect(audit(world.tables)).toMatchObject({ ok: true, violations: [] })
    expect(world.tables.timers.size).toBe(0)
  })

  it('draws no dice: the seed makes no difference', () => {
    const texts = ['a', 'b'].map((seed) => {
      const { world, load } = open(seed)
      load()
      return tableNames.map((name) => JSON.stringify(world.tables[name].all()))
    })
    expect(texts[0]).toEqual(texts[1])
  })

  it('makes records in order of time, whatever their order in the file', () => {
    const { world, load } = open()
    load({ ...given, users: given.users.toReversed(), transfers: given.transfers.toReversed() })
    for (const name of ['users', 'transfers', 'payouts'] as const) {
      const times = world.tables[name].all().map(({ created_at }) => created_at)
      expect(times).toEqual(times.toSorted())
      expect(times.length).toBeGreaterThan(1)
    }
  })

  it('keeps amounts with all the decimals of their currency or token', () => {
    const { world, load } = open()
    const [payout, deposit] = [given.payouts[0]?.id ?? '', given.deposits[0]?.id ?? '']
    const set = withRecord('payouts', 0, { amount: '0150000.0', rail_fee: '50' })
    load({ ...set, deposits: withRecord('deposits', 0, { amount: '1500' }).deposits })
    const { payouts, deposits } = world.tables
    expect(payouts.get(payout)).toMatchObject({ amount: '150000.00', rail_fee: '50.00' })
    expect(deposits.get(deposit)).toMatchObject({ amount: '1500.000000' })
  })

  it('is done once', () => {
    const { world, load } = open()
    load()
    const before = JSON.stringify(world.tables.ledger.all())
    expect(() => load()).toThrow(Refusal)
    expect(JSON.stringify(world.tables.ledger.all())).toBe(before)
  })
})

describe('fixtures that do not fit together', () => {
  it.each([
    ['users', 'users.json'],
    ['api_keys', 'api-keys.json'],
    ['chains', 'chains.json'],
    ['rates', 'rates.json'],
    ['transfers', 'transfers.json'],
    ['payouts', 'payouts.json'],
  ] as const)('have an id twice in %s', (name, file) => {
    const [first] = given[name]
    const place = given[name].length
    const set = { ...given, [name]: [...given[name], first] }
    const told = name === 'rates' ? ': USDC to USD' : `.id: "${first?.id}"`
    expect(refusalOf(set)).toBe(`${file}: ${place}${told} came twice; accepted: once`)
  })

  it.each([
    ['users.json: 2.consent_id', withRecord('users', 2, { consent_id: UNKNOWN }), 'consents'],
    ['accounts.json: 0.user_id', withRecord('accounts', 0, { user_id: UNKNOWN }), 'users'],
    ['wallets.json: 1.user_id', withRecord('wallets', 1, { user_id: UNKNOWN }), 'users'],
    [
      'instructions.json: 0.account_id',
      withRecord('instructions', 0, { account_id: UNKNOWN }),
      'accounts',
    ],
    ['balances.json: 3.user_id', withRecord('balances', 3, { user_id: UNKNOWN }), 'users'],
    [
      'transfers.json: 1.account_id',
      withRecord('transfers', 1, { account_id: UNKNOWN }),
      'accounts',
    ],
    [
      'offramps.json: 0.transfer_id',
      withRecord('offramps', 0, { transfer_id: UNKNOWN }),
      'transfers',
    ],
    [
      'offramps.json: 0.instruction_id',
      withRecord('offramps', 0, { instruction_id: UNKNOWN }),
      'instructions',
    ],
    ['payouts.json: 2.user_id', withRecord('payouts', 2, { user_id: UNKNOWN }), 'users'],
    ['deposits.json: 0.offramp_id', withRecord('deposits', 0, { offramp_id: UNKNOWN }), 'offramps'],
    ['deposits.json: 0.wallet_id', withRecord('deposits', 0, { wallet_id: UNKNOWN }), 'wallets'],
  ])('refer in %s to nothing', (path, set, table) => {
    expect(refusalOf(set)).toBe(
      `${path}: "${UNKNOWN}" came; accepted: the id of one in ${table}.json`,
    )
  })

  it('refer to a chain that is not there', () => {
    const set = withRecord('wallets', 0, { blockchain: 'dogechain' })
    expect(refusalOf(set)).toBe(
      'wallets.json: 0.blockchain: "dogechain" came; accepted: the id of one in chains.json',
    )
  })

  it.each([
    ['users.json: 0.created_at', withRecord('users', 0, { created_at: LATER })],
    ['api-keys.json: 1.created_at', withRecord('api_keys', 1, { created_at: LATER })],
    ['payouts.json: 1.created_at', withRecord('payouts', 1, { created_at: LATER })],
    [
      'transfers.json: 0.reached',
      withRecord('transfers', 0, { status: 'PENDING', reached: { PENDING: LATER } }),
    ],
    [
      'transfers.json: 0.reached',
      withRecord('transfers', 0, {
        status: 'CANCELLED',
        reached: { PENDING: '2026-06-01T00:00:00.000Z', CANCELLED: LATER },
      }),
    ],
  ])('have %s after now', (path, set) => {
    expect(refusalOf(set)).toBe(
      `${path}: "${LATER}" came; accepted: up to the world's now, 2026-06-15T09:00:00.000Z`,
    )
  })

  it('may be made at this very moment', () => {
    const { load } = open()
    const created_at = LATER.replace('001Z', '000Z')
    const set = withRecord('payouts', 1, { created_at, updated_at: created_at })
    expect(() => load(set)).not.toThrow()
  })

  const reasons = [{ reason: 'No', timestamp: '2026-06-01T00:00:00.000Z', developer_reason: 'x' }]

  it.each([
    [
      'rejection_reasons',
      'active',
      reasons,
      'a list came; accepted: null, of all but rejected users',
    ],
    [
      'rejection_reasons',
      'incomplete',
      reasons,
      'a list came; accepted: null, of all but rejected users',
    ],
    [
      'rejection_reasons',
      'rejected',
      [],
      'an empty list came; accepted: at least one item, or null',
    ],
    [
      'requirements',
      'active',
      ['documents'],
      'a list came; accepted: null, of all but incomplete users',
    ],
    [
      'requirements',
      'active',
      [],
      'an empty list came; accepted: null, of all but incomplete users',
    ],
    ['requirements', 'incomplete', [], 'an empty list came; accepted: at least one item, or null'],
  ] as const)('have %s of a user %s who has none', (field, status, list, words) => {
    const bare = { status, rejection_reasons: null, requirements: null }
    const set = withRecord('users', 0, { ...bare, [field]: list })
    expect(refusalOf(set)).toBe(`users.json: 0.${field}: ${words}`)
  })

  const at = (second: number) => `2026-06-01T00:00:0${second}.000Z`

  it.each([
    ['no status at all', 'PENDING', {}, 'nothing came'],
    ['another last status', 'FUNDS_RECEIVED', { PENDING: at(1) }, 'PENDING came'],
    ['no beginning', 'FUNDS_RECEIVED', { FUNDS_RECEIVED: at(1) }, 'FUNDS_RECEIVED came'],
    [
      'a status left out',
      'CONVERSION_PROCESSED',
      { PENDING: at(1), CONVERSION_PROCESSED: at(2) },
      'PENDING, CONVERSION_PROCESSED came',
    ],
    [
      'time going back',
      'FUNDS_RECEIVED',
      { PENDING: at(2), FUNDS_RECEIVED: at(1) },
      'FUNDS_RECEIVED, PENDING came',
    ],
    [
      'something after the end',
      'CANCELLED',
      { PENDING: at(1), FAILED: at(2), CANCELLED: at(3) },
      'PENDING, FAILED, CANCELLED came',
    ],
  ] as const)('have a transfer with %s', (_, status, reached, words) => {
    const message = refusalOf(withRecord('transfers', 0, { status, reached }))
    expect(message).toBe(
      `transfers.json: 0.reached: ${words}, by time; accepted: legal moves from PENDING to ${status}`,
    )
  })

  it('take two statuses of one instant in the order of the table', () => {
    const reached = { FUNDS_RECEIVED: at(1), PENDING: at(1) }
    const { load } = open()
    expect(() =>
      load(withRecord('transfers', 0, { status: 'FUNDS_RECEIVED', reached })),
    ).not.toThrow()
  })

  it('need a rate for each transfer, and a rail for each account', () => {
    const rates = given.rates.filter(({ quote }) => quote !== 'EUR')
    expect(refusalOf({ ...given, rates })).toMatch(
      /^transfers\.json: \d+: no exchange rate leads from/,
    )
    const rails = given.rails.filter(({ currency }) => currency !== 'EUR')
    expect(refusalOf({ ...given, rails })).toBe(
      'accounts.json: 0.currency: "EUR" came; accepted: the currency of one in rails.json',
    )
  })

  it('have a balance in what is no currency', () => {
    const set = withRecord('balances', 0, { currency: 'XXX' })
    expect(refusalOf(set)).toMatch(
      /^balances\.json: 0\.currency: "XXX" came; accepted: an active ISO 4217/,
    )
  })

  it('may pay out all that came in', () => {
    const { world, load } = open()
    load()
    const user = given.users[0]?.id ?? ''
    const [spent] = world.tables.balances.of(`user:${user}`)
    if (!spent) throw new Error('the fixtures have a balance')
    const [currency, { amount }] = spent
    const [first] = given.payouts
    if (!first) throw new Error('the fixtures have a payout')
    const all = {
      ...first,
      id: UNKNOWN,
      customer_payout_id: UNKNOWN,
      user_id: user,
      currency,
      amount: amount.toString(),
      rail: given.rails.find((rail) => rail.currency === currency)?.id ?? '',
      rail_fee: '0',
      status: 'PAYOUT_PROCESSED' as const,
    }
    const more = open()
    more.load({ ...given, payouts: [...given.payouts, all] })
    const left = new Map(more.world.tables.balances.of(`user:${user}`)).get(currency)
    expect(left?.amount.eq(0) ?? true).toBe(true)
  })

  it('pay out more than came in', () => {
    const [payout] = given.payouts.filter(({ status }) => status === 'PAYOUT_PROCESSED')
    const balances = given.balances.filter(
      ({ user_id, currency }) => user_id !== payout?.user_id || currency !== payout.currency,
    )
    expect(refusalOf({ ...given, balances })).toMatch(
      new RegExp(`^balances\\.json: payouts leave user ${payout?.user_id} with -\\d`),
    )
  })
})
