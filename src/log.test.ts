import { expect, it, vi } from 'vitest'
import type { Exchange } from './exchanges/exchange.js'
import { exchangeLog, type LogStyle } from './log.js'

const exchange = {
  method: 'GET',
  path: '/payment/api/v1/payout',
  status: 200,
  duration_ms: 1.25,
  request_id: 'r',
  operation: 'createPayout',
}

const lineOf = (style: LogStyle, more: Partial<Exchange> = {}): string => {
  const written = vi.spyOn(process.stdout, 'write').mockReturnValue(true)
  exchangeLog(style, () => Date.UTC(2026, 5, 15, 9))?.({ ...exchange, ...more })
  const [line] = written.mock.calls.map(([text]) => String(text))
  written.mockRestore()
  return line ?? ''
}

it('is one line for each exchange, which names a world by key', () => {
  expect(lineOf('pretty')).toBe('200 GET  /payment/api/v1/payout createPayout 1.3ms r\n')
  expect(lineOf('pretty', { world: 'abc' })).toMatch(/ r world=abc\n$/)
  const timed = { time: '2026-06-15T09:00:00.000Z', ...exchange }
  expect(JSON.parse(lineOf('json'))).toEqual(timed)
  expect(JSON.parse(lineOf('json', { world: 'abc' }))).toEqual({ ...timed, world: 'abc' })
  expect(lineOf('silent')).toBe('')
})

it('holds nothing that a terminal would do something with', () => {
  const path = '/\u001b[2J\u009b31m\u202e'
  expect(lineOf('pretty', { path })).toContain(' /?[2J?31m? ')
  expect(lineOf('json', { path })).toContain('"path":"/\\u001b[2J\\u009b31m\\u202e"')
  expect(JSON.parse(lineOf('json', { path })).path).toBe(path)
})

it('says of a connection that was cut without an answer that it was', () => {
  expect(lineOf('pretty', { status: null })).toMatch(/^cut GET /)
  expect(JSON.parse(lineOf('json', { status: null })).status).toBeNull()
})

it('measures to a microsecond, whatever the clock of the machine adds', () => {
  const { duration_ms } = JSON.parse(lineOf('json', { duration_ms: 7.666941000000008 }))
  expect(duration_ms).toBe(7.667)
})

it.each([
  ['pretty', '2 lines are missing here: the log was not read\n'],
  ['json', '{"missing":2}\n'],
] as const)(
  'keeps no more than a MiB for who does not read it, and tells what is missing: %s',
  (style, gap) => {
    const written = vi.spyOn(process.stdout, 'write').mockReturnValue(true)
    const waiting = vi.spyOn(process.stdout, 'writableLength', 'get').mockReturnValue(2 ** 20)
    const log = exchangeLog(style, () => 0)
    log?.(exchange)
    waiting.mockReturnValue(2 ** 20 + 1)
    log?.(exchange)
    log?.(exchange)
    waiting.mockReturnValue(0)
    log?.(exchange)
    log?.(exchange)
    const lines = written.mock.calls.map(([text]) => String(text))
    vi.restoreAllMocks()
    expect(lines).toEqual([lines[0], gap, lines[0], lines[0]])
  },
)
