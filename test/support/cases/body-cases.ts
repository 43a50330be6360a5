import { describe, expect, test } from 'vitest'
import { expectRefusal } from '../client.js'
import { didYouMean, expected, got, inWords, missing, unknownField } from '../invalid.js'
import { openSandbox } from '../open-sandbox.js'
import { footprint, type Place } from './subject.js'

const JSON_TYPE = { 'content-type': 'application/json' }
const bytes = (text: string) => new TextEncoder().encode(text)
const streamed = (text: string) => new Blob([text]).stream()
const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth)

const FOREIGN_TYPES = [
  'text/plain',
  'text/plain;charset=UTF-8',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=x',
  'application/jsonp',
  'application/merge-patch+json',
  'text/json',
  'json',
  ';application/json',
]

const MALFORMED = [
  '{',
  '{"a":1,}',
  "{'a':1}",
  'nonsense',
  '{"a":1} {"b":2}',
  '{"a":"\u0000"}',
  '\u0000',
  '{"a":01}',
  '{"a":NaN}',
  '[1,',
  '\ufeff{}',
]

/** The received value in words, and in JSON. */
const NOT_OBJECTS: readonly [string, string][] = [
  ['null', 'null'],
  ['an empty array', '[]'],
  ['"text"', '"text"'],
  ['a number beyond 1e308', '1e999'],
  ['0', '-0'],
  ['true', 'true'],
  ['an array', nested(90_000)],
]

/** Cases of every operation with a body: its label, its size, its JSON. */
export const bodyCases = ({ over, subject }: Place): void => {
  const { method, path, body, success, empty = 'Missing ' } = subject
  const valid = () => JSON.stringify(body?.())
  // The service answers with a status of the contract's table.
  const isOwn = path.startsWith('/_sandbox')
  const otherType: [number, string] = isOwn ? [415, '4150'] : [400, '4000']
  const tooLong: [number, string] = isOwn ? [413, '4130'] : [400, '4000']

  describe('body', () => {
    test.each([
      ['no label', {}],
      ['a label', JSON_TYPE],
    ])('none at all, with %s', async (_, headers) => {
      const api = await openSandbox({ over })
      const answer = await api.call(method, path, { headers })
      if (empty === 'accepted') expect(answer.status).toBe(success)
      else expectRefusal(answer, 400, '4000', missing('body', 'a JSON object'))
    })

    test('labelled as something else', async () => {
      const api = await openSandbox({ over })
      const before = footprint(api)
      for (const type of FOREIGN_TYPES) {
        const headers = { 'content-type': type }
        const answer = await api.call(method, path, { headers, raw: valid() })
        expectRefusal(answer, ...otherType, JSON.stringify(type), expected('application/json'))
      }
      expect(footprint(api)).toEqual(before)
    })

    test('without a label', async () => {
      const api = await openSandbox({ over })
      const answer = await api.call(method, path, { raw: bytes(valid()) })
      expectRefusal(answer, ...otherType, missing('content-type', 'application/json'))
    })

    // JSON is UTF-8 whatever charset says (RFC 8259, section 8.1).
    test.each([
      'application/json; charset=utf-8',
      'application/json; charset="UTF8"',
      'application/json; charset=us-ascii',
      'application/json; charset=iso-8859-1',
      'Application/JSON',
      'application/json ;x=y',
    ])('labelled %s is taken', async (type) => {
      const api = await openSandbox({ over })
      const headers = { 'content-type': type }
      const answer = await api.call(method, path, { headers, raw: valid() })
      expect(answer.status).toBe(success)
    })

    test('malformed', async () => {
      const api = await openSandbox({ over })
      const before = footprint(api)
      for (const raw of MALFORMED) {
        const answer = await api.call(method, path, { headers: JSON_TYPE, raw })
        expectRefusal(answer, 400, '4004', 'The body is not well-formed JSON: ')
      }
      expect(footprint(api)).toEqual(before)
    })

    test('of well-formed JSON behind a byte order mark, which no message could show', async () => {
      const api = await openSandbox({ over })
      const answer = await api.call(method, path, { headers: JSON_TYPE, raw: `\ufeff${valid()}` })
      expectRefusal(answer, 400, '4004', 'it begins with a byte order mark, U+FEFF. Expected JSON')
    })

    test('in another charset', async () => {
      const api = await openSandbox({ over })
      const headers = { 'content-type': 'application/json; charset=iso-8859-1' }
      const raw = new Uint8Array(Buffer.from('{"é":1}', 'latin1'))
      const answer = await api.call(method, path, { headers, raw })
      const problem = 'The body is not well-formed UTF-8. Expected UTF-8, whatever charset'
      expectRefusal(answer, 400, '4004', problem)
    })

    test('a long malformed body gets a short error', async () => {
      const api = await openSandbox({ over })
      const raw = `{"a":${'x'.repeat(1_000_000)}`
      const answer = await api.call(method, path, { headers: JSON_TYPE, raw })
      expectRefusal(answer, 400, '4004')
      expect(JSON.stringify(answer.body).length).toBeLessThan(2_000)
    })

    test('JSON, but no object', async () => {
      const api = await openSandbox({ over })
      for (const [came, raw] of NOT_OBJECTS) {
        const answer = await api.call(method, path, { headers: JSON_TYPE, raw })
        expectRefusal(answer, 400, '4000', got(inWords(came), 'an object'))
      }
    })

    test('as large as the limit is taken, one byte more is not', async () => {
      const text = valid()
      const limit = bytes(text).length + 10
      const api = await openSandbox({ over, bodyLimit: limit })
      const call = (raw: string | ReadableStream) =>
        api.call(method, path, { headers: JSON_TYPE, raw })
      const before = footprint(api)
      const tooLarge = `The body is larger than the limit of ${limit} bytes`
      expectRefusal(await call(`${text}${' '.repeat(11)}`), ...tooLong, tooLarge)
      expectRefusal(await call(streamed(`${text}${' '.repeat(11)}`)), ...tooLong, tooLarge)
      expect(footprint(api)).toEqual(before)
      expect((await call(streamed(`${text}${' '.repeat(10)}`))).status).toBe(success)
    })

    test('unknown fields are ignored, except by the control API', async () => {
      const api = await openSandbox({ over })
      if (path.startsWith('/_sandbox')) {
        const before = footprint(api)
        const [first = ''] = Object.keys(body?.() ?? {})
        const names = [`${first}s`, '__proto__', 'constructor', 'toString', 'x'.repeat(100_000)]
        for (const name of names) {
          const raw = `{${JSON.stringify(name)}:${nested(90_000)},${valid().slice(1)}`
          const answer = await api.call(method, path, { headers: JSON_TYPE, raw })
          expectRefusal(answer, 400, '4000', `Unknown field "${name.slice(0, 40)}`)
          expect(JSON.stringify(answer.body).length).toBeLessThan(2_000)
        }
        const slip = `{${JSON.stringify(`${first}s`)}:1,${valid().slice(1)}`
        const answer = await api.call(method, path, { headers: JSON_TYPE, raw: slip })
        expectRefusal(answer, 400, '4000', `Unknown field "${first}s"`, didYouMean(first))
        expect(footprint(api)).toEqual(before)
        return
      }
      const extra = `"surplus":{"zebra":"stripes"},"constructor":1,"toString":null,"deep":${nested(90_000)}`
      const raw = `{${extra},${valid().slice(1)}`
      const answer = await api.call(method, path, { headers: JSON_TYPE, raw })
      expect(answer.status).toBe(success)
      expect(JSON.stringify(answer.body)).not.toContain('zebra')
      const kept = Object.values(api.sandbox.tables).map((table) => 'all' in table && table.all())
      expect(JSON.stringify(kept)).not.toContain('zebra')
    })

    test('__proto__ is a field like any other that nobody knows', async () => {
      const api = await openSandbox({ over })
      const call = (raw: string) => api.call(method, path, { headers: JSON_TYPE, raw })
      const inherited = await call(`{"__proto__":${valid()}}`)
      const isControl = path.startsWith('/_sandbox')
      if (isControl) expectRefusal(inherited, 400, '4000', unknownField('__proto__'))
      else if (empty !== 'accepted') expectRefusal(inherited, 400, '4000', empty)
      api.sandbox.reset()
      const answer = await call(`{"__proto__":{"zebra":"stripes"},${valid().slice(1)}`)
      expect(answer.status).toBe(isControl ? 400 : success)
      expect({}).not.toHaveProperty('zebra')
    })
  })
}
