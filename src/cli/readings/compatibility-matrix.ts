import { findDifferences } from '../../lib/json.js'
import { truncate } from '../../lib/text.js'
import { summarize } from '../../runtime/questions/report.js'
import { failures, INDENT, isPassed, type RunReport, seconds, worldLines } from '../run/report.js'
import type { AcceptedReading } from './accepted-readings.js'
import type { Alternative } from './alternative-readings.js'
import type { ComparedResponse, Difference } from './response-diff.js'

/** One run of the command with another reading. */
export interface ReadingRun extends Alternative {
  readonly report: RunReport
  readonly difference: Difference | undefined
  /** True if a response of this run relied on the reading. */
  readonly isReliedOn: boolean
  /** Set if the command is known to fail under the reading. */
  readonly accepted: AcceptedReading | undefined
  readonly output: string
}

/** The run with the current readings, which all others are compared with. */
export interface FirstRun {
  readonly report: RunReport
  readonly output: string
  readonly relied: number
  readonly settled: number
  /** Number of assumptions in the register. */
  readonly all: number
}

export interface CompatibilityMatrix {
  readonly first: FirstRun
  readonly runs: readonly ReadingRun[]
  /** Readings under which the command is known to fail. */
  readonly accepted: readonly AcceptedReading[]
  readonly duration_ms: number
}

export const resultOf = ({ report, accepted }: ReadingRun): 'passed' | 'accepted' | 'FAILED' =>
  isPassed(report) ? 'passed' : accepted ? 'accepted' : 'FAILED'

const isBroken = (it: ReadingRun): boolean => resultOf(it) === 'FAILED'

export const isPassedMatrix = ({ first, runs }: CompatibilityMatrix): boolean =>
  isPassed(first.report) && !runs.some(isBroken)

/** The matrix for the terminal, then details of each reading that failed. */
export const matrixText = (matrix: CompatibilityMatrix): string => {
  const { first, runs } = matrix
  const lines = [
    '',
    `sandramp readings ${first.report.scenarios.join(' ')}`.trimEnd(),
    '',
    `  command   ${first.report.command}`,
    `  first     ${describeRun(first.report)}`,
    ...worldLines(first.report),
    ...(isPassed(first.report) ? firstLines(first, runs) : brokenLines(first)),
    '',
    ...tableLines(runs),
    ...(runs.length > 0 ? [''] : []),
    ...runs.filter(isBroken).flatMap(failureLines),
    ...acceptedLines(matrix),
    verdict(matrix),
  ]
  return `${lines.join('\n')}\n`
}

const firstLines = ({ relied, settled, all }: FirstRun, runs: readonly ReadingRun[]): string[] => [
  `${INDENT}relied on ${relied} of ${all} assumptions${settled > 0 ? `, ${settled} of them settled` : ''}; other readings run: ${runs.length}`,
]

const brokenLines = ({ report, output }: FirstRun): string[] => [
  ...(output === '' ? [] : ['', ...indented(output, INDENT)]),
  '',
  '  run it alone:',
  `    ${report.rerun}`,
]

const indented = (text: string, by: string): string[] =>
  text.split('\n').map((line) => `${by}${line}`.trimEnd())

const describeRun = (report: RunReport): string => {
  const how = isPassed(report) ? 'passed' : `FAILED: ${failures(report).join('; ')}`
  return `${how}, ${seconds(report.duration_ms)} s, requests: ${report.requests}`
}

const tableLines = (runs: readonly ReadingRun[]): string[] => {
  if (runs.length === 0) return []
  // Readings that no response relied on prove little: they come last.
  const ordered = [...runs].sort((a, b) => Number(b.isReliedOn) - Number(a.isReliedOn))
  const rows = ordered.map((it) => [
    resultOf(it),
    it.risk,
    formatReading(it),
    describeDifference(it),
  ])
  const head = ['result', 'risk', 'reading', 'first difference']
  const widths = head.map((_, i) => Math.max(...[head, ...rows].map((row) => row[i]?.length ?? 0)))
  return [head, ...rows].map((row) =>
    `  ${row.map((cell, i) => cell.padEnd(widths[i] ?? 0)).join('  ')}`.trimEnd(),
  )
}

/** Failures that are known, and entries that the file no longer needs. */
const acceptedLines = ({ runs, accepted }: CompatibilityMatrix): string[] => {
  const lines = accepted.map((it) => {
    const isNeeded = runs.some((run) => run.accepted === it && resultOf(run) === 'accepted')
    const what = isNeeded ? 'accepted' : 'did not fail, so it needs no entry'
    return `${formatReading(it)} ${what}: ${it.reason} (${it.date})`
  })
  return lines.length > 0 ? [...lines, ''] : []
}

export const formatReading = ({ id, reading }: Pick<Alternative, 'id' | 'reading'>): string =>
  `${id}=${reading}`

export const describeDifference = ({ difference, isReliedOn }: ReadingRun): string => {
  if (!difference) return isReliedOn ? 'none' : 'none: no answer rested on it'
  const { n, what, there, here } = difference
  return `${what}, request ${n}: ${describeChange(there, here)}`
}

const describeChange = (there: ComparedResponse | undefined, here: ComparedResponse): string => {
  if (!there) return `${describeStatus(here)}, not sent in the first run`
  const [before, after] = [describeStatus(there), describeStatus(here)]
  if (before !== after) return `${before} became ${after}`
  const [field] = findDifferences(there.body, here.body)
  if (!field) return before
  const name = field.path === '' ? 'the body' : field.path
  return `${name} was ${snippet(field.a)}, is ${snippet(field.b)}`
}

const describeStatus = ({ status, body }: ComparedResponse): string => {
  if (status === null) return 'cut'
  const code = status >= 400 ? (Object(body) as { code?: unknown }).code : undefined
  return code === undefined ? String(status) : `${status} ${String(code)}`
}

const MAX_SNIPPET = 48

const snippet = (value: unknown): string => {
  if (value === undefined) return 'not there'
  return truncate(JSON.stringify(value), MAX_SNIPPET)
}

const failureLines = (it: ReadingRun): string[] => {
  const { report, difference, question, description, output } = it
  return [
    `FAILED ${formatReading(it)}`,
    `  ${question} Here: ${description}.`,
    `  ${describeRun(report)}`,
    ...(difference
      ? [
          `  first difference: ${describeDifference(it)}`,
          ...(difference.there
            ? indented(`there ${formatResponse(difference.there)}`, '    ')
            : []),
          ...indented(`here  ${formatResponse(difference.here)}`, '    '),
        ]
      : []),
    ...(output === '' ? [] : ['  the command printed last:', ...indented(output, '    ')]),
    '  run it alone:',
    `    ${report.rerun}`,
    '',
  ]
}

const MAX_ANSWER = 300

const formatResponse = ({ status, body }: ComparedResponse): string => {
  const text = body === null ? '' : JSON.stringify(summarize(body))
  return `${status ?? 'cut'} ${truncate(text, MAX_ANSWER)}`.trimEnd()
}

const verdict = ({ first, runs }: CompatibilityMatrix): string => {
  if (!isPassed(first.report)) {
    return 'FAILED: the command must pass with the current readings before others are tried'
  }
  const count = (result: string) => runs.filter((it) => resultOf(it) === result).length
  const [survived, known] = [count('passed'), count('accepted')]
  if (runs.length === 0) return 'passed: it relied on nothing that has another reading'
  if (survived === runs.length)
    return `passed: it survives every other reading: ${survived} of ${survived}`
  const note = known > 0 ? `, accepted failures: ${known}` : ''
  const result = runs.some(isBroken) ? 'FAILED' : 'passed'
  return `${result}: it survives ${survived} of ${runs.length} other readings${note}`
}
