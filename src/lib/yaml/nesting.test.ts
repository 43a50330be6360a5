import { expect, test } from 'vitest'
import { mayNestDeeper } from './nesting.js'

const deep = (n: number) => [
  '['.repeat(n),
  '{"a":'.repeat(n),
  '[\n'.repeat(n),
  `${'- '.repeat(n)}x`,
  `${'? '.repeat(n)}x`,
  Array.from({ length: n }, (_, i) => `${' '.repeat(i)}a:`).join('\n'),
  `a:\n${Array.from({ length: n / 2 }, (_, i) => `${' '.repeat(4 * i)}- - `).join('\n')}`,
]

test.each(deep(40).map((text, i) => ({ text, i })))(
  'a nesting of 40 levels is found in text $i',
  ({ text }) => {
    expect(mayNestDeeper(text, 30)).toBe(true)
    expect(mayNestDeeper(text, 100)).toBe(false)
  },
)

test.each([
  ['nothing', ''],
  ['many items', '- a\n'.repeat(1_000)],
  ['many brackets that are closed', '[]{}'.repeat(1_000)],
  ['many keys', 'a: 1\nb:\n  c: 2\n'.repeat(1_000)],
  ['closing brackets alone', ']'.repeat(1_000)],
])('no deep nesting is found in %s', (_, text) => {
  expect(mayNestDeeper(text, 30)).toBe(false)
})
