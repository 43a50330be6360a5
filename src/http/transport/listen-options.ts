import * as z from 'zod'
import { formatIssues } from '../../lib/zod-errors.js'
import { OptionError, optionFlags, unknownOptionMessage } from '../../runtime/options.js'
import type { PairFiles } from './certificate.js'

/** HTTPS with a generated certificate for this machine, or with your own from two files. */
export type Tls = true | PairFiles

export interface ListenOptions {
  /** 0 takes a free port. */
  readonly port: number
  readonly host: string
  /** Serves HTTPS and refuses plain HTTP. */
  readonly tls?: Tls | false
}

const MAX_PORT = 65_535
const PORT_HELP = `a number from 0 to ${MAX_PORT}; 0 takes a free port`
const TLS_HELP = 'true, or { cert, key }, the paths of two files in PEM form'

const pemPath = z.string('the path of a file in PEM form')
const pemFiles = z.object({ cert: pemPath, key: pemPath })

export const listenOptions = z.strictObject({
  port: z
    .int(PORT_HELP)
    .min(0, PORT_HELP)
    .max(MAX_PORT, PORT_HELP)
    .optional()
    .register(optionFlags, {
      flag: 'port',
      value: '<number>',
      variable: 'PORT',
      help: 'port to listen on; 0 takes a free one (4020)',
    }),
  host: z.string('the name or address of an interface').optional().register(optionFlags, {
    flag: 'host',
    value: '<address>',
    variable: 'HOST',
    help: 'address to listen on (127.0.0.1)',
  }),
  tls: z.union([z.boolean(), pemFiles], TLS_HELP).optional(),
} satisfies Record<keyof ListenOptions, z.ZodType>)

export const parseListenOptions = (options: Partial<ListenOptions>): ListenOptions => {
  if (typeof options !== 'object' || options === null) {
    throw new OptionError(
      { received: options, expected: 'an object such as { port: 4020 }' },
      'listen',
    )
  }
  const { port = 0, host = '127.0.0.1', tls = false, ...others } = options
  const unknown = unknownOptionMessage(others, Object.keys(listenOptions.shape))
  if (unknown !== undefined) throw new OptionError(unknown)
  // An error of a union would not name the field.
  const isPair = typeof tls === 'object' && tls !== null
  const schema = isPair ? listenOptions.extend({ tls: pemFiles }) : listenOptions
  const result = schema.safeParse(options)
  if (!result.success) throw new OptionError(formatIssues(result.error.issues, options))
  return { port, host, tls }
}

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
