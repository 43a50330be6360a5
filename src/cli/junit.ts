import {
  endingWords,
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
}

/** The report in the form of JUnit: one case for the command, one for each expectation. */
export const junitText = (report: RunReport): string =>
  suiteText({
    name: `sandramp run ${report.scenarios.join(' ')}`,
    duration_ms: report.duration_ms,
    cases: [
      commandCase(report),
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

/** A suite of test cases in the form of JUnit. */
export const suiteText = ({ name, duration_ms, cases, said }: Suite): string => {
  const failures = cases.filter(({ failure }) => failure).length
  const totals = { tests: cases.length, failures, errors: 0, time: seconds(duration_ms) }
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites${attributes({ name, ...totals })}>`,
    `  <testsuite${attributes({ name, ...totals, skipped: 0 })}>`,
    ...cases.flatMap(caseLines),
    ...(said === undefined ? [] : [`    <system-out>${escaped(said)}</system-out>`]),
    '  </testsuite>',
    '</testsuites>',
    '',
  ].join('\n')
}

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
    const text = `${why}; --allow-idle lets such a run pass`
    return {
      classname: 'sandramp.idle',
      name: `${report.scenarios.join(' ')}: the run calls the service and fires a rule`.trim(),
      failure: { message: why, text },
    }
  })

const runawayCase = ({ runaway }: RunReport): TestCase[] => {
  if (!runaway) return []
  const failure = { message: runaway, text: runaway }
  return [{ classname: 'sandramp.timers', name: 'timers come to rest', failure }]
}

const outcomeCase = (outcome: ScenarioOutcome): TestCase => {
  const { ok, scenario, wish, sentence, source } = outcome
  const text = [sentence, ...missLines(outcome)].join('\n')
  const failure = ok ? {} : { failure: { message: sentence, text } }
  return { classname: `sandramp.${scenario}`, name: wish, time: '0', source, ...failure }
}

const caseLines = ({ classname, name, time = '0', source, failure }: TestCase): string[] => {
  const [, file, line] = /^(.*):(\d+)$/.exec(source ?? '') ?? []
  const place = file === undefined ? {} : { file, line }
  const open = `    <testcase${attributes({ classname, name, time, ...place })}`
  if (!failure) return [`${open}/>`]
  const { message, text } = failure
  return [
    `${open}>`,
    `      <failure${attributes({ message, type: 'failure' })}>${escaped(text)}</failure>`,
    '    </testcase>',
  ]
}

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
