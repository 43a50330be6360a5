import type { Scenario } from '../../scenarios/language/parse-scenario.js'
import { type Arguments, findText, UsageError } from '../arguments.js'
import { expandPaths } from './glob.js'
import { readScenarios } from './read-scenarios.js'
import {
  parseTimeout,
  type RunOptions,
  readJobs,
  replaceReadings,
  toRunOptions,
} from './run-flags.js'
import { listScenarios, readSuite, type SuiteCase } from './suite-file.js'

/** One run of a case in its own sandbox. */
export interface CaseRun {
  /** All runs of a case have the same name. */
  readonly name: string
  /** The name, with the number of the seed if the case has several. */
  readonly label: string
  /** Of the case, from 0. */
  readonly index: number
  readonly options: RunOptions
  readonly scenarios: readonly Scenario[]
}

export interface CasesOptions {
  readonly cases: readonly CaseRun[]
  readonly jobs: number
  readonly junit: string | undefined
}

const EACH_FORM = 'sandramp run --each <scenario…> -- <command…>'
const SUITE_FORM = 'sandramp run --suite <file> -- <command…>'

export const hasCases = ({ flags }: Arguments): boolean => flags.has('each') || flags.has('suite')

/** Throws if a scenario or the suite is invalid. */
export const readCasesOptions = (args: Arguments): CasesOptions => {
  const suite = findText(args, 'suite')
  assertUsable(args, suite)
  const common = toRunOptions(args, suite === undefined ? EACH_FORM : SUITE_FORM)
  const cases =
    suite === undefined
      ? casesFromFiles(common, args)
      : readSuite(suite).flatMap((it, index) => expandSeeds(common, it, suite, index))
  return { cases, junit: common.junit, jobs: readJobs(args) }
}

const assertUsable = ({ words, flags }: Arguments, suite: string | undefined): void => {
  if (suite !== undefined && flags.has('each'))
    throw new UsageError({
      problem: '--each was given with --suite',
      expected: 'one of them',
    })
  if (suite !== undefined && words.length > 0)
    throw new UsageError({
      problem: `${words[0]} was given with --suite`,
      expected: 'scenarios in the suite only',
    })
  if (suite === undefined && words.length === 0)
    throw new UsageError({ field: 'scenario', expected: EACH_FORM })
  for (const flag of ['port', 'report']) {
    if (flags.has(flag))
      throw new UsageError({
        problem: `--${flag} was given for several cases`,
        expected: 'a single run',
      })
  }
}

const casesFromFiles = (common: RunOptions, { words }: Arguments): CaseRun[] =>
  expandPaths(words).map((word, index) => {
    const options = withScenarios(common, [word])
    const scenarios = readScenarios(options.scenarios)
    const name = scenarios[0]?.name ?? word
    return { name, label: name, index, options, scenarios }
  })

const withScenarios = (common: RunOptions, words: readonly string[]): RunOptions => ({
  ...common,
  scenarios: words,
  sandbox: { ...common.sandbox, scenarios: words },
})

/** One run per seed. */
const expandSeeds = (
  common: RunOptions,
  it: SuiteCase,
  suite: string,
  index: number,
): CaseRun[] => {
  const words = listScenarios(it, suite)
  const scenarios = readScenarios(words)
  const name = it.name ?? [...scenarios.map((it) => it.name), ...listSettings(it)].join(' ')
  const options = applySettings(withScenarios(common, words), it)
  const { seed } = options.sandbox
  const { seeds } = it
  const all =
    seeds === undefined ? [seed] : Array.from({ length: seeds }, (_, i) => `${seed}-${i + 1}`)
  return all.map((seed, i) => ({
    name,
    label: seeds === undefined ? name : `${name} (seed ${i + 1} of ${seeds})`,
    index,
    scenarios,
    options: { ...options, sandbox: { ...options.sandbox, seed } },
  }))
}

/** Settings that distinguish a case from others with the same scenario. */
const listSettings = ({ env, readings, clock, now, seed }: SuiteCase): string[] =>
  Object.entries({ ...env, ...readings, clock, now, seed }).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}=${value}`],
  )

/** The settings of a case replace those of the command line. */
const applySettings = (common: RunOptions, it: SuiteCase): RunOptions => {
  const { clock, now, timeout, seed, env = {} } = it
  const chosen = Object.entries(it.readings ?? {}).map(([id, reading]) => `${id}=${reading}`)
  const readings = replaceReadings(common.sandbox.readings, chosen)
  const own = { clock, now, timeout }
  const flags = Object.entries(own).flatMap(([flag, value]) =>
    value === undefined ? [] : [[flag, value] as const],
  )
  const isReplaced = (flag: string) => flag === 'reading' || flags.some(([name]) => name === flag)
  return {
    ...common,
    env: Object.fromEntries(Object.entries(env).map(([name, value]) => [name, String(value)])),
    ...(timeout !== undefined && { timeout: parseTimeout(timeout) }),
    sandbox: {
      ...common.sandbox,
      ...(clock !== undefined && { clock }),
      ...(now !== undefined && { now }),
      ...(seed !== undefined && { seed: String(seed) }),
      ...(readings.length > 0 && { readings }),
    },
    repeatedFlags: [
      ...common.repeatedFlags.filter(([flag]) => !isReplaced(flag)),
      ...readings.map((reading) => ['reading', reading] as const),
      ...flags,
    ],
  }
}
