import { describe, expect, test } from 'vitest'
import { captureHeaders as keepWith, showHeaders, toPairs } from './headers.js'
import { createRedactor } from './redact.js'

const redactKeys = createRedactor()
const KEY = 'SandrampFullAccessKey00000000001'
const keepHeaders = (raw: readonly string[]) => keepWith(raw, redactKeys)
const shown = (...raw: string[]) => showHeaders(toPairs(keepHeaders(raw)))

describe('headers in the request log', () => {
  test('have names in lower case', () => {
    expect(shown('Host', 'localhost', 'X-Trace', 'a: b')).toEqual({
      host: 'localhost',
      'x-trace': 'a: b',
    })
  })

  test('may be empty', () => {
    expect(shown('X-Empty', '')).toEqual({ 'x-empty': '' })
    expect(shown()).toEqual({})
  })

  test.each([
    ['x-api-key', KEY, '…0001'],
    ['X-API-KEY', KEY, '…0001'],
    ['x-api-key', 'short', '…'],
    ['x-api-key', '', '…'],
    ['authorization', 'Bearer secret', '…'],
    ['Proxy-Authorization', 'Basic c2VjcmV0', '…'],
    ['cookie', 'session=secret', '…'],
    ['api-key', KEY, '…0001'],
    ['referer', `http://localhost/?key=${KEY}&a=1`, 'http://localhost/?key=…0001&a=1'],
  ])('redact the secret of %s: %s', (name, value, redacted) => {
    expect(shown(name, value)).toEqual({ [name.toLowerCase()]: redacted })
    if (value) expect(keepHeaders([name, value])).not.toContain(value)
  })

  test('have both values of a repeated header, redacted', () => {
    expect(shown('x-api-key', KEY, 'a', '1', 'x-api-key', KEY, 'a', '2')).toEqual({
      'x-api-key': '…0001, …0001',
      a: '1, 2',
    })
  })

  test('are those of their own request', () => {
    const first = keepHeaders(['a', '1'])
    const second = keepHeaders(['a', '2'])
    expect(keepHeaders(['a', '2'])).toBe(second)
    expect([first, second].map((it) => showHeaders(toPairs(it)))).toEqual([{ a: '1' }, { a: '2' }])
  })

  test('are redacted again for other secrets', () => {
    const raw = ['x-token', 'correct-horse']
    expect(keepHeaders(raw)).toBe('x-token\ncorrect-horse')
    expect(keepWith(raw, createRedactor({ controlToken: 'correct-horse' }))).toBe('x-token\n…')
    expect(keepHeaders(raw)).toBe('x-token\ncorrect-horse')
  })

  test('may have any name', () => {
    expect(shown('constructor', 'x', '__proto__', 'y')).toEqual(
      JSON.parse('{"constructor":"x","__proto__":"y"}'),
    )
  })
})
