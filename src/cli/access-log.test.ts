import { setImmediate } from 'node:timers/promises'
import { afterEach, beforeEach, expect, type MockInstance, test, vi } from 'vitest'
import type { Exchange } from '../history/views.js'
import { createRequestLogger, type LogStyle } from './access-log.js'

const exchange = {
  method: 'GET',
  path: '/payment/api/v1/payout',
  status: 200,
  duration_ms: 1.25,
  request_id: 'r',
  operation: 'createPayout',
}

let stdout: MockInstance<typeof process.stdout.write>

beforeEach(() => {
  stdout = vi.spyOn(process.stdout, 'write').mockReturnValue(true)
})

afterEach(() => {
  vi.restoreAllMocks()
})

const written = (): string[] => stdout.mock.calls.map(([text]) => String(text))

const lineOf = async (style: LogStyle, more: Partial<Exchange> = {}): Promise<string> => {
  createRequestLogger(style, () => Date.UTC(2026, 5, 15, 9))?.({ ...exchange, ...more })
  await setImmediate()
  return written().at(-1) ?? ''
}

test('the access log has one line per request, with the world if it is opened by key', async () => {
  expect(await lineOf('silent')).toBe('')
  expect(await lineOf('pretty')).toBe('200 GET  /payment/api/v1/payout createPayout 1.3ms r\n')
  expect(await lineOf('pretty', { world: 'abc' })).toMatch(/ r world=abc\n$/)
  expect(await lineOf('pretty', { world: 'default' })).toMatch(/ r\n$/)
  const timed = { time: '2026-06-15T09:00:00.000Z', ...exchange }
  expect(JSON.parse(await lineOf('json'))).toEqual(timed)
  expect(JSON.parse(await lineOf('json', { world: 'abc' }))).toEqual({ ...timed, world: 'abc' })
})

test('the access log leaves out health checks', async () => {
  expect(await lineOf('pretty', { operation: 'getHealth' })).toBe('')
})

test('the access log names the fault and the error of a request', async () => {
  const refused = { status: 503, fault: 'flaky/0', code: '5030', message: 'wait\nand retry' }
  expect(await lineOf('pretty', refused)).toMatch(
    /^503 5030 GET .* r fault=flaky\/0\n {4}wait and retry\n$/,
  )
  expect(JSON.parse(await lineOf('json', refused))).toMatchObject(refused)
})

test('the access log shows amount and record of a change', async () => {
  const change = { record: 'payout p', amount: '12.50 NGN' }
  expect(await lineOf('pretty', change)).toMatch(/ createPayout 12\.50 NGN payout p 1\.3ms r\n$/)
  expect(JSON.parse(await lineOf('json', change))).toMatchObject(change)
})

test('the access log shows status and reason of the record of a request', async () => {
  const failed = { outcome: 'PAYOUT_FAILED account_closed' }
  expect(await lineOf('pretty', failed)).toMatch(/^200 PAYOUT_FAILED account_closed GET /)
  expect(JSON.parse(await lineOf('json', failed))).toMatchObject(failed)
})

test('the access log truncates long messages only in the pretty style', async () => {
  const message = 'x'.repeat(2_000)
  expect(await lineOf('pretty', { code: '4000', message })).toMatch(/\n {4}x{400}…\n$/)
  expect(JSON.parse(await lineOf('json', { code: '4000', message })).message).toBe(message)
})

test('the access log escapes control characters', async () => {
  const path = '/\u001b[2J\u009b31m\u202e'
  expect(await lineOf('pretty', { path })).toContain(' /\\u001b[2J\\u009b31m\\u202e ')
  const json = await lineOf('json', { path })
  expect(json).toContain('"path":"/\\u001b[2J\\u009b31m\\u202e"')
  expect(JSON.parse(json).path).toBe(path)
})

test('the access log marks connections that were cut without a response', async () => {
  expect(await lineOf('pretty', { status: null })).toMatch(/^cut GET /)
  expect(JSON.parse(await lineOf('json', { status: null })).status).toBeNull()
})

test('the access log rounds durations to microseconds', async () => {
  const { duration_ms } = JSON.parse(await lineOf('json', { duration_ms: 7.666941000000008 }))
  expect(duration_ms).toBe(7.667)
})

test('the access log writes all lines of one turn of the event loop at once', async () => {
  const log = createRequestLogger('pretty')
  log?.(exchange)
  log?.({ ...exchange, request_id: 's' })
  expect(written()).toEqual([])
  await setImmediate()
  expect(written()).toEqual([expect.stringMatching(/^200 GET .* r\n200 GET .* s\n$/)])
  await setImmediate()
  expect(written()).toHaveLength(1)
})

test('the access log is flushed when the process exits', () => {
  createRequestLogger('pretty')?.(exchange)
  for (const atExit of process.listeners('exit')) if (atExit.name === 'flush') atExit(0)
  expect(written()).toEqual([expect.stringMatching(/ r\n$/)])
})

test.each([
  ['pretty', 2, '2 lines missing: stdout was not read\n'],
  ['pretty', 1, '1 line missing: stdout was not read\n'],
  ['json', 2, '{"missing":2}\n'],
] as const)(
  'the access log buffers at most 1 MiB and counts the dropped lines: %s, %d',
  async (style, missing, gap) => {
    const waiting = vi.spyOn(process.stdout, 'writableLength', 'get').mockReturnValue(0)
    const log = createRequestLogger(style, () => 0)
    const line = await lineOf(style)
    const room = 2 ** 20 - Buffer.byteLength(line)
    waiting.mockReturnValue(room)
    for (let i = 0; i < 2 + missing; i++) log?.(exchange)
    await setImmediate()
    waiting.mockReturnValue(0)
    for (let i = 0; i < 2; i++) log?.(exchange)
    await setImmediate()
    const [, first = '', second] = written()
    expect(first.split('\n').filter(Boolean)).toHaveLength(2)
    const [one] = first.split('\n')
    expect(second).toBe(`${gap}${one}\n${one}\n`)
  },
)
