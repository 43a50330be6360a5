import { commandCase, type Suite, suitesText, type TestCase } from '../run/junit.js'
import { failures, isPassed, seconds } from '../run/report.js'
import {
  type CompatibilityMatrix,
  differenceWords,
  formatReading,
  hasSurvived,
  type ReadingRun,
} from './compatibility-matrix.js'

/** The matrix in the form of JUnit: one case for the first run, one for each reading. */
export const readingsJunitText = ({ first, trials, duration_ms }: CompatibilityMatrix): string => {
  const broken = trials.filter((trial) => !hasSurvived(trial))
  const repeats = broken.map((trial) => `${formatReading(trial)}: ${trial.report.repeat}`)
  const isFirstPassed = isPassed(first.report)
  const why = failures(first.report).join('; ')
  const firstCase: TestCase = isFirstPassed
    ? commandCase(first.report)
    : { ...commandCase(first.report), failure: { message: why, text: first.output || why } }
  const name = `sandramp readings ${first.report.scenarios.join(' ')}`.trimEnd()
  const suite: Suite = {
    name,
    duration_ms,
    cases: [firstCase, ...trials.map(trialCase)],
    ...(repeats.length > 0 ? { said: `run one alone:\n${repeats.join('\n')}` } : {}),
  }
  return suitesText(name, [suite])
}

const trialCase = (trial: ReadingRun): TestCase => {
  const { id, report, question, description, output } = trial
  const known = {
    classname: `sandramp.readings.${id}`,
    name: formatReading(trial),
    time: seconds(report.duration_ms),
  }
  if (hasSurvived(trial)) return known
  const message = `${failures(report).join('; ')}; first difference: ${differenceWords(trial)}`
  const text = [`${question} Here: ${description}.`, message, output].join('\n')
  return { ...known, failure: { message, text } }
}
