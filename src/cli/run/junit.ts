import type { CaseResult } from './cases-report.js'
import {
  endingWords,
  explainIdle,
  idleReasons,
  isDone,
  isPassed,
  missLines,
  type RunReport,
  type ScenarioOutcome,
  seconds,
} from './report.js'

export interface TestCase {
  readonly classname: string
  readonly name: string
  readonly time?: string
  /** File and line. */
  readonly source?: string | null
  readonly failure?: { readonly message: string; readonly text: string }
  /** What is told whether it failed or not. */
  readonly said?: string
}

/** The report in the form of JUnit: one case for the command, one for each expectation. */
export const junitText = (report: RunReport): string =>
  suitesText(suiteName(report), [toSuite(report, suiteName(report))])

/** Several runs in the form of JUnit: one suite for each. */
export const casesJunitText = (results: readonly CaseResult[], duration_ms: number): string =>
  suitesText(
    'sandramp run',
    results.map(({ name, seed, report }) => toSuite(report, `${name} (seed ${seed})`)),
    duration_ms,
  )

const suiteName = ({ scenarios }: RunReport): string => `sandramp run ${scenarios.join(' ')}`

const toSuite = (report: RunReport, name: string): Suite => ({
  name,
  duration_ms: report.duration_ms,
  cases: [
    runCase(report),
    ...idleCases(report),
    ...runawayCase(report),
    ...report.outcomes.map(outcomeCase),
  ],
  ...(isPassed(report) ? {} : { said: `repeat it: ${report.repeat}` }),
})

export interface Suite {
  readonly name: string
  readonly duration_ms: number
  readonly cases: readonly TestCase[]
  /** What the suite says of itself in the end. */
  readonly said?: string
}

/** Suites of test cases in the form of JUnit. */
export const suitesText = (
  name: string,
  suites: readonly Suite[],
  duration_ms = suites.reduce((sum, it) => sum + it.duration_ms, 0),
): string => {
  const totals = countTotals(suites.flatMap(({ cases }) => cases))
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites${attributes({ name, ...totals, time: seconds(duration_ms) })}>`,
    ...suites.flatMap(suiteLines),
    '</testsuites>',
    '',
  ].join('\n')
}

const countTotals = (cases: readonly TestCase[]) => ({
  tests: cases.length,
  failures: cases.filter(({ failure }) => failure).length,
  errors: 0,
})

const suiteLines = ({ name, duration_ms, cases, said }: Suite): string[] => [
  `  <testsuite${attributes({ name, ...countTotals(cases), time: seconds(duration_ms), skipped: 0 })}>`,
  ...cases.flatMap(caseLines),
  ...(said === undefined ? [] : [`    <system-out>${escaped(said)}</system-out>`]),
  '  </testsuite>',
]

/** The command under its scenarios' names, with what the run came to besides expectations. */
const runCase = (report: RunReport): TestCase => ({
  ...commandCase(report),
  name: `${report.scenarios.join(' ')}: ${report.command}`,
  said: [
    `requests: ${report.requests}`,
    ...report.fired.map(({ times, rule, source }) => `fired: ${times} × ${rule} ${source}`),
    ...report.unfired.map(({ rule, source }) => `never fired: ${rule} ${source}`),
    ...report.refused.map(
      ({ times, rule, source, why }) => `refused: ${times} × a step of ${rule} ${source}: ${why}`,
    ),
  ].join('\n'),
})

export const commandCase = (report: RunReport): TestCase => {
  const { command, duration_ms } = report
  const message = endingWords(report)
  return {
    classname: 'sandramp.command',
    name: command,
    time: seconds(duration_ms),
    ...(isDone(report) ? {} : { failure: { message, text: `${command}: ${message}` } }),
  }
}

/** A run that proves nothing is a case that failed, so that nobody counts it as a pass. */
const idleCases = (report: RunReport): TestCase[] =>
  idleReasons(report).map((why) => {
    const text = `${explainIdle(report, why)}; --allow-idle lets such a run pass`
    return {
      classname: 'sandramp.idle',
      name: `${report.scenarios.join(' ')}: the run calls the service and fires a rule`,
      failure: { message: why, text },
    }
  })

const runawayCase = ({ runaway, scenarios }: RunReport): TestCase[] => {
  if (!runaway) return []
  const name = `${scenarios.join(' ')}: timers come to rest`
  const failure = { message: runaway, text: runaway }
  return [{ classname: 'sandramp.timers', name, failure }]
}

const outcomeCase = (outcome: ScenarioOutcome): TestCase => {
  const { ok, scenario, wish, sentence, source } = outcome
  const text = [sentence, ...missLines(outcome)].join('\n')
  const failure = ok ? {} : { failure: { message: sentence, text } }
  const name = `${scenario}: ${wish}`
  return { classname: `sandramp.${scenario}`, name, time: '0', source, ...failure }
}

const caseLines = (it: TestCase): string[] => {
  const { classname, name, time = '0', source, failure, said } = it
  const [, file, line] = /^(.*):(\d+)$/.exec(source ?? '') ?? []
  const place = file === undefined ? {} : { file, line }
  const open = `    <testcase${attributes({ classname, name, time, ...place })}`
  const within = [
    ...(failure ? [failureLine(failure)] : []),
    ...(said === undefined ? [] : [`      <system-out>${escaped(said)}</system-out>`]),
  ]
  return within.length === 0 ? [`${open}/>`] : [`${open}>`, ...within, '    </testcase>']
}

const failureLine = ({ message, text }: NonNullable<TestCase['failure']>): string =>
  `      <failure${attributes({ message, type: 'failure' })}>${escaped(text)}</failure>`

const attributes = (values: Readonly<Record<string, unknown>>): string =>
  Object.entries(values)
    .map(([name, value]) => ` ${name}="${escaped(String(value)).replaceAll('\n', '&#10;')}"`)
    .join('')

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\t': '&#9;',
}

/** Text for XML, without the characters that XML cannot hold. */
const escaped = (text: string): string =>
  text
    .replace(/\p{Surrogate}/gu, '\ufffd')
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what it takes out
    .replace(/[\0-\x08\x0b\x0c\x0d\x0e-\x1f\ufffe\uffff]/g, '\ufffd')
    .replace(/[&<>"\t]/g, (it) => ENTITIES[it] ?? it)
