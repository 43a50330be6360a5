import { OptionError } from '../../runtime/options.js'
import type { ListenOptions } from './listen-options.js'

/** Codes for addresses that this machine lacks, and for unknown names. */
const NOWHERE = new Set(['EADDRNOTAVAIL', 'ENOTFOUND', 'EAI_AGAIN', 'EINVAL', 'EAFNOSUPPORT'])

/** Names the option at fault if the address cannot be used, with the error of the system as cause. */
export const toListenError = (error: unknown, options: ListenOptions): unknown => {
  const optionError = findOptionError(error as NodeJS.ErrnoException, options)
  return optionError ? Object.assign(optionError, { cause: error }) : error
}

const findOptionError = (
  { code = '', syscall }: NodeJS.ErrnoException,
  { port, host }: ListenOptions,
): OptionError | undefined => {
  if (code === 'EADDRINUSE') {
    const problem = `port ${port} is in use`
    return new OptionError({ problem, expected: 'another port, or 0 for a free one' }, 'port')
  }
  if (code === 'EACCES' && syscall === 'listen') {
    const problem = `this user may not open port ${port}`
    return new OptionError({ problem, expected: 'one above 1023, or 0 for a free one' }, 'port')
  }
  if (!NOWHERE.has(code)) return undefined
  return new OptionError(
    {
      received: host,
      expected: 'a name or address of this machine, such as 127.0.0.1, or 0.0.0.0 for all',
    },
    'host',
  )
}
