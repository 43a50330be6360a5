import type { ListenOptions } from '../http/listen-options.js'
import type { Listener } from '../http/server.js'
import type { Sandbox } from '../index.js'
import { OptionError } from '../runtime/options.js'

/** Listens. What the system refuses is told by the option that it is about, once what the sandbox holds is free again. */
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

/** What the system says of an address that is not there, or of a name that nobody knows. */
const NOWHERE = new Set(['EADDRNOTAVAIL', 'ENOTFOUND', 'EAI_AGAIN', 'EINVAL', 'EAFNOSUPPORT'])

const listenErrorMessage = (
  error: unknown,
  { port, host }: Partial<ListenOptions>,
): OptionError | undefined => {
  const { code = '', syscall } = error as NodeJS.ErrnoException
  if (code === 'EADDRINUSE') {
    return new OptionError(`port ${port} is taken; accepted: another, or 0 for a free one`, 'port')
  }
  if (code === 'EACCES' && syscall === 'listen') {
    return new OptionError(
      `port ${port} may not be opened by this user; accepted: one above 1023, or 0 for a free one`,
      'port',
    )
  }
  if (!NOWHERE.has(code)) return undefined
  return new OptionError(
    `${JSON.stringify(host)} is no address of this machine; accepted: a name or address of its own, such as 127.0.0.1, or 0.0.0.0 for all`,
    'host',
  )
}
