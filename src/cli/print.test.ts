import { afterEach, describe, expect, test, vi } from 'vitest'
import { print } from './print.js'

const printed = (text: string, isTTY: boolean, env: Readonly<Record<string, string>> = {}) => {
  const plain = { FORCE_COLOR: undefined, NO_COLOR: undefined, CI: undefined, TERM: 'xterm' }
  for (const [name, value] of Object.entries({ ...plain, ...env })) vi.stubEnv(name, value)
  const write = vi.spyOn(process.stdout, 'write').mockReturnValue(true)
  const stdout = process.stdout as { isTTY: boolean | undefined }
  const before = stdout.isTTY
  stdout.isTTY = isTTY
  try {
    print(text)
    return String(write.mock.calls[0]?.[0])
  } finally {
    stdout.isTTY = before
  }
}

afterEach(() => {
  vi.restoreAllMocks()
  vi.unstubAllEnvs()
})

describe('print', () => {
  test.each([
    [true, {}, true],
    [false, {}, false],
    [true, { NO_COLOR: '1' }, false],
    [true, { CI: 'true' }, false],
    [true, { TERM: 'dumb' }, false],
    [false, { FORCE_COLOR: '1', NO_COLOR: '1', CI: 'true' }, true],
    [true, { FORCE_COLOR: '0' }, false],
  ])('colours a terminal, unless the environment decides: %s %j', (isTTY, env, isColoured) => {
    expect(printed('passed\n', isTTY, env).includes('\u001b')).toBe(isColoured)
  })

  test('colours results and ids, and escapes what would control the terminal', () => {
    const text = '  MISSED    x \u001b[2J\n  ok        y\nFAILED: z\n  payout 12345678… ok\n'
    expect(printed(text, true)).toBe(
      '\u001b[31m  MISSED\u001b[39m    x \\u001b[2J\n\u001b[32m  ok\u001b[39m        y\n' +
        '\u001b[31mFAILED\u001b[39m: z\n  payout \u001b[2m12345678…\u001b[22m ok\n',
    )
  })
})
