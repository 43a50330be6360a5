import { plural } from '../../lib/text.js'
import { failures, isPassed, type RunReport, reportText, seconds } from './report.js'

export interface CaseResult {
  readonly name: string
  /** The name, with the number of the seed if the case has several. */
  readonly label: string
  /** Of the case, from 0. */
  readonly index: number
  readonly seed: string
  readonly report: RunReport
  /** The last lines of output. */
  readonly output: string
}

/** One line per case, then the report of the first failed run of each. */
export const casesText = (results: readonly CaseResult[]): string => {
  const cases = groupByCase(results)
  const width = Math.max(...cases.map(([{ name }]) => name.length))
  const failed = cases.flatMap((runs) => runs.filter(isFailed).slice(0, 1))
  const lines = [
    '',
    ...cases.map((runs) => caseLine(runs, width)),
    ...failed.flatMap(detailLines),
    '',
    failed.length === 0
      ? `passed: ${cases.length} of ${plural(cases.length, 'case')}`
      : `FAILED: ${failed.length} of ${plural(cases.length, 'case')}`,
  ]
  return `${lines.join('\n')}\n`
}

type Runs = readonly [CaseResult, ...CaseResult[]]

const groupByCase = (results: readonly CaseResult[]): Runs[] => {
  const cases = new Map<number, [CaseResult, ...CaseResult[]]>()
  for (const it of results) {
    const runs = cases.get(it.index)
    if (runs) runs.push(it)
    else cases.set(it.index, [it])
  }
  return [...cases.values()]
}

const isFailed = ({ report }: CaseResult): boolean => !isPassed(report)

const caseLine = (runs: Runs, width: number): string => {
  const failed = runs.filter(isFailed)
  const duration_ms = runs.reduce((sum, { report }) => sum + report.duration_ms, 0)
  const requests = runs.reduce((sum, { report }) => sum + report.requests, 0)
  const [worst] = failed
  const why = worst ? `  ${failures(worst.report).join('; ')}` : ''
  const seeds =
    runs.length === 1
      ? ''
      : `  seeds: ${runs.length}${failed.length > 0 ? `, failed: ${failed.map(({ seed }) => seed).join(' ')}` : ''}`
  const result = worst ? 'FAILED' : 'passed'
  const name = runs[0].name.padEnd(width)
  return `  ${result}  ${name}  ${seconds(duration_ms)} s  requests: ${requests}${seeds}${why}`
}

const detailLines = ({ report, output }: CaseResult): string[] => [
  reportText(report).trimEnd(),
  ...(output === ''
    ? []
    : ['the command printed last:', ...output.split('\n').map((line) => `    ${line}`.trimEnd())]),
]
