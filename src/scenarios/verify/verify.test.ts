import '../language/re2.js'
import { describe, expect, test } from 'vitest'
import { emptyWorld } from '../../../test/support/domain-world.js'
import { nameFixtures } from '../../domain/fixture-names.js'
import type { Expectation } from '../language/expectations.js'
import { buildCreationOrder } from './creation-order.js'
import type { LoggedRequest } from './logged-request.js'
import type { VerificationInput } from './subjects.js'
import { verify } from './verify.js'

const { tables } = emptyWorld({ now: 0 })
const USER = '11111111-1111-4111-8111-000000000001'

const exchange = (n: number, given: Partial<LoggedRequest> = {}): LoggedRequest => ({
  id: `id-${n}`,
  n,
  at: '',
  started_at: '2026-01-01T00:00:00.000Z',
  duration_ms: 0,
  method: 'POST',
  path: '/payment/api/v1/payout',
  target: '/payment/api/v1/payout',
  query: {},
  operation: 'createPayout',
  status: 200,
  pending: false,
  aborted_ms: null,
  user_id: null,
  fault: null,
  request: { headers: {}, body: undefined },
  response: { headers: {}, body: undefined },
  garbled: false,
  shown: [],
  outcome: null,
  shown_more: false,
  rules: [],
  assumed: [],
  entries: null,
  after_entry: undefined,
  ...given,
})

const evidence = (exchanges: readonly LoggedRequest[]): VerificationInput => ({
  tables,
  names: nameFixtures(tables),
  firstOwn: () => 1,
  exchanges: () => exchanges,
  evictedCount: 0,
  order: () => buildCreationOrder([], exchanges),
  findSteps: (rule) => (rule === 'bad-day/0' ? [{ hang: 'after' }] : [{ reset: 'before' }]),
  fired: () => [],
  paidTwice: () => ({ twice: [], unknown: [] }),
})

const outcome = (expectation: Expectation, ...exchanges: LoggedRequest[]) =>
  verify([expectation], evidence(exchanges)).results[0]

describe('expectations about requests', () => {
  const paid = exchange(1, {
    query: { size: '3', page: ['1', '2'] },
    status: 503,
    user_id: USER,
    fault: 'bad-day/0',
    request: { headers: { 'x-api-key': '…0001' }, body: { currency: 'NGN', amount: '12.50' } },
    response: { headers: {}, body: { code: '5030' } },
  })

  test.each<[unknown]>([[3], [{ gt: 1, lt: 2 }], [{ exists: false }]])(
    'match a repeated parameter: %j',
    (page) => {
      const requests = { query: { page } } as Expectation['requests']
      expect(outcome({ requests }, paid)).toMatchObject({
        ok: false,
        candidates: [{ differs: [{ field: 'query.page', wanted: page, came: ['1', '2'] }] }],
      })
    },
  )

  test.each([
    [{ fault: 'bad-day/0' }, 'hang by bad-day/0'],
    [{ fault: 'bad-day/1' }, 'connection reset by bad-day/1'],
    [{ aborted_ms: 9 }, 'connection cut, aborted by the client after 9 ms'],
  ])('say how a request went unanswered: %j', (given, words) => {
    const [near] = outcome({ requests: { status: 200 } }, exchange(1, { status: null, ...given }))
      ?.candidates ?? [undefined]
    expect(near?.what).toBe(`request 1, createPayout: ${words}`)
  })

  test('escape the texts of a client', () => {
    const odd = exchange(1, { request: { headers: {}, body: { customer_payout_id: 'a\n\u001b' } } })
    expect(outcome({ requests: {}, count: 0 }, odd)?.candidates[0]?.what).toBe(
      'request 1, createPayout: 200, customer_payout_id a\\u000a\\u001b',
    )
  })

  test('find an item of a list', () => {
    const requirements = ['documents', 'address.line1']
    const listed = exchange(1, {
      response: { headers: {}, body: [{ status: 'active' }, { requirements }] },
    })
    const wanted = (response: object) =>
      outcome({ requests: { response: { ...response } } }, listed)
    expect(wanted({ requirements: 'address.line1' })).toMatchObject({ ok: true })
    expect(wanted({ status: 'active', requirements: 'documents' })).toMatchObject({
      ok: false,
      candidates: [{ differs: [{ field: 'response', came: listed.response.body }] }],
    })
  })

  test('truncate long values', () => {
    const long = exchange(1, { request: { headers: {}, body: { note: 'x'.repeat(500) } } })
    const came = outcome({ requests: { body: { note: 'y' } } }, long)?.candidates[0]?.differs[0]
      ?.came
    expect(came).toBe(`${'x'.repeat(200)}…`)
  })
})

describe('the order of requests', () => {
  const read = { operation: 'getTransferStatus' } as const
  const create = { operation: 'createPayout' } as const

  test('follows the entries that they saw, not their end', () => {
    const slow = exchange(2, { after_entry: 5 })
    const quick = exchange(1, { ...read, after_entry: 8 })
    const expectation: Expectation = { requests: create, before: { requests: read } }
    expect(outcome(expectation, quick, slow)).toMatchObject({ ok: true })
  })
})

test('an expectation about shown is unsure of records beyond those that the log keeps', () => {
  const expectation: Expectation = { users: { shown: 'paused' }, count: 0 }
  expect(outcome(expectation, exchange(1))).toMatchObject({ ok: true })
  expect(outcome(expectation, exchange(1, { shown_more: true }))).toMatchObject({
    ok: false,
    sentence:
      'users that a response showed as paused: 0 (none) (the request log keeps 100 records of a response)' +
      ': there may have been more',
  })
})

describe('buildCreationOrder', () => {
  const entry = (seq: number, command: string, id: string, record: object | null) => ({
    seq,
    at: '',
    cause: { kind: 'library' } as const,
    command,
    input: {},
    events: [],
    changes: [{ table: 'payouts', id, record: record as never }],
  })

  test('skips removed records', () => {
    const undone = [entry(3, 'a', 'p', {}), entry(4, 'b', 'p', null), entry(5, 'c', 'p', {})]
    expect(buildCreationOrder(undone, []).ofRecord('payouts', 'p')).toEqual([5, 0])
  })

  test('puts evicted entries first', () => {
    expect(buildCreationOrder([entry(9, 'a', 'p', {})], []).ofRecord('payouts', 'old')).toEqual([
      0, 0,
    ])
  })
})

describe('formatExpectation', () => {
  test.each<[Expectation, string]>([
    [{ users: { status: ['active', 'paused'] } }, 'status active or paused'],
    [{ users: { first_name: 'Ada Lovelace' } }, 'first_name "Ada Lovelace"'],
    [{ users: { last_name: { ne: 'X', exists: true } } }, 'last_name other than X and present'],
    [{ users: { address: { city: { in: ['Lagos', 'Abuja'] } } } }, 'address.city Lagos or Abuja'],
    [{ payouts: { amount: { gt: 1, lt: 9 } } }, 'amount above 1 and below 9'],
    [
      { payouts: { reference: { starts_with: 'A', ends_with: 'Z' } } },
      'starting with A and ending with Z',
    ],
    [{ payouts: { reason: { exists: false } } }, 'reason absent'],
    [{ payouts: { reference: { matches: '^A+$' } } }, 'reference matching "^A+$"'],
    [{ payouts: { amount: { lte: 5, gte: 2 } } }, 'amount of at most 5 and of at least 2'],
    [{ payouts: {}, count: { gte: 9, lte: 9 } }, 'payouts: 0 (exactly 9)'],
  ])('describes %j', (expectation, words) => {
    expect(outcome(expectation)?.sentence).toContain(words)
  })
})
