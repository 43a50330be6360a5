import pLimit from 'p-limit'
import { groupBy } from '../../lib/group-by.js'
import { machineClock } from '../../lib/machine-clock.js'
import { plural } from '../../lib/text.js'
import { codeOfSignal, FAILED, handleSignals } from '../exit.js'
import { print } from '../print.js'
import type { CaseRun, CasesOptions } from './cases.js'
import { assertStartable } from './child-process.js'
import { casesJunitText } from './junit.js'
import { progressOn } from './progress.js'
import { failures, isPassed, type RunReport, reportText, seconds, toExitCode } from './report.js'
import { prepareReports, writeReport } from './report-file.js'
import { runInBackground } from './run-in-sandbox.js'

/** Runs a command once per case, each in its own sandbox. Returns the exit code. */
export const runCases = async ({ cases, jobs, junit }: CasesOptions): Promise<number> => {
  const junitReport = { flag: 'junit', file: junit } as const
  for (const { options } of cases) assertStartable(options)
  if (!prepareReports([junitReport])) return FAILED
  const progress = progressOn(process.stderr)
  const signals = handleSignals(jobs)
  const startedAt = machineClock()
  progress.start(cases.length, `cases: ${cases.length}`)
  const runOne = async (it: CaseRun): Promise<CaseResult | undefined> => {
    const { name, label, index, options, scenarios } = it
    const result = await runInBackground(options, { scenarios, inspect: () => undefined })
    if ('stoppedBy' in result) return undefined
    const { report, output } = result
    progress.done(name, !isPassed(report))
    return { name, label, index, seed: options.sandbox.seed, report, output }
  }
  const all = await pLimit(jobs).map(cases, (it) => (signals.signal() ? undefined : runOne(it)))
  progress.end()
  signals.done()
  const results = all.filter((it) => it !== undefined)
  const signal = signals.signal()
  if (signal) {
    process.stderr.write(
      `sandramp: stopped by ${signal} after ${results.length} of ${plural(cases.length, 'case')}\n`,
    )
    return codeOfSignal(signal)
  }
  print(casesText(results))
  const isWritten = writeReport(junitReport, casesJunitText(results, machineClock() - startedAt))
  return isWritten ? toExitCode(results.map(({ report }) => report)) : FAILED
}

interface CaseResult {
  readonly name: string
  readonly label: string
  readonly index: number
  readonly seed: string
  readonly report: RunReport
  readonly output: string
}

/** One line per case, then the report of the first failed run of each. */
const casesText = (results: readonly CaseResult[]): string => {
  const cases = [...groupBy(results, ({ index }) => index).values()]
  const width = Math.max(...results.map(({ name }) => name.length))
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

const isFailed = ({ report }: CaseResult): boolean => !isPassed(report)

const caseLine = (runs: readonly CaseResult[], width: number): string => {
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
  const name = (runs[0]?.name ?? '').padEnd(width)
  return `  ${result}  ${name}  ${seconds(duration_ms)} s  requests: ${requests}${seeds}${why}`
}

const detailLines = ({ report, output }: CaseResult): string[] => [
  reportText(report).trimEnd(),
  ...(output === ''
    ? []
    : ['the command printed last:', ...output.split('\n').map((line) => `    ${line}`.trimEnd())]),
]
