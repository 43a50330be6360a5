import { availableParallelism } from 'node:os'
import { customAlphabet } from 'nanoid'
import { MAX_REQUEST_LOG } from '../../history/request-log.js'
import { listenOptions } from '../../http/transport/listen-options.js'
import { DURATION_HELP, parseDuration } from '../../kernel/time.js'
import {
  type Arguments,
  type Flag,
  findText,
  invalidFlag,
  UsageError,
} from '../../lib/arguments.js'
import { DEMO_KEY, drawSecret } from '../../lib/secrets.js'
import { flagsFor, readOptions } from '../../runtime/option-flags.js'
import { type SandboxOptions, sandboxOptions } from '../../runtime/options.js'
import type { LogStyle } from '../access-log.js'
import { type QuestionsFile, readQuestionsFile } from '../questions.js'
import { type AcceptedReading, readAccepted } from '../readings/accepted-readings.js'
import { helpFlag, logFlag, readLog } from '../start-flags.js'
import { readJunitFile } from './report-file.js'

const runSandboxOptions = sandboxOptions.pick({
  seed: true,
  clock: true,
  now: true,
  fixtures: true,
  readings: true,
  readingsFile: true,
  strict: true,
  apiKey: true,
  cors: true,
})

const junitFlag: Flag = { value: '<file>', help: 'write a JUnit report, as .xml' }

const timeoutFlag: Flag = {
  value: '<duration>',
  help: 'stop the command after this time, such as 90s or 10m (no limit)',
}

const sandboxFlags = flagsFor(runSandboxOptions)

const runSandboxFlags: Readonly<Record<string, Flag>> = {
  ...sandboxFlags,
  seed: { ...sandboxFlags.seed, help: 'same seed, same ids (random, and shown)' },
}

export const runFlags: Readonly<Record<string, Flag>> = {
  each: { help: 'run the command once per scenario, each time in its own sandbox' },
  suite: {
    value: '<file>',
    help: 'run the command once per case of this file',
  },
  jobs: {
    value: '<number>',
    help: 'the number of parallel cases (the number of cores)',
  },
  junit: junitFlag,
  report: {
    value: '<file>',
    help: 'write the open questions that the command asked, as .md or .json',
  },
  timeout: timeoutFlag,
  'allow-idle': {
    help: 'pass even if nothing called the service, or no rule of a named scenario fired',
  },
  ...runSandboxFlags,
  port: { value: '<number>', help: 'port of the sandbox (a free one)' },
  log: { ...logFlag, help: 'the format of the log (silent)' },
  help: helpFlag,
}

const { strict: _, ...readingsSandboxFlags } = runSandboxFlags

export const readingsFlags: Readonly<Record<string, Flag>> = {
  all: { help: 'try every other reading, not only of the questions that the first run relied on' },
  accept: { value: '<file>', help: 'readings under which the command is known to fail' },
  jobs: { value: '<number>', help: 'maximum number of parallel runs (number of cores)' },
  junit: junitFlag,
  timeout: timeoutFlag,
  'allow-idle': {
    help: 'continue even if the first run sent no request, or no rule of a named scenario fired',
  },
  ...readingsSandboxFlags,
  help: helpFlag,
}

export interface Timeout {
  readonly text: string
  readonly ms: number
}

export interface RunOptions {
  readonly scenarios: readonly string[]
  readonly command: readonly [string, ...string[]]
  readonly junit: string | undefined
  readonly questionsFile: QuestionsFile | undefined
  /** True if a run may pass that sent no request or fired no rule of a scenario. */
  readonly allowIdle: boolean
  readonly timeout: Timeout | undefined
  readonly env: Readonly<Record<string, string>>
  readonly port: number
  readonly log: LogStyle
  readonly apiKey: string
  readonly sandbox: SandboxOptions & { readonly seed: string }
  /** Flags that the command to repeat the run needs. */
  readonly repeatedFlags: readonly (readonly [flag: string, value: string | true])[]
}

/** The log and the port do not change a run. */
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
  'cors',
] as const

/** Letters and digits only: a seed is pasted into a shell. */
export const drawSeed = customAlphabet('0123456789abcdefghijklmnopqrstuvwxyz', 12)

const FORM = 'sandramp run [<scenario…>] -- <command…>'

export const readRunOptions = (args: Arguments): RunOptions => {
  if (args.flags.has('jobs')) {
    throw new UsageError({
      problem: '--jobs was given for a single run',
      expected: '--each or --suite with it',
    })
  }
  return toRunOptions(args, FORM)
}

export interface ReadingsOptions {
  readonly run: RunOptions
  readonly isAll: boolean
  readonly accepted: readonly AcceptedReading[]
  readonly jobs: number
}

const READINGS_FORM = 'sandramp readings [<scenario…>] [flags] -- <command…>'

export const readReadingsOptions = (args: Arguments): ReadingsOptions => {
  const file = findText(args, 'accept')
  return {
    run: toRunOptions(args, READINGS_FORM),
    isAll: args.flags.has('all'),
    accepted: file === undefined ? [] : readAccepted(file),
    jobs: readJobs(args),
  }
}

export const toRunOptions = (args: Arguments, form: string): RunOptions => {
  const { words, rest, flags } = args
  const [program, ...programArgs] = rest ?? []
  if (!rest) throw new UsageError({ field: '-- before the command', expected: form })
  if (!program) throw new UsageError({ field: 'command after --', expected: form })
  const options = readOptions(args, runSandboxOptions) as SandboxOptions
  // The demo key belongs to the shipped fixtures; other fixtures have unknown keys.
  const apiKey = options.apiKey ?? (options.fixtures === undefined ? undefined : drawSecret())
  return {
    scenarios: words,
    command: [program, ...programArgs],
    junit: readJunitFile(args),
    questionsFile: readQuestionsFile(findText(args, 'report')),
    allowIdle: flags.has('allow-idle'),
    timeout: readTimeout(args),
    env: {},
    port: readOptions(args, listenOptions).port ?? 0,
    log: readLog(args, 'silent'),
    apiKey: apiKey ?? DEMO_KEY,
    sandbox: {
      scenarios: words,
      // Expectations count requests, so the log must hold all of them.
      requestLog: MAX_REQUEST_LOG,
      seed: drawSeed(),
      ...options,
      ...(apiKey !== undefined && { apiKey }),
    },
    repeatedFlags: REPEATED.flatMap((name) =>
      (flags.get(name) ?? []).map((value) => [name, value] as const),
    ),
  }
}

/** Readings as `id=reading`. A chosen one replaces that of the same id. */
export const replaceReadings = (
  current: readonly string[] = [],
  chosen: readonly string[],
): string[] => {
  const ids = chosen.map(idOf)
  return [...current.filter((it) => !ids.includes(idOf(it))), ...chosen]
}

const idOf = (reading: string): string => reading.slice(0, reading.indexOf('=')).trim()

/** Node fires longer timers at once. */
const MAX_TIMEOUT_MS = 2 ** 31 - 1

export const TIMEOUT_HELP = `${DURATION_HELP}, above zero, at most 24d`

export const parseTimeout = (text: string): Timeout | undefined => {
  const ms = parseDuration(text)
  return ms !== undefined && ms > 0 && ms <= MAX_TIMEOUT_MS ? { text, ms } : undefined
}

const readTimeout = (args: Arguments): Timeout | undefined => {
  const text = findText(args, 'timeout')
  if (text === undefined) return undefined
  const timeout = parseTimeout(text)
  if (timeout) return timeout
  throw invalidFlag(args, 'timeout', text, TIMEOUT_HELP)
}

const MAX_JOBS = 256

export const readJobs = (args: Arguments): number => {
  const text = findText(args, 'jobs')
  if (text === undefined) return availableParallelism()
  const jobs = /^\d{1,3}$/.test(text) ? Number(text) : 0
  if (jobs >= 1 && jobs <= MAX_JOBS) return jobs
  throw invalidFlag(args, 'jobs', text, `a whole number from 1 to ${MAX_JOBS}`)
}
