import { describe, expect, it } from 'vitest'
import { bodyBytes, bodyText, bodyValue, captureBody, MAX_BODY } from './bodies.js'

const uri = (length: number) => `data:image/png;base64,${'A'.repeat(length)}`
const kept = (value: unknown) => captureBody(JSON.stringify(value), value)

describe('a body in the request log', () => {
  it.each([
    ['{"a":1}', { a: 1 }],
    ['"bare"', 'bare'],
    ['null', null],
    ['{"a":', '{"a":'],
    ['{"__proto__":1}', JSON.parse('{"__proto__":1}')],
  ])('%s is shown as it is', (text, shown) => {
    expect(bodyValue(captureBody(text))).toEqual(shown)
    expect(bodyText(captureBody(text))).toBe(text)
  })

  it('may be none', () => {
    expect(bodyValue(captureBody(undefined))).toBeNull()
    expect(bodyText(captureBody(undefined))).toBeUndefined()
    expect(bodyBytes(captureBody(undefined))).toBe(0)
  })

  it.each([8, 12_345, 100_000])('has data URIs of %d characters elided', (length) => {
    const body = kept({ list: [uri(length)], not: 'data: none', title: 'the data:image/png one' })
    expect(bodyValue(body)).toEqual({
      list: [`data:image/png;base64,… (${length} characters)`],
      not: 'data: none',
      title: 'the data:image/png one',
    })
    expect(bodyText(body)).not.toContain('AAAA')
  })

  it('has data URIs elided however their slashes are written', () => {
    const text = `{"a":${JSON.stringify(uri(9)).replaceAll('/', '\\/')}}`
    expect(bodyValue(captureBody(text))).toEqual({ a: 'data:image/png;base64,… (9 characters)' })
  })

  it.each([8, 20_000])('stays as it was written around %d elided characters', (length) => {
    const text = `{ "2": 1e400, "1": 12345678901234567890, "2": "${uri(length)}", "a": "data: \\u0041" }`
    const shown = `{ "2": 1e400, "1": 12345678901234567890, "2": "data:image/png;base64,… (${length} characters)", "a": "data: \\u0041" }`
    expect(bodyText(captureBody(text, JSON.parse(text)))).toBe(shown)
  })

  it('may be one long text of escapes', () => {
    const text = JSON.stringify('"\\'.repeat(2_000_000))
    expect(bodyText(captureBody(text, ''))).toMatch(/^"(\\"\\\\){1000}/)
  })

  it('is whole up to the limit, and cut beyond it', () => {
    const whole = 'x'.repeat(MAX_BODY - 2)
    expect(bodyValue(kept(whole))).toBe(whole)
    const cut = bodyValue(kept(`${whole}yz`))
    expect(cut).toBe(`"${whole}y… (2 more characters)`)
  })

  it('is cut as text when it is malformed', () => {
    expect(bodyValue(captureBody('['.repeat(20_000)))).toBe(
      `${'['.repeat(MAX_BODY)}… (${20_000 - MAX_BODY} more characters)`,
    )
  })

  it.each([101, 5_000, 50_000])('is text when it is nested %d deep', (depth) => {
    const text = '['.repeat(depth) + ']'.repeat(depth)
    const shown = bodyValue(captureBody(text, JSON.parse(text)))
    expect(shown).toEqual(expect.stringMatching(/^\[{101}/))
  })

  it('has the size that it had, in bytes', () => {
    expect(bodyBytes(captureBody('"é"'))).toBe(4)
    expect(bodyBytes(kept(uri(100_000)))).toBe(100_024)
  })
})
