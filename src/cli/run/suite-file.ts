import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import * as z from 'zod'
import { FileError, readText } from '../../lib/read-file.js'
import { formatYamlIssues } from '../../lib/yaml/issues.js'
import { issueLines, readYaml } from '../../lib/yaml/read.js'
import { oneOf, strict } from '../../lib/yaml/strict.js'
import { START_TIMES } from '../../runtime/clock.js'
import { parseTimeout, TIMEOUT_HELP } from './run-flags.js'

export type SuiteCase = z.infer<typeof suiteCase>

const MAX_CASES = 1_000
const MAX_SEEDS = 1_000
const MAX_PROBLEMS = 5
const MAX_FILE = 1_000_000

const TEXT = 'a text'
const SCENARIO = 'the name or file of a scenario, or a list of them'
const SEEDS = `a whole number from 1 to ${MAX_SEEDS}`
const ENV = 'a text, a number, true or false'
const CASES = `a list of 1 to ${MAX_CASES} cases`

const suiteCase = strict({
  name: z.string(TEXT).min(1, TEXT).optional(),
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
  seeds: z.int(SEEDS).min(1, SEEDS).max(MAX_SEEDS, SEEDS).optional(),
})

const suiteFile = strict({
  cases: z.array(suiteCase, CASES).min(1, CASES).max(MAX_CASES, CASES),
})

/** Parses a suite. Throws a FileError. */
export const readSuite = (file: string): SuiteCase[] => {
  const text = readText(file, 'a suite, as a file in YAML or JSON')
  const yaml = readYaml(text, file, MAX_FILE, (message) => new FileError(message))
  const result = suiteFile.safeParse(yaml.data)
  if (!result.success) {
    const problems = formatYamlIssues(result.error.issues, yaml.data)
    throw new FileError(issueLines(yaml, problems, MAX_PROBLEMS))
  }
  return result.data.cases
}

/** A path relative to the suite, or else the name of a bundled scenario. */
export const listScenarios = ({ scenario }: SuiteCase, suite: string): string[] =>
  [scenario].flat().map((it) => {
    const beside = join(dirname(suite), it)
    return existsSync(beside) ? beside : it
  })
