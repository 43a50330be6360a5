import { expect, test } from 'vitest'
import { suitesText } from './junit.js'

test('a JUnit report contains no characters that XML forbids', () => {
  const text = 'a\u0007 ]]> \ud800 \uffff\r\n<b>&'
  const failure = { message: text, text }
  const xml = suitesText(text, [
    { name: text, duration_ms: 1, cases: [{ classname: 'c', name: 'n', failure }] },
  ])
  expect(xml).toContain('message="a\ufffd ]]&gt; \ufffd \ufffd\ufffd&#10;&lt;b&gt;&amp;"')
  expect(xml).toContain('>a\ufffd ]]&gt; \ufffd \ufffd\ufffd\n&lt;b&gt;&amp;</failure>')
  expect(xml).not.toMatch(/(?!\n)[\p{Cc}\p{Cs}\uffff]/u)
})
