import { expect, test } from 'vitest'
import { suitesText } from './junit.js'

test('a JUnit report has each name once', () => {
  const it = { classname: 'c', name: 'n' }
  const cases = [it, it, { ...it, name: 'other' }]
  const suite = { name: 's', duration_ms: 1, properties: {} }
  const xml = suitesText('s', [
    { ...suite, cases },
    { ...suite, cases: [it] },
  ])
  const names = [...xml.matchAll(/<testcase classname="c" name="([^"]*)"/g)].map(([, name]) => name)
  expect(names).toEqual(['n', 'n #2', 'other', 'n #3'])
})

test('a JUnit report contains no characters that XML forbids', () => {
  const text = 'a\u009b ]]> \ud800 \uffff\r\n<b>&'
  const failure = { message: text, text }
  const xml = suitesText(text, [
    { name: text, duration_ms: 1, properties: {}, cases: [{ classname: 'c', name: 'n', failure }] },
  ])
  expect(xml).toContain('message="a\ufffd ]]&gt; \ufffd \ufffd\ufffd&#10;&lt;b&gt;&amp;"')
  expect(xml).toContain('>a\ufffd ]]&gt; \ufffd \ufffd\ufffd\n&lt;b&gt;&amp;</failure>')
  expect(xml).not.toMatch(/(?!\n)[\p{Cc}\p{Cs}\uffff]/u)
})
