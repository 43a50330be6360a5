import { expect, test, vi } from 'vitest'
import { OptionError } from '../runtime/options.js'
import { main } from './main.js'
import { start } from './start.js'

vi.mock('./start.js', () => ({ start: vi.fn() }))

const printedBy = async (error: Error): Promise<string> => {
  vi.mocked(start).mockRejectedValueOnce(error)
  const write = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
  expect(await main([], {})).toBe(2)
  const printed = write.mock.calls.join('')
  write.mockRestore()
  return printed
}

test('main prints the message of an invalid option, and the stack of a bug', async () => {
  expect(await printedBy(new OptionError('too big', 'port'))).toBe('sandramp: --port: too big\n')
  expect(await printedBy(new TypeError('x is undefined'))).toMatch(
    /^sandramp: TypeError: x is undefined\n +at /,
  )
})
