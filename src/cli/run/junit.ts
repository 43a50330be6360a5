import {
  type CompatibilityMatrix,
  describeDifference,
  formatReading,
  type ReadingRun,
  resultOf,
} from '../readings/compatibility-matrix.js'
import {
  describeExit,
  explainIdle,
  failures,
  hasCommandPassed,
  idleReasons,
  isPassed,
  nearMissLines,
  type RunReport,
  runName,
  type ScenarioOutcome,
  seconds,
} from './report.js'

interface TestCase {
  readonly classname: string
  readonly name: string
  readonly time?: string
  readonly failure?: { readonly message: string; readonly text: string }
  /** Why a failure does not count. */
  readonly skipped?: string
  /** Shown whether the case failed or not. */
  readonly systemOut?: string
}

/** One JUnit case for the command, and one per expectation. */
export const junitText = (report: RunReport): string =>
  suitesText(runName(report), [
    toSuite(report, runName(report), report.scenarios.join(' ') || 'run'),
  ])

interface LabelledRun {
  readonly label: string
  readonly report: RunReport
}

export const casesJunitText = (results: readonly LabelledRun[], duration_ms: number): string =>
  suitesText(
    'sandramp run',
    results.map(({ label, report }) => toSuite(report, label, label)),
    duration_ms,
  )

/** The label names the run in the names of its cases. */
const toSuite = (report: RunReport, name: string, label: string): Suite => ({
  name,
  duration_ms: report.duration_ms,
  properties: runProperties(report),
  cases: [
    runCase(report, label),
    ...idleCases(report, label),
    ...timerLoopCase(report, label),
    ...report.outcomes.map((outcome) => outcomeCase(outcome, label)),
  ],
  ...(isPassed(report) ? {} : { systemOut: `repeat it: ${report.rerun}` }),
})

const runProperties = ({ seed, scenarios, readings }: RunReport) => ({
  seed,
  scenario: scenarios.join(' '),
  readings: readings.join(' '),
})

interface Suite {
  readonly name: string
  readonly duration_ms: number
  readonly properties: Readonly<Record<string, string>>
  readonly cases: readonly TestCase[]
  readonly systemOut?: string
}

export const suitesText = (
  name: string,
  suites: readonly Suite[],
  duration_ms = suites.reduce((sum, it) => sum + it.duration_ms, 0),
): string => {
  const totals = countTotals(suites.flatMap(({ cases }) => cases))
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites${formatAttributes({ name, ...totals, time: seconds(duration_ms) })}>`,
    ...withUniqueNames(suites).flatMap(suiteLines),
    '</testsuites>',
    '',
  ].join('\n')
}

/** Collectors keep one of several cases with the same classname and name. */
const withUniqueNames = (suites: readonly Suite[]): Suite[] => {
  const counts = new Map<string, number>()
  const rename = (it: TestCase): TestCase => {
    const known = `${it.classname} ${it.name}`
    const count = (counts.get(known) ?? 0) + 1
    counts.set(known, count)
    return count === 1 ? it : { ...it, name: `${it.name} #${count}` }
  }
  return suites.map((suite) => ({ ...suite, cases: suite.cases.map(rename) }))
}

const countTotals = (cases: readonly TestCase[]) => ({
  tests: cases.length,
  failures: cases.filter(({ failure }) => failure).length,
  errors: 0,
  skipped: cases.filter(({ skipped }) => skipped !== undefined).length,
})

const suiteLines = ({ name, duration_ms, properties, cases, systemOut }: Suite): string[] => [
  `  <testsuite${formatAttributes({ name, ...countTotals(cases), time: seconds(duration_ms) })}>`,
  '    <properties>',
  ...Object.entries(properties).map(
    ([name, value]) => `      <property${formatAttributes({ name, value })}/>`,
  ),
  '    </properties>',
  ...cases.flatMap(caseLines),
  ...(systemOut === undefined ? [] : [`    <system-out>${escapeXml(systemOut)}</system-out>`]),
  '  </testsuite>',
]

const runCase = (report: RunReport, label: string): TestCase => ({
  ...commandCase(report),
  name: `${label}: ${report.command}`,
  systemOut: [
    `requests: ${report.requests}`,
    ...report.repeats,
    ...report.fired.map(({ times, rule, source }) => `fired: ${times} × ${rule} ${source}`),
    ...report.unfired.map(({ rule, source }) => `never fired: ${rule} ${source}`),
    ...report.refused.map(
      ({ times, rule, source, why }) => `refused: ${times} × a step of ${rule} ${source}: ${why}`,
    ),
  ].join('\n'),
})

const commandCase = (report: RunReport): TestCase => {
  const { command, duration_ms } = report
  const message = describeExit(report)
  return {
    classname: 'sandramp.command',
    name: command,
    time: seconds(duration_ms),
    ...(hasCommandPassed(report) ? {} : { failure: { message, text: `${command}: ${message}` } }),
  }
}

/** A run that proves nothing counts as a failure. */
const idleCases = (report: RunReport, label: string): TestCase[] =>
  idleReasons(report).map((why) => {
    const text = `${explainIdle(report, why)}; --allow-idle lets such a run pass`
    return {
      classname: 'sandramp.idle',
      name: `${label}: the run calls the service and fires a rule`,
      failure: { message: why, text },
    }
  })

const timerLoopCase = ({ timerLoop }: RunReport, label: string): TestCase[] => {
  if (!timerLoop) return []
  const name = `${label}: timers come to rest`
  const failure = { message: timerLoop, text: timerLoop }
  return [{ classname: 'sandramp.timers', name, failure }]
}

const outcomeCase = (outcome: ScenarioOutcome, label: string): TestCase => {
  const { ok, scenario, expected, sentence, source } = outcome
  const message = `${source}: ${sentence}`
  const text = [message, ...nearMissLines(outcome)].join('\n')
  const failure = ok ? {} : { failure: { message, text } }
  const name = `${label}: ${expected}`
  return { classname: `sandramp.${scenario}`, name, time: '0', ...failure }
}

const caseLines = (it: TestCase): string[] => {
  const { classname, name, time = '0', failure, skipped, systemOut } = it
  const open = `    <testcase${formatAttributes({ classname, name, time })}`
  const within = [
    ...(failure ? [failureLine(failure)] : []),
    ...(skipped === undefined ? [] : [`      <skipped${formatAttributes({ message: skipped })}/>`]),
    ...(systemOut === undefined ? [] : [`      <system-out>${escapeXml(systemOut)}</system-out>`]),
  ]
  return within.length === 0 ? [`${open}/>`] : [`${open}>`, ...within, '    </testcase>']
}

const failureLine = ({ message, text }: NonNullable<TestCase['failure']>): string =>
  `      <failure${formatAttributes({ message, type: 'failure' })}>${escapeXml(text)}</failure>`

const formatAttributes = (values: Readonly<Record<string, unknown>>): string =>
  Object.entries(values)
    .map(([name, value]) => ` ${name}="${escapeXml(String(value)).replaceAll('\n', '&#10;')}"`)
    .join('')

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\t': '&#9;',
}

/** XML cannot contain some characters, so they are replaced. */
const escapeXml = (text: string): string =>
  text
    .replace(/\p{Surrogate}/gu, '\ufffd')
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what it replaces
    .replace(/[\0-\x08\x0b-\x1f\x7f-\x9f\ufffe\uffff]/g, '\ufffd')
    .replace(/[&<>"\t]/g, (it) => ENTITIES[it] ?? it)

/** One JUnit case for the first run, and one per reading. */
export const readingsJunitText = ({ first, runs, duration_ms }: CompatibilityMatrix): string => {
  const broken = runs.filter((it) => resultOf(it) === 'FAILED')
  const repeats = broken.map((it) => `${formatReading(it)}: ${it.report.rerun}`)
  const isFirstPassed = isPassed(first.report)
  const why = failures(first.report).join('; ')
  const firstCase: TestCase = isFirstPassed
    ? commandCase(first.report)
    : { ...commandCase(first.report), failure: { message: why, text: first.output || why } }
  const name = `sandramp readings ${first.report.scenarios.join(' ')}`.trimEnd()
  const suite: Suite = {
    name,
    duration_ms,
    properties: runProperties(first.report),
    cases: [firstCase, ...runs.map(readingCase)],
    ...(repeats.length > 0 ? { systemOut: `run one alone:\n${repeats.join('\n')}` } : {}),
  }
  return suitesText(name, [suite])
}

const readingCase = (it: ReadingRun): TestCase => {
  const { id, report, question, description, accepted, output } = it
  const known = {
    classname: `sandramp.readings.${id}`,
    name: formatReading(it),
    time: seconds(report.duration_ms),
  }
  if (resultOf(it) === 'passed') return known
  if (accepted) return { ...known, skipped: `accepted on ${accepted.date}: ${accepted.reason}` }
  const message = `${failures(report).join('; ')}; first difference: ${describeDifference(it)}`
  const text = [`${question} Here: ${description}.`, message, output].join('\n')
  return { ...known, failure: { message, text } }
}
