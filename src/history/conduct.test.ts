import { describe, expect, test } from 'vitest'
import { conductLines, type Habit, judgeConduct } from './conduct.js'
import type { LoggedExchange } from './views.js'

const START = Date.parse('2026-01-01T00:00:00Z')

/** A createPayout of one bill, `at_s` seconds after the start, in both clocks. */
const pay = (n: number, at_s: number, more: Partial<LoggedExchange> = {}): LoggedExchange => ({
  ...{ id: `r${n}`, n, duration_ms: 1, pending: false, aborted_ms: null, method: 'POST' },
  ...{ path: '/payment/api/v1/payout', query: {}, operation: 'createPayout', user_id: null },
  at: new Date(START + at_s * 1_000).toISOString(),
  started_at: new Date(START + at_s * 1_000).toISOString(),
  status: 200,
  request: { headers: {}, body: { amount: '1500.00', customer_payout_id: 'one' } },
  response: { headers: {}, body: { status: 'PAYOUT_PROCESSED' } },
  ...{
    garbled: false,
    shown: [],
    outcome: null,
    shown_more: false,
    fault: null,
    rules: [],
    assumed: [],
    entries: null,
  },
  ...more,
})

const lost = { status: null } as const
const busy = { status: 429, response: { headers: { 'retry-after': '2' }, body: {} } }
const withId = (customer_payout_id: string, amount = '1500.00') => ({
  request: { headers: {}, body: { amount, customer_payout_id } },
})
const showing = (status: string) => ({ response: { headers: {}, body: { status } } })

const judged = (habit: Habit, exchanges: readonly LoggedExchange[]) =>
  judgeConduct(exchanges).find((line) => line.habit === habit)

describe('conduct', () => {
  test('is not seen where no request exercised it', () => {
    expect(judgeConduct([pay(1, 0)]).every(({ state }) => state === 'not_seen')).toBe(true)
  })

  test.each<[Habit, 'ok' | 'note', readonly number[], string, LoggedExchange[]]>([
    ['id_reuse', 'ok', [1, 2], 'the same id and body', [pay(1, 0, lost), pay(2, 1)]],
    ['id_reuse', 'note', [1, 2], 'another id', [pay(1, 0, lost), pay(2, 1, withId('two'))]],
    [
      'id_reuse',
      'note',
      [1, 2],
      'another body',
      [pay(1, 0, lost), pay(2, 1, withId('one', '1.00'))],
    ],
    ['retry_after', 'ok', [1, 2], 'waited 2000 of 2000', [pay(1, 0, busy), pay(2, 2)]],
    ['retry_after', 'note', [1, 2], 'waited 1000 of 2000', [pay(1, 0, busy), pay(2, 1)]],
    ['backoff', 'ok', [1, 2, 3], '1000, 2000', [pay(1, 0, busy), pay(2, 1, busy), pay(3, 3)]],
    ['backoff', 'note', [1, 2, 3], '1000, 1000', [pay(1, 0, busy), pay(2, 1, busy), pay(3, 2)]],
    ['attempts', 'ok', [1, 2], '2 attempts', [pay(1, 0, lost), pay(2, 1)]],
    ['attempts', 'note', [1], 'still unknown', [pay(1, 0, lost)]],
    ['polling', 'ok', [2], 'until the end', [pay(1, 0, showing('PAYOUT_PENDING')), pay(2, 60)]],
    ['polling', 'note', [1], 'before the end', [pay(1, 0, showing('PAYOUT_PENDING'))]],
    ['polling', 'note', [2, 3], 'after the end', [pay(1, 0), pay(2, 60), pay(3, 120)]],
    ['refusals', 'ok', [1, 2], 'repaired', [pay(1, 0, { status: 400 }), pay(2, 1)]],
    ['refusals', 'note', [1], 'with 400', [pay(1, 0, { status: 400 })]],
    ['timeouts', 'ok', [1], 'after 300 ms', [pay(1, 0, { ...lost, aborted_ms: 300 })]],
    ['late_reads', 'ok', [2], 'an hour', [pay(1, 0), pay(2, 86_400)]],
  ])('%s is %s for requests %j: %s', (habit, state, requests, text, exchanges) => {
    expect(judged(habit, exchanges)).toMatchObject({
      state,
      requests,
      text: expect.stringContaining(text),
    })
  })

  test('names the log in which a habit broke, and what no log shows', () => {
    const logs = [
      { where: '', lines: judgeConduct([pay(1, 0, lost), pay(2, 1)]) },
      {
        where: 'the second world',
        lines: judgeConduct([pay(1, 0, lost), pay(2, 1, withId('two'))]),
      },
    ]
    const lines = conductLines(logs)
    expect(lines[0]).toBe(
      'ids after an unknown outcome: another id (requests 1, 2), in the second world',
    )
    expect(lines.at(-1)).toMatch(/^not seen: retry-after, backoff, /)
    expect(lines.length).toBeLessThanOrEqual(8)
  })
})
