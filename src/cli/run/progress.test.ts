import { expect, test } from 'vitest'
import { outputTail, progressOn } from './progress.js'

const screen = (isTTY: boolean) => {
  const written: string[] = []
  return { written, isTTY, columns: 60, write: (text: string) => written.push(text) }
}

const showProgress = (isTTY: boolean) => {
  const it = screen(isTTY)
  const progress = progressOn(it)
  progress.start(2, 'other readings: 2')
  progress.done('a.b=c', false)
  progress.done('a.b=d', true)
  progress.end()
  return it.written
}

test('progress redraws a bar on a terminal, and clears it at the end', () => {
  const written = showProgress(true)
  expect(written).toHaveLength(4)
  expect(written[1]).toBe(`\r\u001b[2K${'█'.repeat(12)}${'░'.repeat(12)}  1/2  0 failed  a.b=c`)
  expect(written[2]).toBe(`\r\u001b[2K${'█'.repeat(24)}  2/2  1 failed  a.b=d`)
  expect(written[3]).toBe('\r\u001b[2K')
})

test('progress prints lines if stderr is not a terminal', () => {
  expect(showProgress(false)).toEqual([
    'other readings: 2\n',
    '1/2  a.b=c  passed\n',
    '2/2  a.b=d  FAILED\n',
  ])
})

test('outputTail keeps the last lines, without colours', () => {
  const { onOutput, text } = outputTail()
  for (let n = 1; n <= 30; n++) onOutput(Buffer.from(`\u001b[31mline ${n}\u001b[0m\r\n`))
  const [first, ...rest] = text().split('\n')
  expect([first, rest.at(-1), rest.length]).toEqual(['line 11', 'line 30', 19])
})

test('outputTail joins characters that arrive in two chunks', () => {
  const { onOutput, text } = outputTail()
  const bytes = Buffer.from('für')
  onOutput(bytes.subarray(0, 2))
  onOutput(bytes.subarray(2))
  expect(text()).toBe('für')
})
