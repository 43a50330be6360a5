import { generateControlToken } from '../api/control/control-token.js'
import type { Tls } from '../http/listen-options.js'
import { MAX_REQUEST_LOG } from '../request-log/request-log.js'
import { START_TIMES, type StartTime } from '../runtime/clock-mode.js'
import {
  HOST_NAME_HELP,
  isHostName,
  isOrigin,
  MAX_PORT,
  ORIGIN_HELP,
  REQUEST_LOG_HELP,
  type SandboxOptions,
} from '../runtime/options.js'
import { parseRateLimit, RATE_LIMIT_HELP } from '../runtime/parse-rate-limit.js'
import { LOG_STYLES, type LogStyle } from './access-log.js'
import { type Arguments, type Flag, formatUsageError, UsageError, unusable } from './arguments.js'

/** The flags of `sandramp start`. */
export const startFlags = {
  port: {
    value: '<number>',
    help: 'port to listen on; 0 takes a free one (4020)',
    variable: 'PORT',
  },
  host: { value: '<address>', help: 'address to listen on (127.0.0.1)', variable: 'HOST' },
  data: {
    value: '<file>',
    help: 'keep all worlds in this JSON file, which is created if missing (memory only)',
    variable: 'SANDRAMP_DATA',
  },
  fixtures: {
    value: '<dir>',
    help: 'a folder of fixtures instead of the shipped ones',
    variable: 'SANDRAMP_FIXTURES',
  },
  'api-key': {
    value: '<32 characters>',
    help: 'an additional full-access API key',
    variable: 'SANDRAMP_API_KEY',
  },
  scenario: {
    value: '<name|file>',
    help: 'a scenario to activate; repeatable, the first one wins',
    variable: 'SANDRAMP_SCENARIOS',
    repeatable: true,
  },
  reading: {
    value: '<id>=<reading>',
    help: 'a reading of an assumption, such as payout.repeat=conflict; repeatable',
    variable: 'SANDRAMP_READINGS',
    repeatable: true,
  },
  readings: {
    value: '<file>',
    help: 'a file of answers from the operator: id, reading, source and date',
    variable: 'SANDRAMP_READINGS_FILE',
  },
  strict: {
    help: 'return 501 for everything that relies on an open assumption',
    variable: 'SANDRAMP_STRICT',
  },
  clock: {
    value: 'real|manual|<N>x',
    help: 'the speed of time (real); manual time moves only when advanced',
    variable: 'SANDRAMP_CLOCK',
  },
  now: {
    value: 'fixtures|machine',
    help: 'where a manual or fast clock begins (fixtures); machine is the machine’s time',
    variable: 'SANDRAMP_NOW',
  },
  seed: {
    value: '<text>',
    help: 'same seed, same ids (random at each start and reset)',
    variable: 'SANDRAMP_SEED',
  },
  'control-token': {
    value: '<token>',
    help: 'require this token on /_sandbox; generated if --host is open to other machines',
    variable: 'SANDRAMP_CONTROL_TOKEN',
  },
  'allow-host': {
    value: '<name>',
    help: 'an accepted host name besides localhost; repeatable',
    variable: 'SANDRAMP_ALLOW_HOST',
    repeatable: true,
  },
  cors: {
    value: '<origin>',
    help: 'an origin whose pages may call the service, such as http://localhost:5173; repeatable (none)',
    variable: 'SANDRAMP_CORS',
    repeatable: true,
  },
  'rate-limit': {
    value: '<n>/<duration>',
    help: 'return 429 to a key beyond this limit, such as 100/1m (no limit)',
    variable: 'SANDRAMP_RATE_LIMIT',
  },
  'request-log': {
    value: '<number>',
    help: 'the number of requests in the request log; 0 turns it off (1000)',
    variable: 'SANDRAMP_REQUEST_LOG',
  },
  log: {
    value: 'pretty|json|silent',
    help: 'the format of the log (pretty)',
    variable: 'SANDRAMP_LOG',
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
  help: { short: 'h', help: 'show this help' },
  version: { short: 'v', help: 'show the version' },
} as const satisfies Record<string, Flag>

export interface StartOptions {
  readonly port: number
  readonly host: string
  readonly log: LogStyle
  readonly tls: Tls | undefined
  readonly sandbox: SandboxOptions
  /** Whether the control token was made here, so that it has to be shown. */
  readonly tokenMade: boolean
}

const DEFAULT_PORT = 4020
const DEFAULT_HOST = '127.0.0.1'

export const readStartOptions = (given: Arguments): StartOptions => {
  const { words, rest = [], flags } = given
  const [unexpected] = [...words, ...rest]
  if (unexpected !== undefined)
    throw new UsageError(`unexpected ${JSON.stringify(unexpected)}; start takes flags only`)
  const texts = (name: keyof typeof startFlags) => flags.get(name)?.map(String)
  const text = (name: keyof typeof startFlags) => formatUsageError(given, name)
  const host = text('host') ?? DEFAULT_HOST
  const token = text('control-token')
  const made = token === undefined ? generateControlToken(host) : undefined
  const controlToken = token ?? made
  return {
    port: readPort(given, DEFAULT_PORT),
    host,
    log: readLog(given, 'pretty'),
    tls: readTls(given),
    tokenMade: made !== undefined,
    sandbox: {
      ...optional('data', text('data')),
      ...optional('fixtures', text('fixtures')),
      ...optional('apiKey', text('api-key')),
      ...optional('scenarios', texts('scenario')),
      ...optional('readings', texts('reading')),
      ...optional('readingsFile', text('readings')),
      ...optional('strict', flags.has('strict') || undefined),
      ...optional('clock', text('clock')),
      ...optional('now', readNow(given)),
      ...optional('seed', text('seed')),
      ...optional('controlToken', controlToken),
      ...optional('allowHosts', readList(given, 'allow-host', isHostName, HOST_NAME_HELP)),
      ...optional('cors', readList(given, 'cors', isOrigin, ORIGIN_HELP)),
      ...optional('rateLimit', readRateLimitText(given)),
      ...optional('requestLog', readRequestLog(given)),
    },
  }
}

export const optional = <K extends string, V>(key: K, value: V | undefined) =>
  (value === undefined ? {} : { [key]: value }) as { [P in K]?: V }

export const readPort = (given: Arguments, otherwise: number): number => {
  const text = formatUsageError(given, 'port')
  if (text === undefined) return otherwise
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN
  if (port <= MAX_PORT) return port
  throw unusable(given, 'port', `a number from 0 to ${MAX_PORT}`)
}

const readRateLimitText = (given: Arguments): string | undefined => {
  const text = formatUsageError(given, 'rate-limit')
  if (text === undefined || parseRateLimit(text)) return text
  throw unusable(given, 'rate-limit', RATE_LIMIT_HELP)
}

const readList = (
  given: Arguments,
  name: 'allow-host' | 'cors',
  isUsable: (text: string) => boolean,
  form: string,
): string[] | undefined => {
  const texts = given.flags.get(name)?.map(String)
  const unusableText = texts?.find((text) => !isUsable(text))
  if (unusableText === undefined) return texts
  throw new UsageError({ field: given.nameOf(name), received: unusableText, expected: form })
}

/** Where a clock begins that does not run with the machine's time. */
export const readNow = (given: Arguments): StartTime | undefined => {
  const text = formatUsageError(given, 'now')
  const start = START_TIMES.find((known) => known === text)
  if (text === undefined || start) return start
  throw unusable(given, 'now', START_TIMES.join(' or '))
}

const readTls = (given: Arguments): Tls | undefined => {
  const [cert, key] = [formatUsageError(given, 'cert'), formatUsageError(given, 'key')]
  const isWanted = given.flags.has('tls')
  if (cert === undefined && key === undefined) return isWanted || undefined
  const name = given.nameOf(cert === undefined ? 'key' : 'cert')
  if (!isWanted) {
    const problem = `${name} was given without --tls`
    throw new UsageError({ problem, expected: 'all three together' })
  }
  if (cert !== undefined && key !== undefined) return { cert, key }
  const missing = cert === undefined ? 'cert' : 'key'
  const problem = `${name} was given without --${missing}`
  throw new UsageError({ problem, expected: 'both or neither' })
}

const readRequestLog = (given: Arguments): number | undefined => {
  const text = formatUsageError(given, 'request-log')
  if (text === undefined) return undefined
  const size = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN
  if (size <= MAX_REQUEST_LOG) return size
  throw unusable(given, 'request-log', REQUEST_LOG_HELP)
}

export const readLog = (given: Arguments, otherwise: LogStyle): LogStyle => {
  const style = LOG_STYLES.find((known) => known === (formatUsageError(given, 'log') ?? otherwise))
  if (style) return style
  throw unusable(given, 'log', LOG_STYLES.join(', '))
}
