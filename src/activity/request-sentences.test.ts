import { describe, expect, test } from 'vitest'
import { BY, fixtureWorld } from '../../test/support/domain-world.js'
import { payoutId, users } from '../../test/support/fixture-ids.js'
import { Readings } from '../assumptions/use.js'
import { getPayout } from '../domain/payouts.js'
import type { Payout } from '../domain/schema.js'
import { startLogRecord } from '../history/log-record.js'
import type { LoggedExchange } from '../history/views.js'
import type { Attempt, Inquiry } from './groups.js'
import { toPlainText } from './record-sentences.js'
import {
  attemptCause,
  attemptSentence,
  attemptTitle,
  inquiryNote,
  inquiryTitle,
  keyHint,
  lostAdvice,
  lostCause,
  minuteHeading,
} from './request-sentences.js'

const PENDING = payoutId(3)

const exchange = (fields: Partial<LoggedExchange> = {}): LoggedExchange => ({
  id: '36e20000-0000-4000-8000-00000000fd19',
  n: 1,
  at: '2026-06-15T09:00:00.000Z',
  started_at: '2026-06-15T09:00:00.000Z',
  duration_ms: 1,
  pending: false,
  aborted_ms: null,
  method: 'POST',
  path: '/payment/api/v1/payout',
  query: {},
  operation: 'createPayout',
  status: 200,
  user_id: null,
  request: {
    headers: {},
    body: {
      user_id: users.ada,
      currency: 'KES',
      amount: '12500.00',
      customer_payout_id: 'c',
      recipient_details: { bank_name: 'Access Bank' },
    },
  },
  response: { headers: {}, body: { status: 'PAYOUT_PENDING' } },
  garbled: false,
  shown: [],
  outcome: null,
  shown_more: false,
  fault: null,
  rules: [],
  assumed: [],
  entries: null,
  ...fields,
})

const toAttempt = (it: LoggedExchange, effect: Attempt['effect'] = undefined, n = 1): Attempt => {
  const { operation, method, path, status, pending } = it
  const arrival = { method, path, url: path, headers: '', started_at: 0 }
  const request = {
    ...startLogRecord({ ...arrival, operation: operation ? { id: operation, path } : undefined }),
    ...{ status, pending, fault: it.fault ?? undefined, aborted_ms: it.aborted_ms ?? undefined },
    body: JSON.stringify(it.request.body),
  }
  return { request, exchange: it, effect, n }
}

const answered = (status: string) => exchange({ response: { headers: {}, body: { status } } })
const lost = (fields = {}) =>
  exchange({ status: null, response: { headers: {}, body: null }, ...fields })
const refused = (message: string, code = '4000') =>
  exchange({ status: 400, response: { headers: {}, body: { code, message } } })

/** The request for the payout of the fixtures. */
const asked = (changes = {}): Partial<LoggedExchange> => {
  const { account_details, ...fields } = getPayout(fixtureWorld().tables, PENDING)
  return {
    request: { headers: {}, body: { ...fields, recipient_details: account_details, ...changes } },
  }
}

/** The inquiry about a payout of the fixtures, moved to a status. */
const ask = (
  attempts: readonly [LoggedExchange, Attempt['effect']][],
  { to, made = 1 }: { to?: 'PAYOUT_PROCESSED' | 'PAYOUT_FAILED'; made?: number } = {},
) => {
  const world = fixtureWorld()
  if (to) {
    const reason = to === 'PAYOUT_FAILED' ? { reason: 'account_closed' } : {}
    world.run('payout.move', { id: PENDING, to, ...reason }, BY)
  }
  const payout = made > 0 ? getPayout(world.tables, PENDING) : undefined
  const all = attempts.map(([it, effect], i) => toAttempt(it, effect, i + 1))
  const newest = all.at(-1) as Attempt
  const inquiry: Inquiry = {
    attempts: all,
    newest,
    noun: 'payout',
    made,
    payout,
    pair: undefined,
  }
  const sentence = () => toPlainText(attemptSentence(world.tables, inquiry, newest, world.now))
  return { tables: world.tables, now: world.now, inquiry, sentence }
}

const pairOf = (payout: Payout) => {
  const requests = [1, 2]
  const payouts = [payout, { ...payout, id: payoutId(1) }]
  return { payout, of: payout, payouts, requests, kind: 'answer_lost' as const, after_ms: 7 }
}

describe('inquiryTitle', () => {
  const read = (
    operation: LoggedExchange['operation'],
    fields: Partial<LoggedExchange> = {},
    times = 1,
  ) => {
    const { tables } = fixtureWorld()
    const one = toAttempt(exchange({ operation, ...fields }))
    const attempts = Array.from({ length: times }, () => one)
    const inquiry = {
      attempts,
      newest: one,
      noun: undefined,
      made: 0,
      payout: undefined,
      pair: undefined,
    }
    return toPlainText(inquiryTitle(tables, inquiry))
  }

  test('names amount, recipient and person of a payout', () => {
    expect(read('createPayout')).toBe('12,500.00 KES to Access Bank for Ada Okafor')
  })

  test('counts equal reads', () => {
    expect(read('getTotalCustodyBalances', {}, 2)).toBe('Get total custody balances, twice')
    expect(read('listUsers', {}, 4)).toBe('List users, 4 times')
  })
})

describe('inquiryNote', () => {
  test('counts the attempts of a payout, and says why it failed', () => {
    const { inquiry } = ask(
      [
        [exchange(), 'made'],
        [answered('PAYOUT_FAILED'), 'repeated'],
      ],
      { to: 'PAYOUT_FAILED' },
    )
    expect(inquiryNote(inquiry)).toMatch(
      /^2 attempts, 1 payout: account_closed, [\d,.]+ KES returned$/,
    )
  })

  test('says that a payment whose response was lost was paid again', () => {
    const { inquiry } = ask([[lost(), 'made']], { to: 'PAYOUT_PROCESSED' })
    const pair = inquiry.payout && pairOf(inquiry.payout)
    expect(inquiryNote({ ...inquiry, pair })).toBe(
      'Paid twice: 12,500.00 KES, 7 ms after the answer was lost, with a new id',
    )
  })
})

describe('attempts', () => {
  test('are named by what they did and what the client learned', () => {
    const { inquiry } = ask(
      [
        [exchange(), 'made'],
        [exchange(), 'repeated'],
        [refused('x'), undefined],
        [lost(), 'repeated'],
        [answered('PAYOUT_FAILED'), 'repeated'],
        [answered('PAYOUT_FAILED'), 'repeated'],
      ],
      { to: 'PAYOUT_FAILED' },
    )
    expect(inquiry.attempts.map((it) => attemptTitle(inquiry, it))).toEqual([
      'Attempt 1 makes the payout',
      'Attempt 2, nothing paid again',
      'Attempt 3 is refused',
      'Attempt 4, nothing paid again',
      'Attempt 5 learns that it failed',
      'Attempt 6, nothing paid again',
    ])
    const [first, , , , fifth] = inquiry.attempts as [Attempt, never, never, never, Attempt]
    expect(toPlainText(attemptCause(inquiry, first))).toBe(
      'Your client, request 36e20000-0000-4000-8000-00000000fd19, got 200 Pending',
    )
    expect(toPlainText(attemptCause(inquiry, fifth, fifth.exchange.id))).toBe(
      'This request, got 200 Failed. That is final: this payout will not be paid',
    )
  })
})

test('an attempt for another sum names it, and its reason', () => {
  const body = (amount: unknown) => ({
    request: { headers: {}, body: { amount, currency: 'KES' } },
  })
  const { inquiry } = ask([
    [exchange(), 'made'],
    [exchange(body('778')), 'repeated'],
    [{ ...refused('Not so.'), ...body('12,5') }, undefined],
  ])
  expect(inquiry.attempts.map((it) => attemptTitle(inquiry, it))).toEqual([
    'Attempt 1 makes the payout',
    'Attempt 2 for 778.00 KES, nothing paid again',
    'Attempt 3 for 12,5 is refused',
  ])
  expect(toPlainText(attemptCause(inquiry, inquiry.newest))).toMatch(/, got 400: Not so\.$/)
})

describe('attemptSentence', () => {
  test('says how the payout ended that a request made', () => {
    const { sentence } = ask([[exchange(), 'made']], { to: 'PAYOUT_FAILED' })
    expect(sentence()).toBe(
      'Failed for good: pay again with a new customer_payout_id. It made the payout, which failed at 09:00:00: account_closed.',
    )
  })

  test('explains the codes of keys', () => {
    expect(keyHint(refused('Insufficient permissions', '4300'))).toBe(
      'The key is read-only and does not permit this call.',
    )
  })

  test('points at the other payment of a bill that was paid twice, but not in a repeat', () => {
    const { tables, inquiry, now } = ask([
      [exchange(), 'made'],
      [exchange(), 'repeated'],
    ])
    const [made, repeat] = inquiry.attempts as [Attempt, Attempt]
    const twice = { ...inquiry, pair: inquiry.payout && pairOf(inquiry.payout) }
    expect(toPlainText(attemptSentence(tables, twice, made, now))).toMatch(
      / Paid twice: 12,500\.00 KES, 7 ms after .* The other payment: 12,500\.00 KES to /,
    )
    expect(toPlainText(attemptSentence(tables, twice, repeat, now))).not.toContain('aid twice')
  })
})

describe('lostAdvice', () => {
  test('says what a repeat with another amount gets', () => {
    const { inquiry, tables } = ask([[lost(asked({ amount: '1.00' })), undefined]])
    const say = (reading: 'invalid' | 'first' | 'conflict') => {
      const readings = new Readings(undefined, { 'payout.changed_repeat': reading })
      const { advice, question } = lostAdvice(tables, inquiry, readings)
      return [advice[0][2], toPlainText(question)]
    }
    expect(say('invalid')).toEqual([
      'It has another amount than the payout, so it gets 400.',
      expect.stringMatching(/payout\.changed_repeat$/),
    ])
    expect(say('conflict')[0]).toMatch(/so it gets 409\.$/)
    expect(say('first')[0]).toMatch(/, which the service ignores\.$/)
  })

  test('says that a client left before the response', () => {
    expect(toPlainText(lostCause(exchange({ aborted_ms: 30 })))).toBe(
      'Your client left after 30 ms, before the response',
    )
  })
})

test('minuteHeading names the day once', () => {
  const at = '2026-06-15T09:01:00.000Z'
  expect([minuteHeading(at, undefined), minuteHeading(at, '2026-06-15T09:02:00.000Z')]).toEqual([
    '15 June 2026, 09:01',
    '09:01',
  ])
})
