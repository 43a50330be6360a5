import fc from 'fast-check'
import { expect, test } from 'vitest'
import { findDuplicateKey } from './duplicate-keys.js'

const found = (text: string) => findDuplicateKey(text, JSON.parse(text))

test.each([
  ['{"a":1,"a":2}', 'a'],
  ['{"a":1,"b":{"c":1,"d":2,"c":3}}', 'b.c'],
  ['{"list":[0,{"a":1},{"a":1,"b":[{}],"a":2}]}', 'list.2.a'],
  ['[[1,2],[{"a":1 , "a" : 2}]]', '1.0.a'],
  ['{"a":{"b":1,"b":2},"a":3}', 'a.b'],
  ['{"a":1,"\\u0061":2}', 'a'],
  ['{"__proto__":1,"__proto__":2}', '__proto__'],
  ['{"":1,"":2}', ''],
  ['{"a\\\\":1,"a\\\\":2}', 'a\\'],
  ['{"a\\"":"\\\\\\"", "a\\"":2}', 'a"'],
  [`{"${'x'.repeat(1_000)}":1,"${'x'.repeat(1_000)}":2}`, `${'x'.repeat(120)}…`],
  [`${'['.repeat(100)}{"a":1,"a":2}${']'.repeat(100)}`, 'a field'],
])('%s names %s twice', (text, path) => {
  expect(found(text)).toBe(path)
})

test.each([
  '{}',
  'null',
  '":"',
  '{"a":":","b":"\\":","c":["\\\\",":"]}',
  '{"a":{"a":{"a":1}},"b":[{"a":1},{"a":1}]}',
  '{"__proto__":{"constructor":1},"toString":null,"1":1,"01":1}',
])('%s names each field once', (text) => {
  expect(found(text)).toBeUndefined()
})

test('texts of all kinds name each field once, and one of them twice when it is put in again', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue(), { minKeys: 1 }), (value) => {
      const text = JSON.stringify(value, undefined, 1)
      expect(found(text)).toBeUndefined()
      const [name] = Object.keys(JSON.parse(text)) as [string]
      expect(found(`${text.slice(0, -1)},${JSON.stringify(name)}:0}`)).toBe(name)
    }),
  )
})

test.each<[string, string]>([
  ['arrays', `{"a":0,"b":${'['.repeat(100_000)}${']'.repeat(100_000)},"a":0}`],
  ['objects', `{"a":0,"b":${'{"c":'.repeat(100_000)}0${'}'.repeat(100_000)},"a":0}`],
  ['backslashes', `{"a":"${'\\\\'.repeat(1_000_000)}","a":"${'\\"'.repeat(1_000_000)}"}`],
])('100,000 nested %s and more take no time and no stack', (_, text) => {
  expect(found(text)).toBe('a')
})
