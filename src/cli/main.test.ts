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

test('main prints one line for an invalid option, a failed system call and a bug', async () => {
  expect(await printedBy(new OptionError('too big', 'port'))).toBe('sandramp: --port: too big\n')
  const failed = Object.assign(new Error('open'), { code: 'EMFILE', path: '/a' })
  expect(await printedBy(failed)).toBe('sandramp: /a cannot be used: too many files are open\n')
  expect(await printedBy(new TypeError('x is undefined'))).toBe(
    'sandramp: TypeError: x is undefined\n',
  )
})
