import { existsSync } from 'node:fs'
import { listenOptions, type Tls } from '../http/transport/listen-options.js'
import { DURATION_HELP, parseDuration } from '../kernel/time.js'
import {
  type Arguments,
  type Environment,
  type Flag,
  findText,
  invalidFlag,
  UsageError,
} from '../lib/arguments.js'
import { generateControlToken } from '../lib/secrets.js'
import { flagsFor, readOptions } from '../runtime/option-flags.js'
import { isDatabase, type SandboxOptions, sandboxOptions } from '../runtime/options.js'
import { LOG_STYLES, type LogStyle } from './access-log.js'

export const logFlag: Flag = {
  value: 'pretty|json|silent',
  help: 'the format of the log (pretty)',
  variable: 'SANDRAMP_LOG',
}

export const helpFlag: Flag = { short: 'h', help: 'show this help' }
export const HELP_WORDS: readonly string[] = ['help', '--help', '-h']

export const startFlags: Readonly<Record<string, Flag>> = {
  ...flagsFor(listenOptions),
  ...flagsFor(sandboxOptions),
  watch: {
    help: 'reload the files of --scenario and --readings when they change',
    variable: 'SANDRAMP_WATCH',
  },
  log: logFlag,
  drain: {
    value: '<duration>',
    help: 'after SIGTERM, /_sandbox/ready is 503 for so long before the end (5s with a database, else 0s)',
    variable: 'SANDRAMP_DRAIN',
  },
  tls: {
    help: 'serve HTTPS with a generated certificate for localhost, and reject plain HTTP',
    variable: 'SANDRAMP_TLS',
  },
  cert: {
    value: '<pem>',
    help: 'your own certificate for --tls, with --key',
    variable: 'SANDRAMP_TLS_CERT',
  },
  key: {
    value: '<pem>',
    help: 'its private key, without passphrase',
    variable: 'SANDRAMP_TLS_KEY',
  },
  help: helpFlag,
  version: { short: 'v', help: 'show the version' },
}

export interface StartOptions {
  readonly port: number
  readonly host: string
  readonly log: LogStyle
  readonly tls: Tls | undefined
  /** Whether it reloads scenarios and readings from their files. */
  readonly watch: boolean
  readonly sandbox: SandboxOptions
  /** How long it goes on after SIGTERM, so that load balancers notice. */
  readonly drain_ms: number
  /** True if the control token was generated, so that `start` prints it. */
  readonly isTokenGenerated: boolean
}

export const DEFAULT_PORT = 4020
const DEFAULT_HOST = '127.0.0.1'
const DATABASE_DRAIN = '5s'

export const readStartOptions = (args: Arguments): StartOptions => {
  const { words, rest = [] } = args
  const [unexpected] = [...words, ...rest]
  if (unexpected !== undefined)
    throw new UsageError({ field: 'argument', received: unexpected, expected: 'flags only' })
  const { port = DEFAULT_PORT, host = DEFAULT_HOST } = readOptions(args, listenOptions)
  const options = readOptions(args, sandboxOptions) as SandboxOptions
  const generated = options.controlToken === undefined ? generateControlToken(host) : undefined
  return {
    port,
    host,
    log: readLog(args, 'pretty'),
    tls: readTls(args),
    watch: readWatch(args, options),
    drain_ms: readDrain(args, isDatabase(options.data)),
    isTokenGenerated: generated !== undefined,
    sandbox: generated === undefined ? options : { ...options, controlToken: generated },
  }
}

const readDrain = (args: Arguments, isBalanced: boolean): number => {
  const text = findText(args, 'drain') ?? (isBalanced ? DATABASE_DRAIN : '0s')
  const ms = parseDuration(text)
  if (ms === undefined) throw invalidFlag(args, 'drain', text, DURATION_HELP)
  return ms
}

const readWatch = (args: Arguments, { scenarios = [], readingsFile }: SandboxOptions): boolean => {
  const isWanted = args.flags.has('watch')
  if (isWanted && readingsFile === undefined && !scenarios.some(existsSync)) {
    const problem = `${args.sourceOf('watch')} was given without a file`
    throw new UsageError({ problem, expected: 'a file of --scenario or --readings' })
  }
  return isWanted
}

const readTls = (args: Arguments): Tls | undefined => {
  const [cert, key] = [findText(args, 'cert'), findText(args, 'key')]
  const isWanted = args.flags.has('tls')
  if (cert === undefined && key === undefined) return isWanted || undefined
  const name = args.sourceOf(cert === undefined ? 'key' : 'cert')
  if (!isWanted) {
    const problem = `${name} was given without --tls`
    throw new UsageError({ problem, expected: 'all three together' })
  }
  if (cert !== undefined && key !== undefined) return { cert, key }
  const missing = cert === undefined ? 'cert' : 'key'
  const problem = `${name} was given without --${missing}`
  throw new UsageError({ problem, expected: 'both or neither' })
}

export const readLog = (args: Arguments, otherwise: LogStyle): LogStyle => {
  const text = findText(args, 'log') ?? otherwise
  const style = LOG_STYLES.find((known) => known === text)
  if (style) return style
  throw invalidFlag(args, 'log', text, LOG_STYLES.join(', '))
}

/** Set by `readings` for its command, which may start a sandbox. */
const RUN_VARIABLE = 'SANDRAMP_READING'

/** Warns about variables that are named after a flag whose variable has another name. */
export const unknownEnvVariables = (
  table: Readonly<Record<string, Flag>>,
  env: Environment,
): string[] => {
  const known = Object.values(table).map(({ variable }) => variable)
  return Object.entries(table).flatMap(([flag, { variable }]) => {
    const suggested = `SANDRAMP_${flag.toUpperCase().replaceAll('-', '_')}`
    const isStray =
      variable !== undefined && !known.includes(suggested) && suggested !== RUN_VARIABLE
    return isStray && env[suggested]
      ? [`${suggested} is ignored. The variable of --${flag} is ${variable}.`]
      : []
  })
}
