import { describe, expect, test } from 'vitest'
import { decode, emptySlot, encode } from './log-codec.js'
import { type LogRecord, type ReceivedRequest, startLogRecord } from './log-record.js'

const arrival: ReceivedRequest = {
  method: 'POST',
  path: '/€\n/x',
  url: 'http://localhost/%E2%82%AC%0A/x?a=1',
  headers: 'host\nlocalhost',
  operation: { id: 'createPayout', path: '/payment/api/v1/payout' },
  started_at: 1_798_761_600_000.5,
}

const recordingOf = (more: Partial<LogRecord>): LogRecord => ({
  ...startLogRecord(arrival),
  id: 'abcdef00-0000-4000-8000-000000000001',
  at: 1_781_514_000_000,
  ...more,
})

describe('encode and decode', () => {
  test.each<Partial<LogRecord>>([
    {},
    { operation: undefined, status: 404, n: 2 ** 40, from: 5, to: 6, duration_us: 17 },
    { body: '', answer: '"Zoë 💥 \\u0000"', user_id: 'abcdef00-0000-4000-8000-000000000002' },
    { body: { text: 'x€', more: 7, bytes: 30_000 }, answer: '{}', status: 200 },
    { answerHeaders: 'allow\nGET\nretry-after\n5', fault: 'bad-day/1', rules: ['a/1'] },
    { body: 'y'.repeat(50_000) },
    { pending: true, aborted_ms: 0 },
    {
      status: 200,
      aborted_ms: 1_500,
      garbled: true,
      shown: 'a PENDING, b FAILED',
      outcome: 'FAILED x',
    },
  ])('round-trip an exchange with %s', (more) => {
    const slot = emptySlot()
    const logRecord = recordingOf(more)
    encode(recordingOf({ body: 'z'.repeat(3_000), fault: 'before/1' }), slot)
    encode(logRecord, slot)
    expect(decode(slot)).toEqual(logRecord)
  })

  test('shrinks a slot after a large exchange', () => {
    const slot = emptySlot()
    encode(recordingOf({ body: 'y'.repeat(50_000) }), slot)
    expect(slot.texts.length).toBeGreaterThan(50_000)
    encode(recordingOf({}), slot)
    expect(slot.texts.length).toBeLessThan(512)
  })
})
