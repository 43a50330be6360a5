import { expect, test } from 'vitest'
import { got, inWords } from '../../test/support/invalid.js'
import { formatIssues } from '../lib/zod-errors.js'
import { text } from './fields.js'

test.each([
  [' '.repeat(3), got('   ', 'text of 1 to 5 characters that is not blank')],
  [' '.repeat(6), got('      ', 'text of 1 to 5 characters')],
  [
    '\u200b'.repeat(2),
    got(inWords('"\\u200b\\u200b"'), 'text of 1 to 5 characters that is not blank'),
  ],
])('a schema reports one message for %j', (given, sentence) => {
  const { error } = text(5).safeParse(given)
  expect(formatIssues(error?.issues ?? [], given)).toContain(sentence)
})
