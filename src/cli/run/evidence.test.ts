import { expect, test } from 'vitest'
import { type LogRecord, startLogRecord } from '../../history/log-record.js'
import { firedRules } from '../../history/rule-activity.js'
import type { DomainEvent, Entry } from '../../kernel/entry.js'
import { findIdlePolls, refusedRules, resetsIn, silentRepeats } from './evidence.js'

const entry = (given: Partial<Entry>): Entry => ({
  seq: 1,
  at: '',
  cause: { kind: 'library' },
  command: 'payout.create',
  input: {},
  events: [],
  changes: [],
  ...given,
})

const timer = (id: string, done: number, rule = 0): Entry => {
  const plan = { subject: 'p', scenario: 'late', rule, source: `late.yaml:${rule + 4}`, steps: [] }
  const record = { id, n: 1, due: 0, plan, done, chain: 0 }
  return entry({ changes: [{ table: 'timers', id, record }] })
}

const fact = (id: string): DomainEvent => ({ type: 'rule.fired', id, source: 'late.yaml:9' })

test('firedRules counts a plan once, however often its timer is set', () => {
  const entries = [timer('5.0', 0), timer('5.0', 0), timer('6.0', 1), timer('7.0', 0)]
  expect(firedRules(entries)).toEqual([{ rule: 'late/0', source: 'late.yaml:4', times: 2 }])
})

test('firedRules lists rules of requests and rules without effect, in the order in which they fired', () => {
  const entries = [timer('5.0', 0, 1), entry({ events: [fact('late/3')] }), timer('6.0', 0, 1)]
  expect(firedRules(entries)).toEqual([
    { rule: 'late/1', source: 'late.yaml:5', times: 2 },
    { rule: 'late/3', source: 'late.yaml:9', times: 1 },
  ])
})

test('firedRules keeps counting after a reset, which renumbers timers', () => {
  const entries = [timer('5.0', 0), entry({ command: 'world.begin' }), timer('5.0', 0)]
  expect(firedRules(entries)).toMatchObject([{ rule: 'late/0', times: 2 }])
})

test.each(['world.undo', 'world.redo', 'snapshot.restore'])(
  'firedRules keeps counting after %s',
  (command) => {
    const gone = { table: 'timers', id: '5.0', record: null }
    const taken = entry({ command, changes: [gone] })
    const entries = [timer('5.0', 0), taken, timer('5.0', 0), entry({ changes: [gone] })]
    expect(firedRules(entries)).toMatchObject([{ rule: 'late/0', times: 2 }])
    const back = { ...timer('5.0', 0), command }
    expect(firedRules([...entries, back])).toMatchObject([{ rule: 'late/0', times: 2 }])
  },
)

test('firedRules ignores removed timers', () => {
  const changes = [{ table: 'timers', id: '5.0', record: null }]
  expect(firedRules([entry({ changes })])).toEqual([])
})

test('refusedRules counts refused steps per rule, with the first reason', () => {
  const cause = {
    kind: 'timer',
    timer: '5.0',
    scenario: 'late',
    rule: 1,
    step: 0,
    source: 'late.yaml:5',
  } as const
  const refusal = (message: string) => entry({ cause, refused: { code: 'illegal_move', message } })
  const others = [
    entry({ refused: { code: 'broken', message: 'requested by a client' } }),
    entry({ cause }),
  ]
  expect(refusedRules([refusal('it is FAILED'), ...others, refusal('it is gone')])).toEqual([
    { rule: 'late/1', source: 'late.yaml:5', times: 2, why: 'it is FAILED' },
  ])
})

test('resetsIn counts resets, unless the last one was undone', () => {
  const begin = (seq: number, kind: 'boot' | 'library') =>
    entry({ seq, command: 'world.begin', cause: { kind } })
  const entries = [begin(1, 'boot'), entry({ seq: 2 })]
  expect(resetsIn(entries)).toBe(0)
  entries.push(begin(3, 'library'), begin(4, 'library'), entry({ seq: 5 }))
  expect(resetsIn(entries)).toBe(2)
  const undone = entry({ seq: 4, command: 'world.undo', input: { after: 2 } })
  expect(resetsIn([...entries.slice(0, 3), undone])).toBe(0)
})

const logged = (n: number, given: Partial<LogRecord> = {}): LogRecord => ({
  ...startLogRecord({
    method: 'GET',
    path: '/onboarding/api/v1/users/all',
    url: 'http://127.0.0.1:1/onboarding/api/v1/users/all',
    headers: 'x-api-key\n…0001',
    operation: undefined,
    started_at: 1_000,
  }),
  n,
  duration_us: 400,
  ...given,
})

test('silentRepeats finds requests that follow a cut one at once with the same bytes', () => {
  const log = [logged(1), logged(2), logged(3, { started_at: 1_001, status: 200 }), logged(4)]
  expect(silentRepeats(log)).toEqual([
    'request 2 repeats request 1 byte for byte after 0 ms',
    'request 3 repeats request 2 byte for byte after 1 ms',
  ])
})

test.each<[string, Partial<LogRecord>, Partial<LogRecord>]>([
  ['after an answer', { status: 503 }, {}],
  ['after a timeout of the client', { aborted_ms: 5 }, {}],
  ['later', {}, { started_at: 1_500 }],
  ['with another header', {}, { headers: 'x-api-key\n…0001\nx-attempt\n2' }],
  ['with another body', {}, { body: '{}' }],
  ['for another URL', {}, { url: 'http://127.0.0.1:1/onboarding/api/v1/users/all?page=1' }],
])('silentRepeats ignores a repeat %s', (_, first, second) => {
  expect(silentRepeats([logged(1, first), logged(2, second)])).toEqual([])
})

test('findIdlePolls finds equal requests that span a second of real time at one time of the world', () => {
  const poll = (n: number, given: Partial<LogRecord> = {}) =>
    logged(n, { at: 5, started_at: 400 * n, ...given })
  expect(findIdlePolls([1, 2, 3, 4].map((n) => poll(n)))).toBe(
    '/onboarding/api/v1/users/all was sent 4 times in 1.2 s',
  )
  expect(findIdlePolls([1, 2, 3, 4].map((n) => poll(n, { at: n })))).toBeUndefined()
  expect(findIdlePolls([1, 2, 3].map((n) => poll(n)))).toBeUndefined()
})
