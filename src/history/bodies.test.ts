import { describe, expect, test } from 'vitest'
import { bodyBytes, bodyText, bodyValue, captureBody, MAX_BODY } from './bodies.js'

/** Captures without a redactor. */
const capture = (text: string) => captureBody(text, (it) => it)
const uri = (length: number) => `data:image/png;base64,${'A'.repeat(length)}`
const kept = (value: unknown) => capture(JSON.stringify(value))

describe('captureBody', () => {
  test.each([
    ['{"a":1}', { a: 1 }],
    ['"bare"', 'bare'],
    ['null', null],
    ['{"a":', '{"a":'],
    ['{"__proto__":1}', JSON.parse('{"__proto__":1}')],
  ])('shows %s unchanged', (text, shown) => {
    expect(bodyValue(capture(text))).toEqual(shown)
    expect(bodyText(capture(text))).toBe(text)
  })

  test('accepts a missing body', () => {
    expect(bodyValue(undefined)).toBeNull()
    expect(bodyText(undefined)).toBeUndefined()
    expect(bodyBytes(undefined)).toBe(0)
  })

  test.each([8, 12_345, 100_000])('elides data URIs of %d characters', (length) => {
    const body = kept({ list: [uri(length)], not: 'data: none', title: 'the data:image/png one' })
    expect(bodyValue(body)).toEqual({
      list: [`data:image/png;base64,… (${length} characters)`],
      not: 'data: none',
      title: 'the data:image/png one',
    })
    expect(bodyText(body)).not.toContain('AAAA')
  })

  test('elides data URIs with escaped slashes', () => {
    const text = `{"a":${JSON.stringify(uri(9)).replaceAll('/', '\\/')}}`
    expect(bodyValue(capture(text))).toEqual({ a: 'data:image/png;base64,… (9 characters)' })
  })

  test.each([8, 20_000])('keeps the text around %d elided characters', (length) => {
    const text = `{ "2": 1e400, "1": 12345678901234567890, "2": "${uri(length)}", "a": "data: \\u0041" }`
    const shown = `{ "2": 1e400, "1": 12345678901234567890, "2": "data:image/png;base64,… (${length} characters)", "a": "data: \\u0041" }`
    expect(bodyText(capture(text))).toBe(shown)
  })

  test('accepts a long text of escapes', () => {
    const text = JSON.stringify('"\\'.repeat(2_000_000))
    expect(bodyText(capture(text))).toMatch(/^"(\\"\\\\){1000}/)
  })

  test('truncates a body beyond the limit', () => {
    const whole = 'x'.repeat(MAX_BODY - 2)
    expect(bodyValue(kept(whole))).toBe(whole)
    const cut = bodyValue(kept(`${whole}yz`))
    expect(cut).toBe(`"${whole}y… (2 more characters)`)
  })

  test('truncates a malformed body as text', () => {
    expect(bodyValue(capture('['.repeat(20_000)))).toBe(
      `${'['.repeat(MAX_BODY)}… (${20_000 - MAX_BODY} more characters)`,
    )
  })

  test.each([101, 5_000, 50_000])('shows a body with %d levels as text', (depth) => {
    const text = '['.repeat(depth) + ']'.repeat(depth)
    const shown = bodyValue(capture(text))
    expect(shown).toEqual(expect.stringMatching(/^\[{101}/))
  })

  test('has the size of the whole body in bytes', () => {
    expect(bodyBytes(capture('"é"'))).toBe(4)
    expect(bodyBytes(kept(uri(100_000)))).toBe(100_024)
  })
})
