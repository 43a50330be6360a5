import pLimit from 'p-limit'
import { escapeControlChars } from '../../lib/ansi.js'
import { machineClock } from '../../lib/machine-clock.js'
import { plural } from '../../lib/text.js'
import { UsageError } from '../arguments.js'
import { codeOfSignal, FAILED } from '../exit-codes.js'
import { handleSignals } from '../signals.js'
import type { CaseRun, CasesOptions } from './cases.js'
import { type CaseResult, casesText } from './cases-report.js'
import { assertStartable } from './child-process.js'
import { casesJunitText } from './junit.js'
import { outputTail } from './output-tail.js'
import { progressOn } from './progress.js'
import { isPassed, toExitCode } from './report.js'
import { prepareReports, writeReport } from './report-file.js'
import { runInSandbox } from './run-in-sandbox.js'

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
    const { onOutput, text } = outputTail()
    const { options, scenarios } = it
    const result = await runInSandbox(options, {
      scenarios,
      onOutput,
      inspect: () => undefined,
    })
    if ('aborted' in result) {
      if (result.aborted.kind === 'not_started') throw new UsageError(result.aborted.why)
      return undefined
    }
    progress.done(it.name, !isPassed(result.report))
    const { name, label, index } = it
    return { name, label, index, seed: options.sandbox.seed, report: result.report, output: text() }
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
  process.stdout.write(escapeControlChars(casesText(results)))
  const isWritten = writeReport(junitReport, casesJunitText(results, machineClock() - startedAt))
  return isWritten ? toExitCode(results.map(({ report }) => report)) : FAILED
}
