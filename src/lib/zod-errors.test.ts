import { expect, test } from 'vitest'
import * as z from 'zod'
import { invalid, inWords } from '../../test/support/invalid.js'
import { formatIssues } from './zod-errors.js'

const WORDS = 'text of 1 to 3 characters'
const NAMES = 'a list of at most 2'
const shape = z.object({
  word: z.string(WORDS).min(1, WORDS).max(3, WORDS),
  names: z.array(z.string(WORDS), 'a list').max(2, NAMES),
})
const told = (given: object) => {
  const input = { word: 'a', names: [], ...given }
  return formatIssues(shape.safeParse(input).error?.issues ?? [], input)
}

test.each([
  [{ word: ['a', 'b', 'c', 'd'] }, invalid('word', inWords('an array'), WORDS)],
  [{ word: [] }, invalid('word', inWords('an empty array'), WORDS)],
  [{ names: 'abc' }, invalid('names', 'abc', 'a list')],
  [{ names: ['a', 'b', 'c'] }, invalid('names', inWords('an array of 3'), NAMES)],
  [{ word: 'abcd' }, invalid('word', 'abcd', WORDS)],
])('formatIssues describes %j in one sentence', (given, sentence) =>
  expect(told(given)).toBe(`${sentence}.`),
)
