import type { ListenOptions } from '../http/listen-options.js'
import type { Listener } from '../http/server.js'
import type { Sandbox } from '../index.js'
import { OptionError } from '../runtime/options.js'

/** Closes the sandbox and reports the option at fault if the address cannot be used. */
export const listenAt = async (
  sandbox: Sandbox,
  options: Partial<ListenOptions>,
): Promise<Listener> => {
  try {
    return await sandbox.listen(options)
  } catch (error) {
    await sandbox.close()
    throw listenErrorMessage(error, options) ?? error
  }
}

/** Codes for addresses that this machine lacks, and for unknown names. */
const NOWHERE = new Set(['EADDRNOTAVAIL', 'ENOTFOUND', 'EAI_AGAIN', 'EINVAL', 'EAFNOSUPPORT'])

const listenErrorMessage = (
  error: unknown,
  { port, host }: Partial<ListenOptions>,
): OptionError | undefined => {
  const { code = '', syscall } = error as NodeJS.ErrnoException
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
