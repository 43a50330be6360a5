import { expect, it } from 'vitest'
import { shortened } from './shortened.js'

it.each([
  ['abc', 'abc'],
  ['abcd', 'abc…'],
  ['ab💥', 'ab…'],
  ['a💥', 'a💥'],
  ['a💥b', 'a💥…'],
  ['', ''],
])('%s', (text, short) => expect(shortened(text, 3)).toBe(short))
