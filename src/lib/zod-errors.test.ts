import { expect, it } from 'vitest'
import * as z from 'zod'
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

it.each([
  [{ word: ['a', 'b', 'c', 'd'] }, `word: an array came; accepted: ${WORDS}`],
  [{ word: [] }, `word: an empty array came; accepted: ${WORDS}`],
  [{ names: 'abc' }, 'names: "abc" came; accepted: a list'],
  [{ names: ['a', 'b', 'c'] }, `names: an array of 3 came; accepted: ${NAMES}`],
  [{ word: 'abcd' }, `word: "abcd" came; accepted: ${WORDS}`],
])('%j is told in one sentence', (given, sentence) => expect(told(given)).toBe(sentence))
