import { expect, test } from 'vitest'
import { splitMessages } from './field-errors.js'

test.each([
  ['one', ['one']],
  ['a: 1 | b: 2', ['a: 1', 'b: 2']],
  ['a: got "x | b: y" | c: got "\\" | d: z"', ['a: got "x | b: y"', 'c: got "\\" | d: z"']],
  ['an odd " | stays', ['an odd "', 'stays']],
])('%s holds these problems', (message, parts) => expect(splitMessages(message)).toEqual(parts))
