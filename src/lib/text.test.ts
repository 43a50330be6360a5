import { expect, test } from 'vitest'
import { escapeControlChars, escapeLine, plural, quote, truncate } from './text.js'

test.each([
  ['abc', 'abc'],
  ['abcd', 'abc…'],
  ['ab💥', 'ab…'],
  ['a💥', 'a💥'],
  ['a💥b', 'a💥…'],
  ['', ''],
])('%s', (text, short) => expect(truncate(text, 3)).toBe(short))

test.each([
  ['a "b"\n', '"a \\"b\\"\\n"'],
  ['a\u200bb\u202e', '"a\\u200bb\\u202e"'],
  ['\x7f\x85\u2028', '"\\u007f\\u0085\\u2028"'],
  ['\u{e0001}', '"\\udb40\\udc01"'],
  ['Ünï 💥', '"Ünï 💥"'],
])('%j shows what nobody would see', (text, quoted) => {
  expect(quote(text, 40)).toBe(quoted)
  expect(JSON.parse(quoted)).toBe(text)
})

test('plural adds an s unless the count is 1', () => {
  expect([0, 1, 2].map((n) => plural(n, 'request'))).toEqual([
    '0 requests',
    '1 request',
    '2 requests',
  ])
})

test.each([
  ['plain text', 'a – ü 😀\tb\nc', 'a – ü 😀\tb\nc'],
  ['a title for the window', '\u001b]0;x\u0007', '\\u001b]0;x\\u0007'],
  ['a sequence of one character', '\u009b2J', '\\u009b2J'],
  ['a line that takes the place of another', 'FAILED\rpassed\b', 'FAILED\\u000dpassed\\u0008'],
  ['a turned text', '\u202e\u2066', '\\u202e\\u2066'],
])('shows %s', (_, text, shown) => expect(escapeControlChars(text)).toBe(shown))

test('escapeLine keeps a text on its line', () =>
  expect(escapeLine('a\tb\nok\u001b[1m')).toBe('a\\u0009b\\u000aok\\u001b[1m'))
