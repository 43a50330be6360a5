import { expect, test } from 'vitest'
import { type LogRecord, startLogRecord } from '../../request-log/log-record.js'
import { silentRepeats } from './silent-repeats.js'

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
