import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import * as z from 'zod'
import { type Arguments, findText, UsageError } from '../../lib/arguments.js'
import { oneOf, strict, wholeNumber } from '../../lib/yaml/strict.js'
import type { Scenario } from '../../scenarios/language/parse-scenario.js'
import { START_TIMES } from '../../worlds/clock.js'
import { readYamlFile } from '../yaml-file.js'
import { expandPaths } from './glob.js'
import { readJunitFile } from './report-file.js'
import {
  drawSeed,
  parseTimeout,
  type RunOptions,
  readJobs,
  replaceReadings,
  TIMEOUT_HELP,
  toRunOptions,
} from './run-flags.js'
import { readScenarios } from './run-in-sandbox.js'

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
  const cases =
    suite === undefined
      ? expandPaths(args.words).map((scenario) => ({ scenario }))
      : readSuite(suite)
  // All cases share a seed, so that one number repeats them.
  const seed = findText(args, 'seed') ?? drawSeed()
  const common = { ...args, flags: new Map([...args.flags, ['seed', [seed]]]) }
  const form = suite === undefined ? EACH_FORM : SUITE_FORM
  return {
    cases: cases.flatMap((it, index) => toRuns(common, it, index, form)),
    junit: readJunitFile(args),
    jobs: readJobs(args),
  }
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

const toRuns = (args: Arguments, it: SuiteCase, index: number, form: string): CaseRun[] => {
  const words = [it.scenario].flat()
  const scenarios = readScenarios(words)
  const name = it.name ?? [...scenarios.map((it) => it.name), ...listSettings(it)].join(' ')
  const env = Object.entries(it.env ?? {}).map(([name, value]) => [name, String(value)])
  const options = {
    ...toRunOptions(withSettings({ ...args, words }, it), form),
    env: Object.fromEntries(env),
  }
  const { seeds } = it
  if (seeds === undefined) return [{ name, label: name, index, options, scenarios }]
  const { sandbox } = options
  return Array.from({ length: seeds }, (_, i) => ({
    name,
    label: `${name} (seed ${i + 1} of ${seeds})`,
    index,
    options: { ...options, sandbox: { ...sandbox, seed: `${sandbox.seed}-${i + 1}` } },
    scenarios,
  }))
}

/** Settings that distinguish a case from others with the same scenario. */
const listSettings = ({ env, readings, clock, now, seed }: SuiteCase): string[] =>
  Object.entries({ ...env, ...readings, clock, now, seed }).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}=${value}`],
  )

/** The settings of a case replace the flags of the command line. */
const withSettings = (args: Arguments, { clock, now, timeout, seed, readings }: SuiteCase) => {
  const flags = new Map(args.flags)
  for (const [flag, value] of Object.entries({ clock, now, timeout, seed })) {
    if (value !== undefined) flags.set(flag, [String(value)])
  }
  const chosen = Object.entries(readings ?? {}).map(([id, reading]) => `${id}=${reading}`)
  const current = flags.get('reading')?.map(String)
  if (chosen.length > 0) flags.set('reading', replaceReadings(current, chosen))
  return { ...args, flags }
}

type SuiteCase = z.infer<typeof suiteCase>

const MAX_CASES = 1_000
const MAX_SEEDS = 1_000

const TEXT = 'a text'
const SCENARIO = 'the name or file of a scenario, or a list of them'
const ENV = 'a text, a number, true or false'
const CASES = `a list of 1 to ${MAX_CASES} cases`

const suiteCase = strict({
  name: z.string(TEXT).min(1, TEXT).optional(),
  /** A path relative to the suite, or else the name of a bundled scenario. */
  scenario: z.union([z.string(), z.array(z.string()).min(1)], SCENARIO),
  env: z
    .record(
      z.string().regex(/^[A-Za-z_]\w*$/),
      z.union([z.string(), z.number(), z.boolean()], ENV),
      {
        error: 'names of variables with values',
      },
    )
    .optional(),
  readings: z.record(z.string(), z.string(TEXT), 'ids with readings').optional(),
  clock: z.string(TEXT).optional(),
  now: oneOf(START_TIMES).optional(),
  timeout: z
    .string(TIMEOUT_HELP)
    .refine((text) => parseTimeout(text) !== undefined, TIMEOUT_HELP)
    .optional(),
  seed: z.union([z.string().min(1), z.number()], TEXT).optional(),
  seeds: wholeNumber(1, MAX_SEEDS).optional(),
})

const suiteFile = strict({
  cases: z.array(suiteCase, CASES).min(1, CASES).max(MAX_CASES, CASES),
})

const readSuite = (file: string): SuiteCase[] => {
  const { cases } = readYamlFile(file, 'a suite, as a file in YAML or JSON', suiteFile)
  const find = (scenario: string): string => {
    const beside = join(dirname(file), scenario)
    return existsSync(beside) ? beside : scenario
  }
  return cases.map((it) => ({ ...it, scenario: [it.scenario].flat().map(find) }))
}
