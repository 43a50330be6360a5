import { describe } from './explain.js'
import { LARGEST_PORT, OptionError, strangeOption } from './options.js'
import type { PairFiles } from './tls/given.js'

/** HTTPS with a certificate made for this machine, or with one of your own from two files. */
export type Tls = true | PairFiles

export interface ListenOptions {
  /** 0 takes a free port. */
  readonly port: number
  readonly host: string
  /** Serves HTTPS, and refuses plain HTTP. */
  readonly tls?: Tls | false
}

/** Refuses what nobody but a program can give: the command line reads a port, a name, and files or nothing. */
export const assertListen = (
  { port, host, tls }: Partial<ListenOptions>,
  others: Readonly<Record<string, unknown>> = {},
): void => {
  const strange = strangeOption(others, 'port, host, tls')
  if (strange !== undefined) throw new OptionError(strange)
  if (!Number.isInteger(port) || Number(port) < 0 || Number(port) > LARGEST_PORT) {
    throw new OptionError(
      `port: ${describe(port)} came; accepted: 0 to ${LARGEST_PORT}, 0 for a free one`,
    )
  }
  if (typeof host !== 'string') {
    throw new OptionError(
      `host: ${describe(host)} came; accepted: the name or address of an interface`,
    )
  }
  assertTls(tls)
}

const assertTls = (tls: unknown): void => {
  if (tls === undefined || typeof tls === 'boolean') return
  const { cert, key } = Object(tls) as { cert?: unknown; key?: unknown }
  if (typeof cert === 'string' && typeof key === 'string') return
  throw new OptionError('tls: accepted: true, or { cert, key }, the paths of two files in PEM form')
}
