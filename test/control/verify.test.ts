import { beforeEach, describe, expect, test } from 'vitest'
import type { Outcome, Verified } from '../../generated/api-types.js'
import type { Expectation } from '../../src/scenarios/language/expectations.js'
import { type Client, expectRefusal } from '../support/client.js'
import { accounts, addresses, ownId, users } from '../support/fixture-ids.js'
import { didYouMean, got, invalid, inWords, missing, unknownField } from '../support/invalid.js'
import { openSandbox } from '../support/open-sandbox.js'
import { payoutRequest } from '../support/requests.js'
import type { Payout } from '../support/wire.js'

let api: Client

beforeEach(async () => {
  api = await openSandbox()
})

const PATH = '/_sandbox/verify'
const NOUNS =
  'requests, consents, users, accounts, wallets, instructions, offramps, deposits, transfers, payouts'

const verify = (...expect: unknown[]) => api.make<Verified>(PATH, { expect })

/** The outcome of a single expectation. */
const outcome = async (expectation: unknown): Promise<Outcome> => {
  const { ok, results } = await verify(expectation)
  const [only] = results
  if (!only || results.length > 1) throw new Error(`${results.length} results came`)
  expect(ok).toBe(only.ok)
  return only
}

const pay = (n: number, changes: object = {}) =>
  api.make<Payout>('/payment/api/v1/payout', {
    ...payoutRequest(),
    customer_payout_id: ownId(n),
    ...changes,
  })

describe('counts', () => {
  const OFF = ' (the request log is off)'
  const ONE_GONE = ' (the request log keeps 1 older request no more)'
  const MORE = ': there may have been more'

  test.each([
    [0, { gte: 0 }, true, `requests: 0 (at least 0)${OFF}`],
    [0, 0, false, `requests: 0 (none)${OFF}${MORE}`],
    [2, { lte: 3 }, true, `requests: 2 (at most 3)${ONE_GONE}`],
    [2, { lte: 2 }, false, `requests: 2 (at most 2)${ONE_GONE}${MORE}`],
    [2, 2, false, `requests: 2 (exactly 2)${ONE_GONE}${MORE}`],
    [2, 3, false, `requests: 2 (exactly 3)${ONE_GONE}`],
    [3, 3, true, 'requests: 3 (exactly 3)'],
  ])('requests as far as a log of %i keeps them: %j', async (requestLog, count, ok, sentence) => {
    api = await openSandbox({ requestLog })
    for (let i = 0; i < 3; i++) await api.get('/onboarding/api/v1/users/all')
    expect(await outcome({ requests: {}, count })).toMatchObject({ ok, sentence })
    expect((await outcome({ users: {}, count: 0 })).sentence).not.toContain('log')
  })

  test('requests from when they were forgotten last', async () => {
    api = await openSandbox({ requestLog: 2 })
    for (let i = 0; i < 3; i++) await api.get('/onboarding/api/v1/users/all')
    await api.call('DELETE', '/_sandbox/requests')
    const sentence = 'requests: 0 (none)'
    expect(await outcome({ requests: {}, count: 0 })).toMatchObject({ ok: true, sentence })
  })

  test('counts records after the fixtures, by conditions', async () => {
    await pay(1)
    const met = await outcome({ payouts: { status: 'PAYOUT_PROCESSED' }, count: 1 })
    expect(met).toEqual({
      ok: true,
      expectation: { payouts: { status: 'PAYOUT_PROCESSED' }, count: 1 },
      source: null,
      sentence: 'payouts with status PAYOUT_PROCESSED: 1 (exactly 1)',
      found: 1,
      candidates: [],
    })
  })

  test('compares the number with one, or with bounds', async () => {
    await pay(1)
    await pay(2)
    for (const [count, ok, words] of [
      [undefined, true, 'at least 1'],
      [2, true, 'exactly 2'],
      [0, false, 'none'],
      [{ lt: 2 }, false, 'fewer than 2'],
      [{ gt: 1 }, true, 'more than 1'],
      [{ ne: 2 }, false, 'any number but 2'],
      [{ gte: 1, lte: 3 }, true, 'at least 1 and at most 3'],
    ] as const) {
      const sentence = `payouts: 2 (${words})`
      expect(await outcome({ payouts: {}, count })).toMatchObject({ ok, sentence, found: 2 })
    }
    await api.make('/_sandbox/reset')
    expect(await outcome({ payouts: {}, count: 0 })).toMatchObject({ ok: true })
  })

  test('nothing of the fixtures, even when it has changed since', async () => {
    await api.make(`/_sandbox/users/${users.underReview}/status`, { status: 'active' })
    const nouns = NOUNS.split(', ')
    const { ok, results } = await verify(...nouns.map((it) => ({ [it]: {}, count: 0 })))
    expect(results.filter((it) => !it.ok)).toEqual([])
    expect(ok).toBe(true)
  })
})

describe('a miss', () => {
  test('lists what came near, the nearest first, and how it differs', async () => {
    const small = await pay(1, { amount: '10.00' })
    const kes = await pay(2, { currency: 'KES', amount: '10.00' })
    const large = await pay(3, { amount: '2000.00' })
    const {
      candidates: nearMisses,
      sentence,
      found,
    } = await outcome({
      payouts: {
        currency: 'NGN',
        amount: { gte: 2000 },
        user: { first_name: 'Ada', status: 'paused' },
      },
    })
    expect({ sentence, found }).toEqual({
      sentence:
        'payouts with currency NGN and amount of at least 2000 and user.first_name Ada ' +
        'and user.status paused: 0 (at least 1)',
      found: 0,
    })
    const paused = { field: 'user.status', wanted: 'paused', came: 'active' }
    const tooSmall = { field: 'amount', wanted: { gte: 2000 }, came: '10.00' }
    expect(nearMisses).toMatchObject([
      { noun: 'payouts', id: large.id, differs: [paused] },
      { noun: 'payouts', id: small.id, differs: [tooSmall, paused] },
      {
        noun: 'payouts',
        id: kes.id,
        differs: [{ field: 'currency', wanted: 'NGN', came: 'KES' }, tooSmall, paused],
      },
    ])
  })

  test('sees offramps as their audit shows them', async () => {
    await api.make('/_sandbox/deposits', { address: addresses.adaEur, amount: '50' })
    const shown = { crypto_currency: 'usdc', crypto_amount: 50, fiat_currency: 'eur' }
    const open = { offramps: { ...shown, status: 'pending', fiat_amount: 41.5 }, count: 1 }
    expect(await outcome(open)).toMatchObject({ ok: true, found: 1 })
    const paid = { ...shown, exchange_rate: 0.85, status: 'payment_processed' }
    const { ok, candidates: nearMisses } = await outcome({ offramps: paid })
    expect(ok).toBe(false)
    expect(nearMisses).toMatchObject([
      {
        what: expect.stringMatching(/^offramp \w{8}… pending/),
        differs: [{ field: 'status', wanted: 'payment_processed', came: 'pending' }],
      },
    ])
    api.sandbox.advance({ until: 'idle' })
    expect(await outcome({ offramps: paid, count: 1 })).toMatchObject({ ok: true })
    const shouted = { expect: [{ offramps: { status: 'FAILED' } }] }
    const words = invalid('expect.0.offramps.status', 'FAILED', 'pending, funds_received, ')
    expectRefusal(await api.post(PATH, shouted), 400, '4000', words)
  })
})

describe('order', () => {
  const deposit = () => api.make('/_sandbox/deposits', { address: addresses.adaEur, amount: '50' })

  test('holds when each was made on that side of the first of the others', async () => {
    await pay(1)
    await deposit()
    const { ok, results } = await verify(
      { payouts: {}, before: { transfers: {} } },
      { transfers: {}, after: { payouts: {} } },
      // One command made both.
      { deposits: {}, before: { transfers: {} } },
      { deposits: {}, after: { transfers: {} } },
      { payouts: {}, before: { wallets: {} } },
    )
    expect(results.filter((it) => !it.ok)).toEqual([])
    expect(ok).toBe(true)
  })

  test('is missed by those on the other side', async () => {
    await pay(1)
    await deposit()
    const late = await pay(2)
    const miss = await outcome({ payouts: {}, before: { transfers: { status: 'PENDING' } } })
    expect(miss).toMatchObject({
      ok: false,
      sentence:
        'payouts, before the first transfer with status PENDING: 2 (at least 1), 1 of them out of order',
      candidates: [
        {
          id: late.id,
          differs: [
            {
              field: 'before',
              wanted: 'before the first transfer with status PENDING',
              came: expect.stringMatching(/^after transfer \w{8}… PENDING$/),
            },
          ],
        },
      ],
    })
  })

  describe('of records whose status is named', () => {
    /** One payout that fails after 30 s, and another one that is made before or after that. */
    const twoPayouts = async (secondAfter: string) => {
      api = await openSandbox({ scenarios: ['payout-fails-and-refunds'] })
      await pay(1)
      api.sandbox.advance(secondAfter)
      await pay(2)
      api.sandbox.advance('1m')
    }
    const again = { status: { ne: 'PAYOUT_FAILED' } }
    const failed = { payouts: { status: 'PAYOUT_FAILED' } }

    test.each([
      ['10s', false],
      ['31s', true],
    ])('uses the time at which each reached it: %s', async (secondAfter, ok) => {
      await twoPayouts(secondAfter)
      expect(await outcome({ payouts: again, after: failed })).toMatchObject({ ok })
      expect(await outcome({ payouts: again, before: failed })).toMatchObject({ ok: !ok })
      const paid = { payouts: { status: 'PAYOUT_PROCESSED' } }
      expect(await outcome({ ...failed, after: paid })).toMatchObject({ ok: !ok })
    })
  })

  test('any_after wants one of them after the first of the others', async () => {
    await pay(1)
    const expectation = { payouts: {}, any_after: { transfers: {} } }
    expect(await outcome(expectation)).toMatchObject({
      ok: false,
      candidates: [{ differs: [{ field: 'any_after', came: 'there is no such transfer' }] }],
    })
    await deposit()
    expect(await outcome(expectation)).toMatchObject({
      ok: false,
      sentence:
        'payouts, one of them after the first transfer: 1 (at least 1), 1 of them out of order',
      candidates: [
        {
          differs: [
            {
              field: 'any_after',
              wanted: 'after the first transfer',
              came: expect.stringMatching(/^before transfer /),
            },
          ],
        },
      ],
    })
    await pay(2)
    expect(await outcome(expectation)).toMatchObject({ ok: true, found: 2 })
    expect(await outcome({ payouts: {}, after: { transfers: {} } })).toMatchObject({
      ok: false,
    })
  })

  test('an upper bound alone counts one side, on which those are the near misses', async () => {
    await pay(1)
    await deposit()
    const transfers = { transfers: {} }
    for (const [count, word, ok] of [
      [0, 'after', true],
      [0, 'any_after', true],
      [{ lte: 1 }, 'before', true],
      [{ lt: 1 }, 'before', false],
      [{ gte: 0, lte: 1 }, 'after', false],
    ] as const) {
      expect(await outcome({ payouts: {}, count, [word]: transfers })).toMatchObject({ ok })
    }
    const late = await pay(2)
    expect(await outcome({ payouts: {}, count: 0, any_after: transfers })).toMatchObject({
      ok: false,
      sentence: 'payouts, after the first transfer: 1 (none)',
      candidates: [{ id: late.id, differs: [] }],
    })
  })
})

describe('requests', () => {
  test('are counted on what was asked and what was answered', async () => {
    const paid = await pay(1)
    await api.post('/payment/api/v1/payout', { ...payoutRequest(), currency: 'XXX' })
    await api.get('/payment/api/v1/nowhere')
    await api.get('/onboarding/api/v1/users/all?size=3', { key: null })
    const { results } = await verify(
      { requests: {}, count: 4 },
      { requests: { operation: 'createPayout', user_id: users.ada }, count: 2 },
      { requests: { body: { currency: 'NGN' }, response: { id: paid.id } }, count: 1 },
      { requests: { status: { gte: 400, lt: 500 }, fault: null }, count: 3 },
      { requests: { status: [400, 403, 404, null], fault: null }, count: 3 },
      { requests: { status: { exists: false } }, count: 0 },
      { requests: { operation: null, path: { ends_with: '/nowhere' } }, count: 1 },
      { requests: { headers: { 'x-api-key': { exists: false } } }, count: 1 },
      { requests: { query: { size: '3' }, method: 'GET' }, count: 1 },
    )
    expect(results.filter((it) => !it.ok)).toEqual([])
    const miss = await outcome({ requests: { operation: 'createPayout', status: 503 } })
    expect(miss.candidates.map(({ what, differs }) => [what, differs[0]?.came])).toEqual([
      [
        expect.stringMatching(/^request 2, createPayout: 400 4000 Invalid currency: got "XXX"\. /),
        400,
      ],
      [expect.stringMatching(/^request 1, createPayout: 200 PAYOUT_PROCESSED, /), 200],
      [expect.stringMatching(/^request 4, listUsers: 403 4030 Missing/), 'listUsers'],
    ])
  })

  test.each([1, 3])('show what the client knows of records: exactly %i', async (count) => {
    await pay(1, { amount: '10.00' })
    const second = await pay(2, { amount: '20.50' })
    const { candidates: nearMisses } = await outcome({ payouts: {}, count })
    expect(nearMisses[1]?.what).toBe(
      `payout ${second.id.slice(0, 8)}… PAYOUT_PROCESSED, 20.50 NGN, ` +
        `customer_payout_id ${second.customer_payout_id}, made by request 2, ` +
        'last shown by request 2, createPayout: 200 PAYOUT_PROCESSED',
    )
    const requests = await outcome({ requests: { operation: 'createPayout' }, count: 1 })
    expect(requests.candidates[0]?.what).toMatch(
      /^request 1, createPayout: 200 PAYOUT_PROCESSED, 10\.00 NGN, customer_payout_id \S+$/,
    )
  })

  test('come before what they made, and after what was made before them', async () => {
    await api.get('/onboarding/api/v1/users/all')
    await pay(1)
    await api.make('/_sandbox/deposits', { address: addresses.adaEur, amount: '50' })
    await api.get('/onboarding/api/v1/users/all')
    await api.get('/onboarding/api/v1/users/all', { key: null })
    const create = { operation: 'createPayout' }
    const list = { operation: 'listUsers' }
    const { results } = await verify(
      { requests: create, before: { payouts: {} } },
      { payouts: {}, after: { requests: create } },
      { deposits: {}, after: { requests: create } },
      { deposits: {}, before: { requests: { ...list, status: 403 } } },
      { requests: { ...list, status: 403 }, after: { deposits: {} } },
      { requests: create, after: { requests: list } },
    )
    expect(results.filter((it) => !it.ok)).toEqual([])
    const miss = await outcome({ requests: list, after: { payouts: {} } })
    expect(miss).toMatchObject({
      ok: false,
      found: 3,
      candidates: [{ what: 'request 1, listUsers: 200' }],
    })
  })
})

test('names of fixtures are ids', async () => {
  await pay(1)
  for (const [expectation, count] of [
    [{ payouts: { user_id: 'ada' } }, 1],
    [{ payouts: { user_id: { in: ['ben', 'ada'] } } }, 1],
    [{ payouts: { user: { id: 'ben' } } }, 0],
    [{ payouts: { user_id: users.ada.toUpperCase() } }, 1],
    [{ requests: { user_id: 'ada', body: { user_id: 'ada' } } }, 1],
    [{ payouts: {}, after: { requests: { user_id: 'ben' } } }, 0],
  ] as const) {
    expect(await outcome({ ...expectation, count })).toMatchObject({ ok: true, expectation })
  }
})

describe('balances', () => {
  test('are those of all users, by user, currency and amount', async () => {
    await pay(1, { amount: '1500.00' })
    const of = (amount: unknown) => ({
      balances: { user_id: users.ada, currency: 'ngn', amount },
      count: 1,
    })
    expect(await outcome(of('4998450'))).toMatchObject({ ok: true })
    expect(await outcome(of({ gt: 4_998_450 }))).toMatchObject({
      ok: false,
      candidates: [
        {
          what: 'balance of Ada Okafor, 4998450.00 NGN',
          differs: [{ field: 'amount', wanted: { gt: 4_998_450 }, came: '4998450.00' }],
        },
        {},
        {},
      ],
    })
    const ofAda = { balances: { user: { last_name: 'Okafor' } }, distinct: 'user_id', count: 1 }
    expect(await outcome(ofAda)).toMatchObject({ ok: true })
  })
})

describe('reached', () => {
  test('holds for what has had a status, from the time at which it had it', async () => {
    api = await openSandbox({ scenarios: ['late-return'] })
    await api.make('/_sandbox/deposits', { address: addresses.adaEur, amount: '50' })
    api.sandbox.advance('10s')
    const processed = { transfers: {}, reached: 'PAYMENT_PROCESSED' }
    expect(await outcome(processed)).toMatchObject({
      ok: true,
      sentence: 'transfers that reached PAYMENT_PROCESSED: 1 (at least 1)',
    })
    await pay(1)
    api.sandbox.advance('3d')
    const before = { before: { payouts: {} } }
    expect(await outcome({ ...processed, ...before })).toMatchObject({ ok: true })
    const failed = { transfers: { status: 'FAILED' }, ...before }
    expect(await outcome(failed)).toMatchObject({ ok: false })
    expect(await outcome({ offramps: {}, reached: 'payment_processed' })).toMatchObject({
      ok: true,
    })
    expect(
      await outcome({ transfers: { reason: 'returned_by_bank' }, reached: 'CANCELLED' }),
    ).toMatchObject({
      ok: false,
      candidates: [{ differs: [{ field: 'reached', wanted: 'CANCELLED', came: 'FAILED' }] }],
    })
  })
})

describe('values', () => {
  const createPayout = { requests: { operation: 'createPayout' } }

  test('distinct counts each once, unique wants each once', async () => {
    await pay(1)
    await pay(1)
    await pay(2)
    const id = 'body.customer_payout_id'
    expect(await outcome({ ...createPayout, distinct: id, count: 2 })).toMatchObject({
      ok: true,
      sentence: `distinct ${id} of createPayout requests: 2 (exactly 2)`,
      found: 2,
    })
    expect(await outcome({ ...createPayout, distinct: id, count: 3 })).toMatchObject({
      ok: false,
    })
    const shared = await outcome({ ...createPayout, unique: id })
    expect(shared.ok).toBe(false)
    expect(shared.sentence).toContain(
      `createPayout requests, no two with the same ${id}: 3 (at least 1), 2 of`,
    )
    expect(shared.candidates).toHaveLength(2)
    expect(await outcome({ payouts: {}, unique: 'customer_payout_id' })).toMatchObject({
      ok: true,
    })
  })

  test('unique compares several fields together', async () => {
    await pay(1)
    await pay(2)
    await pay(3, { currency: 'KES' })
    const unique = ['user_id', 'currency']
    expect(await outcome({ payouts: {}, unique })).toMatchObject({
      ok: false,
      sentence:
        'payouts, no two with the same user_id and currency: 3 (at least 1), ' +
        `2 of them have the user_id "${users.ada}" and currency "NGN"`,
      candidates: [{}, {}],
    })
    const all = { payouts: {}, unique: [...unique, 'customer_payout_id'] }
    expect(await outcome(all)).toMatchObject({ ok: true })
  })

  test('sum adds up amounts, and a wrong one is reported with its value', async () => {
    await pay(1, { amount: '10.50' })
    await pay(2, { amount: '4.50' })
    const summed = async (sum: object) => outcome({ payouts: { currency: 'NGN' }, sum })
    expect(await summed({ amount: 15 })).toMatchObject({ ok: true })
    expect(await summed({ amount: { lte: '15.00' } })).toMatchObject({ ok: true })
    expect(await summed({ amount: 15, rail_fee: 1 })).toMatchObject({ ok: false })
    expect(await summed({ amount: { lt: 15 } })).toMatchObject({
      ok: false,
      sentence:
        'payouts with currency NGN, in sum with amount below 15: 2 (at least 1), their amount adds up to 15',
    })
  })
})

describe('fired', () => {
  test('counts how often a rule, or any rule of a scenario, has fired', async () => {
    api = await openSandbox({ scenarios: ['payout-fails-and-refunds'] })
    expect(await outcome({ fired: 'payout-fails-and-refunds' })).toMatchObject({
      ok: false,
      sentence: 'firings of payout-fails-and-refunds: 0 (at least 1)',
    })
    await pay(1)
    await pay(2)
    for (const [fired, count] of [
      ['payout-fails-and-refunds', 1],
      ['payout-fails-and-refunds/0', 1],
      ['happy-path', 1],
    ]) {
      expect(await outcome({ fired, count })).toMatchObject({ ok: true })
    }
    await api.make('/_sandbox/undo')
    expect(await outcome({ fired: 'happy-path', count: 0 })).toMatchObject({ ok: true })
  })

  test.each(['payout-fails-and-refund', 'payout-fails-and-refunds/1'])(
    'of %s, which does not exist, is refused',
    async (fired) => {
      const answer = await api.post('/_sandbox/verify', { expect: [{ fired, count: 0 }] })
      const words = `Invalid expect.0.fired: got "${fired}". Expected an existing scenario or one of its rules`
      expectRefusal(answer, 400, '4000', words)
    },
  )
})

describe('until', () => {
  const start = () =>
    api.make('/_sandbox/transfers', {
      user_id: users.ada,
      account_id: accounts.adaEur,
      source_currency: 'USD',
      source_amount: '500.00',
    })

  test('waits first, in the world’s time', async () => {
    await start()
    for (const [until, status] of [
      [undefined, 'PENDING'],
      ['4s', 'CONVERSION_PROCESSED'],
      ['PT2S', 'PAYMENT_SUBMITTED'],
      ['idle', 'PAYMENT_PROCESSED'],
    ]) {
      const body = { expect: [{ transfers: { status }, count: 1 }], until }
      expect(await api.make(PATH, body)).toMatchObject({ ok: true })
    }
  })

  test('moves nothing when an expectation cannot be read', async () => {
    const before = api.sandbox.now
    const answer = await api.post(PATH, { expect: [{ nothing: {} }], until: '1h' })
    expectRefusal(answer, 400, '4000', 'expect.0.nothing')
    expect(api.sandbox.now).toBe(before)
  })
})

const nested = (levels: number): string => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`

describe('nested expectations', () => {
  const words = 'Invalid expect: too many levels of nesting. Expected at most 64'

  test.each([
    ['a condition', `{"requests":{"body":${nested(5_000)}}}`],
    ['the part before', `{"requests":{},"before":{"requests":{"body":${nested(5_000)}}}}`],
    ['the part after', `{"requests":{},"after":{"requests":{"response":${nested(5_000)}}}}`],
    ['a field that there is not', nested(5_000)],
  ])('too deeply in %s is refused', async (_, text) => {
    const headers = { 'content-type': 'application/json' }
    const answer = await api.call('POST', PATH, { raw: `{"expect":[${text}]}`, headers })
    expectRefusal(answer, 400, '4000', words)
    const given = JSON.parse(text) as Expectation
    await expect(api.sandbox.verify([given])).rejects.toThrow(words)
  })
})

describe('refuses', () => {
  test.each<[unknown, ...string[]]>([
    [[{ payout: {} }], unknownField('expect.0.payout'), didYouMean('payouts')],
    [[], invalid('expect', inWords('an empty array'), 'a list of 1 to 1000 expectations')],
    ['all', invalid('expect', 'all', 'a list of 1 to 1000 expectations')],
    [undefined, missing('expect', 'a list of expectations')],
    [[{ payouts: { user_id: 'adda' } }], got('adda'), 'a UUID, or one of ada, ', didYouMean('ada')],
    [[{ payouts: { user: { id: 'Ada O' } } }], got('Ada O'), 'a name of the fixture users'],
    [
      [{ payouts: {}, after: { transfers: { id: ['x'] } } }],
      invalid('expect.0.after.transfers.id.0', 'x', 'a UUID'),
    ],
    [[{ payouts: { status: 'PROCESSED' } }], got('PROCESSED'), didYouMean('PAYOUT_PROCESSED')],
  ])('%j', async (expectations, ...words) => {
    expectRefusal(await api.post(PATH, { expect: expectations }), 400, '4000', ...words)
  })

  test('an until that is none', async () => {
    const answer = await api.post(PATH, { expect: [{ audit: 'clean' }], until: 'soon' })
    expectRefusal(answer, 400, '4000', invalid('until', 'soon', 'idle, or a duration such as'))
  })
})
