import * as z from 'zod'
import { READING_FORM } from '../assumptions/parse.js'
import { MAX_REQUEST_LOG } from '../history/request-log.js'
import type { Exchange } from '../history/views.js'
import { MAX_INSTANT, parseDuration } from '../kernel/time.js'
import {
  AppError,
  describeValue,
  type ErrorDetails,
  formatUnknown,
  inWords,
  type Problem,
} from '../lib/app-error.js'
import type { MachineClock, Schedule, Sleep } from '../lib/machine-clock.js'
import { isNetwork } from '../lib/networks.js'
import { isWorldKey } from '../lib/secrets.js'
import { parseSize, SIZE_FORM } from '../lib/sizes.js'
import { didYouMean } from '../lib/suggest.js'
import { wholeNumber } from '../lib/yaml/strict.js'
import { issueProblems } from '../lib/zod-errors.js'
import { CLOCK_MODE_HELP, START_TIMES } from '../worlds/clock.js'
import { MAX_WORLD_LIMIT } from '../worlds/registry.js'

export { version } from '../../package.json'

/** Options of `createSandbox`. The flags of `sandramp start` have the same names. */
export interface SandboxOptions {
  /** A folder with some or all files of fixtures, instead of the shipped ones. */
  readonly fixtures?: string
  /** A full-access API key of your own, 32 characters of A-Z, a-z and 0-9. */
  readonly apiKey?: string
  /** Scenarios in order of precedence, by name or file. */
  readonly scenarios?: readonly string[]
  /** Readings of all worlds for what the contract leaves open, such as `payout.repeat=conflict`. */
  readonly readings?: readonly string[]
  /** A file with the answers of the service's team. Worlds start with these readings. */
  readonly readingsFile?: string
  /** Returns 501 for a response that would rely on a question without a chosen reading. */
  readonly strict?: boolean
  /** `real` (the default), `manual`, or a speed such as `60x`. */
  readonly clock?: string
  /** Start of a manual or faster clock: the time of the `fixtures` (the default), or of the `machine`. */
  readonly now?: 'fixtures' | 'machine'
  /** The same seed and the same requests at the same times give the same world. Default: random. */
  readonly seed?: string
  /** Bearer token that every call of the control API must send. */
  readonly controlToken?: string
  /** Accepted host names besides the machine's own, such as `sandramp`. */
  readonly allowHosts?: readonly string[]
  /** Proxies whose `x-forwarded-for` names the client, such as `10.0.0.0/8`. Default: none. */
  readonly trustProxy?: readonly string[]
  /** Origins whose pages may call the service, such as `http://localhost:5173`. Default: none. */
  readonly cors?: string | readonly string[]
  /** Largest accepted request body in bytes. Default: 20 MiB. */
  readonly bodyLimit?: number
  /** Requests per API key and window of machine time, such as `100/1m`. Default: no limit. */
  readonly rateLimit?: string
  /** Size of the request log; 0 turns it off. Default: 1,000. */
  readonly requestLog?: number
  /** Maximum number of worlds by key. Default: 10,000. */
  readonly worldLimit?: number
  /** The largest size of a world, such as `32MiB`. Default: that with `tenants`, else no limit. */
  readonly worldSize?: string
  /** With `tenants`: the largest size of all worlds of one. Default: `256MiB`. */
  readonly tenantSize?: string
  /** A file that stores all worlds, with a journal beside it, or the URL of a Postgres database. */
  readonly data?: string
  /** With a database: only keys of its tenants open worlds, and each tenant sees its own worlds. Default: false. */
  readonly tenants?: boolean
  /** Returns the machine's time for real and faster clocks, in milliseconds since 1970. */
  readonly machineClock?: MachineClock
  /** Schedules a world's timers while a stream is open, and the heartbeats of streams. */
  readonly later?: Schedule
  /** Waits for the delays of rules. */
  readonly sleep?: Sleep
  /** Receives every exchange after its end. */
  readonly log?: (exchange: Exchange) => void
}

/** An invalid option. The message names the option, its value and the accepted values. */
export class OptionError extends AppError<'option'> {
  static override readonly name = 'OptionError'
  override readonly name = 'OptionError'

  constructor(
    /** The problem without the option's name: the command line has other names. */
    problem: string | ErrorDetails | readonly Problem[],
    readonly option?: string,
  ) {
    super('option', withOption(problem, option))
  }
}

const withOption = (
  problem: string | ErrorDetails | readonly Problem[],
  field: string | undefined,
) => {
  if (field === undefined) return problem
  return typeof problem === 'string'
    ? [{ field, message: `${field}: ${problem}` }]
    : { ...problem, field }
}

export const DEFAULT_BODY_LIMIT = 20 * 1024 * 1024

/** Whether `data` is the URL of a database, which other processes share. */
export const isDatabase = (data: string | undefined): data is string =>
  /^postgres(?:ql)?:/.test(data ?? '')

/** How many requests a key may make in a window of machine time. */
export interface RateLimit {
  readonly limit: number
  readonly window_ms: number
  /** The window as it was written. */
  readonly window: string
}

const MAX_REQUESTS = 1_000_000
const MAX_MS = 86_400_000
const FORM = /^([1-9]\d{0,6})\/(.+)$/

export const RATE_LIMIT_HELP =
  'a number from 1 to 1000000, a slash and a duration from 1ms to 1d, such as 100/1m or 5/PT1S'

/** Reads `100/1m`; undefined for anything else. */
export const parseRateLimit = (text: string): RateLimit | undefined => {
  const [, count, window = ''] = FORM.exec(text) ?? []
  const limit = Number(count)
  const window_ms = parseDuration(window)
  if (!(limit <= MAX_REQUESTS) || window_ms === undefined) return undefined
  return window_ms >= 1 && window_ms <= MAX_MS ? { limit, window_ms, window } : undefined
}

const isRateLimit = (value: unknown): boolean =>
  typeof value === 'string' && parseRateLimit(value) !== undefined

const size = z.custom(
  (value) => typeof value === 'string' && parseSize(value) !== undefined,
  SIZE_FORM,
)

const ANSWERS_FILE = /^[^=]+\.(ya?ml|json)$/i
const READING = /^\w+(\.\w+)+=/

/** Accepts a file of answers among `readings`, as in SANDRAMP_READINGS, and a reading as `readingsFile`. */
export const sortReadings = (options: SandboxOptions): SandboxOptions => {
  const { readings = [], readingsFile, ...others } = options
  if (readingsFile !== undefined && READING.test(readingsFile)) {
    return { ...others, readings: [...readings, readingsFile] }
  }
  const file = readings.find((it) => ANSWERS_FILE.test(it))
  if (file === undefined || readingsFile !== undefined) return options
  return { ...options, readings: readings.filter((it) => it !== file), readingsFile: file }
}

const isFunction = (value: unknown): boolean => typeof value === 'function'

const HOST_NAME_HELP = 'a host name without scheme and port, such as sandramp'
const NETWORK_HELP = 'a network or address, such as 10.0.0.0/8'
const ORIGIN_HELP = 'an origin such as http://localhost:5173, and nothing behind it'

/** A name or address as a Host header has it, without the port. */
const isHostName = (value: unknown): boolean =>
  typeof value === 'string' && /^([\w-]+(\.[\w-]+)*|\[[0-9a-f:]+\])$/i.test(value)

const isOrigin = (value: unknown): boolean => {
  if (typeof value !== 'string' || !URL.canParse(value)) return false
  const { origin, protocol } = new URL(value)
  return origin === value && (protocol === 'http:' || protocol === 'https:')
}

/** How the command line and the environment offer an option. */
interface OptionFlag {
  readonly flag: string
  readonly variable: string
  /** Form of the value in --help; a flag without one is on or off. */
  readonly value?: string
  readonly help: string
  readonly repeatable?: true
}

/** The flag of each option that has one. --help, the environment and the documented tables follow it. */
export const optionFlags = z.registry<OptionFlag>()

const origin = z.custom(isOrigin, ORIGIN_HELP)

export const sandboxOptions = z.strictObject({
  data: z.string('a path').min(1, 'a path').optional().register(optionFlags, {
    flag: 'data',
    value: '<file|url>',
    variable: 'SANDRAMP_DATA',
    help: 'keep all worlds in this JSON file, or in a Postgres database (memory only)',
  }),
  fixtures: z.string('a path').optional().register(optionFlags, {
    flag: 'fixtures',
    value: '<dir>',
    variable: 'SANDRAMP_FIXTURES',
    help: 'a folder with some or all files of fixtures, instead of the shipped ones',
  }),
  apiKey: z.string('a string').optional().register(optionFlags, {
    flag: 'api-key',
    value: '<32 characters>',
    variable: 'SANDRAMP_API_KEY',
    help: 'an additional full-access API key',
  }),
  scenarios: z
    .array(z.string('a name or file'), 'a list of names or files')
    .optional()
    .register(optionFlags, {
      flag: 'scenario',
      value: '<name|file>',
      variable: 'SANDRAMP_SCENARIOS',
      help: 'a scenario to activate; repeatable, the first one wins',
      repeatable: true,
    }),
  readings: z
    .array(z.string(READING_FORM), `a list of ${READING_FORM}`)
    .optional()
    .register(optionFlags, {
      flag: 'reading',
      value: '<id>=<reading>',
      variable: 'SANDRAMP_READINGS',
      help: 'a reading of an assumption, such as payout.repeat=conflict; repeatable',
      repeatable: true,
    }),
  readingsFile: z.string('a path').optional().register(optionFlags, {
    flag: 'readings',
    value: '<file>',
    variable: 'SANDRAMP_READINGS_FILE',
    help: 'a file of answers from the operator: id, reading, source and date',
  }),
  strict: z.boolean('true or false').optional().register(optionFlags, {
    flag: 'strict',
    variable: 'SANDRAMP_STRICT',
    help: 'return 501 where a response asks for a reading that nobody has chosen',
  }),
  clock: z.string(CLOCK_MODE_HELP).optional().register(optionFlags, {
    flag: 'clock',
    value: 'real|manual|<N>x',
    variable: 'SANDRAMP_CLOCK',
    help: 'the speed of time (real); manual time moves only when advanced',
  }),
  now: z.enum(START_TIMES, START_TIMES.join(' or ')).optional().register(optionFlags, {
    flag: 'now',
    value: 'fixtures|machine',
    variable: 'SANDRAMP_NOW',
    help: 'where a manual or fast clock begins (fixtures); machine is the machine’s time',
  }),
  seed: z.string('a text').min(1, 'a text that is not empty').optional().register(optionFlags, {
    flag: 'seed',
    value: '<text>',
    variable: 'SANDRAMP_SEED',
    help: 'same seed, same ids (random at each start and reset)',
  }),
  controlToken: z.string('a string').optional().register(optionFlags, {
    flag: 'control-token',
    value: '<token>',
    variable: 'SANDRAMP_CONTROL_TOKEN',
    help: 'require this token on /_sandbox; generated if --host is open to other machines',
  }),
  allowHosts: z
    .array(z.custom(isHostName, HOST_NAME_HELP), 'a list of host names')
    .optional()
    .register(optionFlags, {
      flag: 'allow-host',
      value: '<name>',
      variable: 'SANDRAMP_ALLOW_HOST',
      help: 'an accepted host name besides localhost; repeatable',
      repeatable: true,
    }),
  trustProxy: z
    .array(z.custom(isNetwork, NETWORK_HELP), `a list with ${NETWORK_HELP}`)
    .optional()
    .register(optionFlags, {
      flag: 'trust-proxy',
      value: '<cidr>',
      variable: 'SANDRAMP_TRUST_PROXY',
      help: 'a proxy whose x-forwarded-for names the client that limits count, such as 10.0.0.0/8; repeatable (none)',
      repeatable: true,
    }),
  cors: z
    .union([origin, z.array(origin)], ORIGIN_HELP)
    .optional()
    .register(optionFlags, {
      flag: 'cors',
      value: '<origin>',
      variable: 'SANDRAMP_CORS',
      help: 'an origin whose pages may call the service, such as http://localhost:5173; repeatable (none)',
      repeatable: true,
    }),
  rateLimit: z.custom(isRateLimit, RATE_LIMIT_HELP).optional().register(optionFlags, {
    flag: 'rate-limit',
    value: '<n>/<duration>',
    variable: 'SANDRAMP_RATE_LIMIT',
    help: 'return 429 to a key beyond this limit, such as 100/1m (no limit)',
  }),
  requestLog: wholeNumber(0, MAX_REQUEST_LOG).optional().register(optionFlags, {
    flag: 'request-log',
    value: '<number>',
    variable: 'SANDRAMP_REQUEST_LOG',
    help: 'the number of requests in the request log; 0 turns it off (1000)',
  }),
  bodyLimit: z.int('a number of bytes').positive('a number of bytes above zero').optional(),
  worldLimit: wholeNumber(1, MAX_WORLD_LIMIT).optional().register(optionFlags, {
    flag: 'worlds',
    value: '<number>',
    variable: 'SANDRAMP_WORLDS',
    help: 'the number of worlds by key (10000)',
  }),
  tenants: z.boolean('true or false').optional().register(optionFlags, {
    flag: 'tenants',
    variable: 'SANDRAMP_TENANTS',
    help: 'only keys of tenants open worlds, and each tenant sees its own; needs a database',
  }),
  worldSize: size.optional().register(optionFlags, {
    flag: 'world-size',
    value: '<size>',
    variable: 'SANDRAMP_WORLD_SIZE',
    help: 'the largest size of a world (32MiB with --tenants, else no limit)',
  }),
  tenantSize: size.optional().register(optionFlags, {
    flag: 'tenant-size',
    value: '<size>',
    variable: 'SANDRAMP_TENANT_SIZE',
    help: 'the largest size of all worlds of a tenant (256MiB)',
  }),
  machineClock: z.custom(isFunction, 'a function that returns milliseconds').optional(),
  sleep: z
    .custom(isFunction, 'a function that takes milliseconds and returns a promise')
    .optional(),
  later: z.custom(isFunction, 'a function that takes milliseconds and a callback').optional(),
  log: z.custom(isFunction, 'a function that takes an exchange').optional(),
} satisfies Record<keyof SandboxOptions, z.ZodType>)

/** Rejects invalid options. The message repeats no secret. */
export const validateOptions = (options: SandboxOptions): void => {
  assertKnown(options)
  const result = sandboxOptions.safeParse(options)
  if (!result.success) throw new OptionError(issueProblems(result.error.issues, options))
  const { apiKey, controlToken, data, tenants, tenantSize } = options
  if (tenantSize !== undefined && !tenants) {
    const problem = 'there are no tenants'
    throw new OptionError({ problem, expected: 'it beside tenants' }, 'tenantSize')
  }
  if (tenants && !isDatabase(data)) {
    const problem = 'tenants need a database'
    throw new OptionError({ problem, expected: 'data with the URL of a Postgres' }, 'tenants')
  }
  if (apiKey !== undefined && !/^[A-Za-z0-9]{32}$/.test(apiKey)) {
    const received = inWords(`${apiKey.length} characters`)
    throw new OptionError({ received, expected: 'exactly 32 of A-Z, a-z and 0-9' }, 'apiKey')
  }
  if (apiKey !== undefined && isWorldKey(apiKey)) {
    throw new OptionError(
      {
        received: inWords('a key that begins with SandboxWorld'),
        expected: 'another one',
        hint: 'Such a key opens its own world without this option',
      },
      'apiKey',
    )
  }
  if (controlToken !== undefined && !/^[\x21-\x7e]+$/.test(controlToken)) {
    const received = inWords(`${controlToken.length} characters`)
    const expected = 'visible ASCII without spaces, at least one'
    throw new OptionError({ received, expected }, 'controlToken')
  }
}

export const assertValidClock = ({ machineClock }: SandboxOptions): void => {
  const now: unknown = machineClock?.()
  if (machineClock === undefined || isInstant(now)) return
  const received = inWords(`a function that returns ${describeValue(now)}`)
  const expected = `milliseconds since 1970, from 0 to ${MAX_INSTANT}`
  throw new OptionError({ received, expected }, 'machineClock')
}

const isInstant = (value: unknown): boolean =>
  typeof value === 'number' && value >= 0 && value <= MAX_INSTANT

/** The message for the first unknown option; undefined if there is none. */
export const unknownOptionMessage = (
  others: Readonly<Record<string, unknown>>,
  allowed: readonly string[],
): string | undefined => {
  const [name] = Object.keys(others)
  if (name === undefined) return undefined
  return formatUnknown('option', name, allowed.join(', '), didYouMean(name, allowed))
}

/** Options of `listen`, which users often pass here. */
const LISTEN_OPTIONS = ['port', 'host', 'tls']

const assertKnown = (options: SandboxOptions): void => {
  if (typeof options !== 'object' || options === null || Array.isArray(options)) {
    throw new OptionError({ received: options, expected: 'an object' }, 'options')
  }
  const misplaced = LISTEN_OPTIONS.find((name) => Object.hasOwn(options, name))
  if (misplaced !== undefined) {
    const hint = `It is an option of listen: sandbox.listen({ ${misplaced} })`
    throw new OptionError(formatUnknown('option', misplaced, undefined, hint))
  }
  const known = Object.keys(sandboxOptions.shape)
  const others = Object.entries(options).filter(([name]) => !known.includes(name))
  const message = unknownOptionMessage(Object.fromEntries(others), known)
  if (message !== undefined) throw new OptionError(message)
}
