import { expect, test } from 'vitest'
import { splitMessages } from './field-errors.js'

test.each([
  ['one', ['one']],
  ['a: 1 came | b: 2 came', ['a: 1 came', 'b: 2 came']],
  ['a: "x | b: y" came | c: "\\" | d: z" came', ['a: "x | b: y" came', 'c: "\\" | d: z" came']],
  ['an odd " | stays', ['an odd "', 'stays']],
])('%s holds these complaints', (message, parts) => expect(splitMessages(message)).toEqual(parts))
