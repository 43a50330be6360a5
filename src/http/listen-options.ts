import { MAX_PORT, OptionError, unknownOptionMessage } from '../runtime/options.js'
import type { PairFiles } from './tls/key-pair.js'

/** HTTPS with a certificate made for this machine, or with one of your own from two files. */
export type Tls = true | PairFiles

export interface ListenOptions {
  /** 0 takes a free port. */
  readonly port: number
  readonly host: string
  /** Serves HTTPS, and refuses plain HTTP. */
  readonly tls?: Tls | false
}

/**
 * Where a program wants to listen, with what goes without saying. Refuses what nobody but a program can give:
 * the command line reads a port, a name, and files or nothing.
 */
export const parseListenOptions = (options: Partial<ListenOptions>): ListenOptions => {
  if (typeof options !== 'object' || options === null) {
    throw invalidOption(options, 'listen', 'an object such as { port: 4020 }')
  }
  const { port = 0, host = '127.0.0.1', tls = false, ...others } = options
  const unknown = unknownOptionMessage(others, ['port', 'host', 'tls'])
  if (unknown !== undefined) throw new OptionError(unknown)
  if (!Number.isInteger(port) || port < 0 || port > MAX_PORT) {
    throw invalidOption(port, 'port', `0 to ${MAX_PORT}, 0 for a free one`)
  }
  if (typeof host !== 'string')
    throw invalidOption(host, 'host', 'the name or address of an interface')
  assertTls(tls)
  return { port, host, tls }
}

const assertTls = (tls: unknown): void => {
  if (tls === undefined || typeof tls === 'boolean') return
  if (typeof tls !== 'object' || tls === null) {
    throw invalidOption(tls, 'tls', 'true, or { cert, key }, the paths of two files in PEM form')
  }
  for (const name of ['cert', 'key'] as const) {
    const path = (tls as Readonly<Record<string, unknown>>)[name]
    if (typeof path !== 'string')
      throw invalidOption(path, `tls.${name}`, 'the path of a file in PEM form')
  }
}

const invalidOption = (received: unknown, option: string, expected: string): OptionError =>
  new OptionError({ received, expected }, option)
