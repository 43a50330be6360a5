import { truncate } from '../../lib/text.js'
import { summarize } from '../../usecases/open-questions/summarize-body.js'
import { failures, INDENT, isPassed, type RunReport, seconds, worldLines } from '../run/report.js'
import type { Alternative } from './alternative-readings.js'
import { type Answered, type Difference, firstField } from './response-diff.js'

/** A reading that the command was run with, and what came of it. */
export interface ReadingRun extends Alternative {
  readonly report: RunReport
  readonly difference: Difference | undefined
  /** Whether an answer of this run rested on the reading. */
  readonly isRelied: boolean
  /** The last lines that the command printed. */
  readonly output: string
}

/** The run with the readings as they are, which all others are compared with. */
export interface FirstRun {
  readonly report: RunReport
  readonly output: string
  readonly relied: number
  readonly settled: number
  /** How many things the contract leaves open. */
  readonly all: number
}

export interface CompatibilityMatrix {
  readonly first: FirstRun
  readonly trials: readonly ReadingRun[]
  readonly duration_ms: number
}

export const hasSurvived = ({ report }: ReadingRun): boolean => isPassed(report)
export const isWhollyPassed = ({ first, trials }: CompatibilityMatrix): boolean =>
  isPassed(first.report) && trials.every(hasSurvived)

/** The matrix for the terminal, then each reading that broke the command. */
export const matrixText = (matrix: CompatibilityMatrix): string => {
  const { first, trials } = matrix
  const lines = [
    '',
    `sandramp readings ${first.report.scenarios.join(' ')}`.trimEnd(),
    '',
    `  command   ${first.report.command}`,
    `  first     ${runWords(first.report)}`,
    ...worldLines(first.report),
    ...(isPassed(first.report) ? firstLines(first, trials) : brokenLines(first)),
    '',
    ...tableLines(trials),
    ...(trials.length > 0 ? [''] : []),
    ...trials.filter((trial) => !hasSurvived(trial)).flatMap(failureLines),
    verdict(matrix),
  ]
  return `${lines.join('\n')}\n`
}

const firstLines = (
  { relied, settled, all }: FirstRun,
  trials: readonly ReadingRun[],
): string[] => [
  `${INDENT}relied on ${relied} of ${all} assumptions${settled > 0 ? `, ${settled} of them settled` : ''}; other readings run: ${trials.length}`,
]

const brokenLines = ({ report, output }: FirstRun): string[] => [
  ...(output === '' ? [] : ['', ...indented(output, INDENT)]),
  '',
  '  run it alone:',
  `    ${report.repeat}`,
]

const indented = (text: string, by: string): string[] =>
  text.split('\n').map((line) => `${by}${line}`.trimEnd())

const runWords = (report: RunReport): string => {
  const how = isPassed(report) ? 'passed' : `FAILED: ${failures(report).join('; ')}`
  return `${how}, ${seconds(report.duration_ms)} s, requests: ${report.requests}`
}

const tableLines = (trials: readonly ReadingRun[]): string[] => {
  if (trials.length === 0) return []
  // What no answer rested on says little: it comes last.
  const ordered = [...trials].sort((a, b) => Number(b.isRelied) - Number(a.isRelied))
  const rows = ordered.map((trial) => [
    hasSurvived(trial) ? 'passed' : 'FAILED',
    trial.risk,
    formatReading(trial),
    differenceWords(trial),
  ])
  const head = ['result', 'risk', 'reading', 'first difference']
  const widths = head.map((_, i) => Math.max(...[head, ...rows].map((row) => row[i]?.length ?? 0)))
  return [head, ...rows].map((row) =>
    `  ${row.map((cell, i) => cell.padEnd(widths[i] ?? 0)).join('  ')}`.trimEnd(),
  )
}

export const formatReading = ({ id, reading }: Alternative): string => `${id}=${reading}`

/** The first exchange that differs, in a line. */
export const differenceWords = ({ difference, isRelied }: ReadingRun): string => {
  if (!difference) return isRelied ? 'none' : 'none: no answer rested on it'
  const { n, what, there, here } = difference
  return `${what}, request ${n}: ${changeWords(there, here)}`
}

const changeWords = (there: Answered | undefined, here: Answered): string => {
  if (!there) return `${statusWords(here)}, not asked before`
  const [before, after] = [statusWords(there), statusWords(here)]
  if (before !== after) return `${before} became ${after}`
  const field = firstField(there.body, here.body)
  if (!field) return before
  const name = field.path === '' ? 'the body' : field.path
  return `${name} was ${snippet(field.there)}, is ${snippet(field.here)}`
}

/** The status, and the code of an error. */
const statusWords = ({ status, body }: Answered): string => {
  if (status === null) return 'cut'
  const code = status >= 400 ? (Object(body) as { code?: unknown }).code : undefined
  return code === undefined ? String(status) : `${status} ${String(code)}`
}

const MAX_SNIPPET = 48

const snippet = (value: unknown): string => {
  if (value === undefined) return 'not there'
  return truncate(JSON.stringify(value), MAX_SNIPPET)
}

const failureLines = (trial: ReadingRun): string[] => {
  const { report, difference, question, description, output } = trial
  return [
    `FAILED ${formatReading(trial)}`,
    `  ${question} Here: ${description}.`,
    `  ${runWords(report)}`,
    ...(difference
      ? [
          `  first difference: ${differenceWords(trial)}`,
          ...(difference.there ? indented(`there ${answerText(difference.there)}`, '    ') : []),
          ...indented(`here  ${answerText(difference.here)}`, '    '),
        ]
      : []),
    ...(output === '' ? [] : ['  the command printed last:', ...indented(output, '    ')]),
    '  run it alone:',
    `    ${report.repeat}`,
    '',
  ]
}

const MAX_ANSWER = 300

const answerText = ({ status, body }: Answered): string => {
  const text = body === null ? '' : JSON.stringify(summarize(body))
  return `${status ?? 'cut'} ${truncate(text, MAX_ANSWER)}`.trimEnd()
}

const verdict = ({ first, trials }: CompatibilityMatrix): string => {
  if (!isPassed(first.report)) {
    return 'FAILED: the command has to pass with the readings as they are before others are tried'
  }
  const survived = trials.filter(hasSurvived).length
  if (trials.length === 0) return 'passed: nothing that it relied on can be read otherwise'
  if (survived === trials.length)
    return `passed: it survives every other reading: ${survived} of ${survived}`
  return `FAILED: it survives ${survived} of ${trials.length} other readings`
}
