import fc from 'fast-check'
import { expect, test } from 'vitest'
import { findJsonError } from './json-error.js'

test.each([
  ['', 1, 1, 'the end', 'a value'],
  ['{"a":1,}', 1, 8, '"}"', 'a name in double quotes'],
  ['{"a" 1}', 1, 6, '"1"', ':'],
  ["{'a':1}", 1, 2, '"\'"', 'a name in double quotes, or }'],
  ['{\n  "a": 1\n  "b": 2\n}', 3, 3, '"\\""', ', or }'],
  ['[1 2]', 1, 4, '"2"', ', or ]'],
  ['[1,]', 1, 4, '"]"', 'a value'],
  ['{"a":tru}', 1, 6, '"t"', 'a value'],
  ['{"a":01}', 1, 7, '"1"', ', or }'],
  ['{} x', 1, 4, '"x"', 'nothing more'],
  ['{"a":', 1, 6, 'the end', 'a value'],
  ['"a\nb"', 1, 3, '"\\n"', 'a closing quote'],
  ['["\\x"]', 1, 3, '"\\\\"', 'a closing quote'],
  ['["é😀', 1, 6, 'the end', 'a closing quote'],
  ['[\r\n😀]', 2, 1, '"😀"', 'a value or ]'],
])('%j is no JSON at line %i, column %i: it has %s in place of %s', (...row) => {
  const [text, line, column, got, expected] = row
  expect(findJsonError(text)).toMatchObject({ line, column, got })
  expect(findJsonError(text)?.expected).toMatch(expected)
})

test('agrees with JSON.parse on what is JSON', () => {
  const pieces = fc.constantFrom(
    ...'{}[]:,"0123-.eE+ \n\\u/tfn',
    'true',
    'null',
    '"a"',
    '"\\u00e9"',
  )
  const texts = fc.oneof(
    fc.json(),
    fc.array(pieces, { maxLength: 12 }).map((it) => it.join('')),
  )
  fc.assert(
    fc.property(texts, (text) => {
      let isJson = true
      try {
        JSON.parse(text)
      } catch {
        isJson = false
      }
      expect(findJsonError(text) === undefined).toBe(isJson)
    }),
    { numRuns: 2_000 },
  )
})
