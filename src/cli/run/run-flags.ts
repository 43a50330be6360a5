import { availableParallelism } from 'node:os'
import { customAlphabet } from 'nanoid'
import { DURATION_HELP, parseDuration } from '../../kernel/time.js'
import { DEMO_KEY } from '../../lib/secrets.js'
import { MAX_REQUEST_LOG } from '../../request-log/request-log.js'
import type { SandboxOptions } from '../../runtime/options.js'
import type { LogStyle } from '../access-log.js'
import { type Arguments, type Flag, formatUsageError, UsageError, unusable } from '../arguments.js'
import { type QuestionsFile, readQuestionsFile } from '../questions.js'
import { optional, readLog, readNow, readPort, startFlags } from '../start-flags.js'

/** The flags of `sandramp run`. */
export const runFlags = {
  each: { help: 'run the command once per scenario, each time in its own sandbox' },
  suite: {
    value: '<file>',
    help: 'run the command once per case of this file',
  },
  jobs: {
    value: '<number>',
    help: 'the number of parallel cases (the number of cores)',
  },
  junit: { value: '<file>', help: 'write a JUnit report' },
  report: {
    value: '<file>',
    help: 'write the open questions that the command relied on, as .md, .html or .json',
  },
  brief: { help: 'shorten --report to one screen, as .md or .html' },
  timeout: {
    value: '<duration>',
    help: 'stop the command after this time, such as 90s or 10m (no limit)',
  },
  'allow-idle': {
    help: 'pass even if nothing called the service, or no rule of a named scenario fired',
  },
  seed: { ...startFlags.seed, help: 'same seed, same ids (random, and shown)' },
  clock: startFlags.clock,
  now: startFlags.now,
  fixtures: startFlags.fixtures,
  reading: startFlags.reading,
  readings: startFlags.readings,
  strict: startFlags.strict,
  'api-key': startFlags['api-key'],
  port: { value: '<number>', help: 'port of the sandbox (a free one)' },
  log: { ...startFlags.log, help: 'the format of the log (silent)' },
  help: { short: 'h', help: 'show this help' },
} as const satisfies Record<string, Flag>

export interface RunOptions {
  readonly scenarios: readonly string[]
  readonly command: readonly [string, ...string[]]
  readonly junit: string | undefined
  readonly report: QuestionsFile | undefined
  /** Whether a run may pass that nothing called, or in which a scenario took no part. */
  readonly mayIdle: boolean
  readonly timeout: { readonly text: string; readonly ms: number } | undefined
  /** Variables of the command besides those that every run has. */
  readonly env: Readonly<Record<string, string>>
  readonly port: number
  readonly log: LogStyle
  readonly apiKey: string
  readonly sandbox: SandboxOptions & { readonly seed: string }
  /** The flags that matter when the run is repeated, as they were given. */
  readonly given: readonly (readonly [flag: string, value: string | true])[]
}

/** What a run is repeated with; that it logs, or listens on this port, changes nothing in it. */
const REPEATED = [
  'allow-idle',
  'timeout',
  'clock',
  'now',
  'fixtures',
  'reading',
  'readings',
  'strict',
  'api-key',
] as const

/** Letters and digits only: a seed is pasted into a shell. */
const drawSeed = customAlphabet('0123456789abcdefghijklmnopqrstuvwxyz', 12)
const drawKey = customAlphabet('0123456789abcdefghijklmnopqrstuvwxyz', 32)

const FORM = 'sandramp run <scenario…> -- <command…>'

export const readRunOptions = (given: Arguments): RunOptions => {
  if (given.words.length === 0) throw new UsageError({ field: 'scenario', expected: FORM })
  return toRunOptions(given, FORM)
}

/** What a run is made of, with scenarios or without. */
export const toRunOptions = (given: Arguments, form: string): RunOptions => {
  const { words, rest, flags } = given
  const [program, ...args] = rest ?? []
  if (!program) throw new UsageError({ field: 'command after --', expected: form })
  const texts = (name: keyof typeof runFlags) => flags.get(name)?.map(String)
  const text = (name: keyof typeof runFlags) => formatUsageError(given, name)
  const fixtures = text('fixtures')
  // Other fixtures hold keys that nobody knows here.
  const own = text('api-key') ?? (fixtures === undefined ? undefined : drawKey())
  return {
    scenarios: words,
    command: [program, ...args],
    junit: text('junit'),
    report: readQuestionsFile(text('report'), flags.has('brief')),
    mayIdle: flags.has('allow-idle'),
    timeout: readTimeout(given),
    env: {},
    port: readPort(given, 0),
    log: readLog(given, 'silent'),
    apiKey: own ?? DEMO_KEY,
    sandbox: {
      scenarios: words,
      // Expectations count requests: none should have been forgotten by then.
      requestLog: MAX_REQUEST_LOG,
      seed: text('seed') ?? drawSeed(),
      ...optional('fixtures', fixtures),
      ...optional('readings', texts('reading')),
      ...optional('readingsFile', text('readings')),
      ...optional('strict', flags.has('strict') || undefined),
      ...optional('apiKey', own),
      ...optional('clock', text('clock')),
      ...optional('now', readNow(given)),
    },
    given: REPEATED.flatMap((name) =>
      (flags.get(name) ?? []).map((value) => [name, value] as const),
    ),
  }
}

/** Timers of Node reach no further. */
const MAX_TIMEOUT_MS = 2 ** 31 - 1

const readTimeout = (given: Arguments): RunOptions['timeout'] => {
  const text = formatUsageError(given, 'timeout')
  if (text === undefined) return undefined
  const ms = parseDuration(text)
  if (ms !== undefined && ms > 0 && ms <= MAX_TIMEOUT_MS) return { text, ms }
  throw unusable(given, 'timeout', `${DURATION_HELP}, above zero, at most 24d`)
}

const MAX_JOBS = 256

/** How many commands run at once. */
export const readJobs = (given: Arguments): number => {
  const text = formatUsageError(given, 'jobs')
  if (text === undefined) return Math.max(1, availableParallelism())
  const jobs = /^\d{1,3}$/.test(text) ? Number(text) : 0
  if (jobs >= 1 && jobs <= MAX_JOBS) return jobs
  throw unusable(given, 'jobs', `a whole number from 1 to ${MAX_JOBS}`)
}
