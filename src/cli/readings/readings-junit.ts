import { commandCase, runProperties, type Suite, suitesText, type TestCase } from '../run/junit.js'
import { failures, isPassed, seconds } from '../run/report.js'
import {
  type CompatibilityMatrix,
  describeDifference,
  formatReading,
  isPassedRun,
  type ReadingRun,
} from './compatibility-matrix.js'

/** One JUnit case for the first run, and one per reading. */
export const readingsJunitText = ({ first, runs, duration_ms }: CompatibilityMatrix): string => {
  const broken = runs.filter((it) => !isPassedRun(it))
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
  const { id, report, question, description, output } = it
  const known = {
    classname: `sandramp.readings.${id}`,
    name: formatReading(it),
    time: seconds(report.duration_ms),
  }
  if (isPassedRun(it)) return known
  const message = `${failures(report).join('; ')}; first difference: ${describeDifference(it)}`
  const text = [`${question} Here: ${description}.`, message, output].join('\n')
  return { ...known, failure: { message, text } }
}
