import { errorClass, formatInvalid, inWords } from '../../lib/app-error.js'
import './re2.js'
import { basename } from 'node:path'
import { MAX_SCENARIO_BYTES, MAX_SCENARIO_PARTS } from '../../domain/scenario-state.js'
import { getAt, parseIfJson } from '../../lib/json.js'
import { readText } from '../../lib/read-file.js'
import { hasMoreOf } from '../../lib/text.js'
import { formatYamlIssues } from '../../lib/yaml/issues.js'
import { issueLines, readYaml } from '../../lib/yaml/read.js'
import type { Expectation } from './expectations.js'
import type { EventRule, RequestRule, Rule } from './rules.js'
import { scenarioFile } from './scenario-file.js'

/** `file:line` of a rule or an expectation. */
export interface Placed {
  readonly source: string
}
export type PlacedRule = (EventRule | RequestRule) & Placed
type PlacedExpectation = Expectation & Placed

export interface Scenario {
  readonly name: string
  readonly title: string
  readonly why: string | undefined
  readonly rules: readonly PlacedRule[]
  readonly expect: readonly PlacedExpectation[]
  /** Text and path of a file from outside the package. */
  readonly text?: string
  readonly file?: string
}

/** The message names file, line, column, path and the accepted values. */
export const ScenarioError = errorClass('ScenarioError', 'scenario')
export type ScenarioError = InstanceType<typeof ScenarioError>

const MAX_ISSUES = 5
/** Limit of rules and of expectations, so that compiling stays fast. */
const MAX_ITEMS = 200

/** Journals show only the file name, not the path on this machine. */
export const parseScenarioFile = (path: string): Scenario => parseAt(path, readScenarioText(path))

/** With its text, for a scenario from outside the package. */
export const readScenarioFile = (path: string): Scenario => {
  const text = readScenarioText(path)
  return { ...parseAt(path, text), text, file: path }
}

const readScenarioText = (path: string): string =>
  readText(path, 'a scenario, as a file in YAML or JSON')

const parseAt = (path: string, text: string): Scenario =>
  parseScenario(text, path, { label: () => basename(path) })

export interface ParseOptions {
  /** Limit of listed problems. */
  readonly most?: number
  /** Limit of what a reader of YAML takes time for. */
  readonly maxParts?: number
  /** The place of rules, if it is not the file. */
  readonly label?: (name: string) => string
}

/** Parses YAML, and so JSON. */
export const parseScenario = (
  text: string,
  file: string,
  { most = MAX_ISSUES, maxParts = Number.POSITIVE_INFINITY, label = () => file }: ParseOptions = {},
): Scenario => {
  // The YAML library takes a hundred times as long to read JSON.
  assertFewItems(parseIfJson(text), () => file)
  if (hasMoreOf(PARTS, text, maxParts)) {
    const received = inWords(`more than ${maxParts} of [, {, :, commas and line breaks together`)
    throw new ScenarioError(`${file}: ${formatInvalid('file', received, 'at most as many')}`)
  }
  const yaml = readYaml(text, file, MAX_SCENARIO_BYTES, (message) => new ScenarioError(message))
  const { data } = yaml
  assertFewItems(data, (field) => yaml.placeOf([field], true))
  const result = scenarioFile.safeParse(data)
  if (!result.success) {
    throw new ScenarioError(issueLines(yaml, formatYamlIssues(result.error.issues, data), most))
  }
  const { name, title, why, rules = [], expect = [] } = result.data
  const placed = <T extends object>(items: readonly T[], field: string): (T & Placed)[] =>
    items.map((item, i) => ({ ...item, source: `${label(name)}:${yaml.lineOf([field, i])}` }))
  const ruled = placed(rules as unknown as Rule[], 'rules')
  return { name, title, why, rules: ruled, expect: placed(expect, 'expect') }
}

/** A scenario, or problems with line and column, one per line. */
export type ParsedUpload = { readonly scenario: Scenario } | { readonly problems: string }

const PARTS = '[{:,\n'
const UPLOAD = { most: 100, maxParts: MAX_SCENARIO_PARTS }

export const parseUpload = (text: string): ParsedUpload => {
  try {
    const label = (name: string) => `${name} (posted)`
    return { scenario: parseScenario(text, 'body', { ...UPLOAD, label }) }
  } catch (error) {
    if (error instanceof ScenarioError) return { problems: error.message }
    throw error
  }
}

const assertFewItems = (data: unknown, placeOf: (field: string) => string): void => {
  for (const field of ['rules', 'expect']) {
    const items = getAt(data, [field])
    if (!Array.isArray(items) || items.length <= MAX_ITEMS) continue
    const problem = formatInvalid(field, inWords(`${items.length} items`), `at most ${MAX_ITEMS}`)
    throw new ScenarioError(`${placeOf(field)}: ${problem}`)
  }
}
