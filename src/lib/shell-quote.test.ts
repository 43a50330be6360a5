import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { expect, test } from 'vitest'
import { toCommandLine } from './shell-quote.js'

test.each([
  [['npm', 'test'], 'npm test'],
  [['sh', '-c', 'exit 1'], "sh -c 'exit 1'"],
  [['say', "it's"], "say 'it'\\''s'"],
  [['say', ''], "say ''"],
  [['--seed=a', './a/b.yaml', 'x@1.2:3,4%+'], '--seed=a ./a/b.yaml x@1.2:3,4%+'],
])('writes %j for a shell', (words, line) => expect(toCommandLine(words)).toBe(line))

test('spells out what a terminal takes for keys, which no quotes hold back', () => {
  expect(toCommandLine(["a\u0003\n'rm' \\x41\u009b"])).toBe(
    "$'a\\x03\\x0a\\'rm\\' \\\\x41\\xc2\\x9b'",
  )
})

test.skipIf(!existsSync('/bin/bash'))('is read back by bash as it was, keys too', () => {
  const words = [
    '\u202eabc',
    '\u0003',
    "\u001b[201~\nit's",
    '\r\n\t\\x41',
    '\u009b1m',
    '\u007f\u00011',
  ]
  const script = `for word in ${toCommandLine(words)}; do printf '%s\\0' "$word"; done`
  const read = execFileSync('/bin/bash', ['-c', script], { encoding: 'utf8' })
  expect(read.split('\0').slice(0, -1)).toEqual(words)
})

test.skipIf(process.platform === 'win32')('is read back by a shell as it was', () => {
  const words = ['a b', "it's", '$HOME', '`x`', '"', '\\', '*', '~', '', '!', '\n', 'ü', '#', '&&']
  const script = `for word in ${toCommandLine(words)}; do printf '%s\\0' "$word"; done`
  const read = execFileSync('sh', ['-c', script], { encoding: 'utf8' })
  expect(read.split('\0').slice(0, -1)).toEqual(words)
})
