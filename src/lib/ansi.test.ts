import { expect, test } from 'vitest'
import { escapeControlChars, escapeLine } from './ansi.js'

test.each([
  ['plain text', 'a – ü 😀\tb\nc', 'a – ü 😀\tb\nc'],
  ['a title for the window', '\u001b]0;x\u0007', '\\u001b]0;x\\u0007'],
  ['a sequence of one character', '\u009b2J', '\\u009b2J'],
  ['a line that takes the place of another', 'FAILED\rpassed\b', 'FAILED\\u000dpassed\\u0008'],
  ['a turned text', '\u202e\u2066', '\\u202e\\u2066'],
])('shows %s', (_, text, shown) => expect(escapeControlChars(text)).toBe(shown))

test('escapeLine keeps a text on its line', () =>
  expect(escapeLine('a\tb\nok\u001b[1m')).toBe('a\\u0009b\\u000aok\\u001b[1m'))
