import { customAlphabet } from 'nanoid'
import { LARGEST_REQUEST_LOG } from '../journal/requests.js'
import type { LogStyle } from '../log.js'
import type { SandboxOptions } from '../options.js'
import { DEMO_KEY } from '../secrets.js'
import { DURATION_FORMS, parseDuration } from '../world/kernel/time.js'
import { type Arguments, type Flag, UsageError } from './arguments.js'
import { optional, readLog, readPort, startFlags } from './start-flags.js'

/** The flags of `sandramp run`. */
export const runFlags = {
  junit: { value: '<file>', help: 'write a report in the form of JUnit' },
  timeout: {
    value: '<duration>',
    help: 'end the command when it takes longer, such as 90s or 10m (no limit)',
  },
  seed: { ...startFlags.seed, help: 'same seed, same ids (random, and shown)' },
  clock: startFlags.clock,
  fixtures: startFlags.fixtures,
  'api-key': startFlags['api-key'],
  port: { value: '<number>', help: 'port of the sandbox (a free one)' },
  log: { ...startFlags.log, help: 'how requests are logged (silent)' },
  help: { help: 'show this help' },
} as const satisfies Record<string, Flag>

export interface RunOptions {
  readonly scenarios: readonly string[]
  readonly command: readonly [string, ...string[]]
  readonly junit: string | undefined
  readonly timeout: { readonly text: string; readonly ms: number } | undefined
  readonly port: number
  readonly log: LogStyle
  readonly apiKey: string
  readonly sandbox: SandboxOptions & { readonly seed: string }
  /** The flags that matter when the run is repeated, as they were given. */
  readonly given: readonly (readonly [flag: string, value: string])[]
}

/** What a run is repeated with; that it logs, or listens on this port, changes nothing in it. */
const REPEATED = ['timeout', 'clock', 'fixtures', 'api-key'] as const

/** Letters and digits only: a seed is pasted into a shell. */
const drawSeed = customAlphabet('0123456789abcdefghijklmnopqrstuvwxyz', 12)
const drawKey = customAlphabet('0123456789abcdefghijklmnopqrstuvwxyz', 32)

const FORM = 'sandramp run <scenario…> -- <command…>'

export const readRunOptions = ({ words, rest, flags }: Arguments): RunOptions => {
  if (words.length === 0) throw new UsageError(`no scenario came; accepted: ${FORM}`)
  const [program, ...args] = rest ?? []
  if (!program) throw new UsageError(`no command came behind --; accepted: ${FORM}`)
  const text = (name: keyof typeof runFlags) => flags.get(name)?.map(String)[0]
  const fixtures = text('fixtures')
  const given = text('api-key')
  // Other fixtures hold keys that nobody knows here.
  const own = given ?? (fixtures === undefined ? undefined : drawKey())
  return {
    scenarios: words,
    command: [program, ...args],
    junit: text('junit'),
    timeout: readTimeout(text('timeout')),
    port: readPort(text('port'), 0),
    log: readLog(text('log'), 'silent'),
    apiKey: own ?? DEMO_KEY,
    sandbox: {
      scenarios: words,
      // Expectations count requests: none should have been forgotten by then.
      requestLog: LARGEST_REQUEST_LOG,
      seed: text('seed') ?? drawSeed(),
      ...optional('fixtures', fixtures),
      ...optional('apiKey', own),
      ...optional('clock', text('clock')),
    },
    given: REPEATED.flatMap((name) => {
      const value = text(name)
      return value === undefined ? [] : [[name, value] as const]
    }),
  }
}

/** Timers of Node reach no further. */
const LONGEST_MS = 2 ** 31 - 1

const readTimeout = (text: string | undefined): RunOptions['timeout'] => {
  if (text === undefined) return undefined
  const ms = parseDuration(text)
  if (ms !== undefined && ms > 0 && ms <= LONGEST_MS) return { text, ms }
  throw new UsageError(
    `--timeout: ${JSON.stringify(text)} came; accepted: ${DURATION_FORMS}, above zero, at most 24d`,
  )
}
