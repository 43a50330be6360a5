import pLimit from 'p-limit'
import { escapeControlChars } from '../../lib/ansi.js'
import { machineClock } from '../../lib/machine-clock.js'
import { UsageError } from '../arguments.js'
import { codeOfSignal, FAILED, MISSED, PASSED } from '../exit-codes.js'
import { handleSignals } from '../signals.js'
import type { CaseRun, CasesOptions } from './cases.js'
import { type CaseResult, casesText } from './cases-report.js'
import { casesJunitText } from './junit.js'
import { outputTail } from './output-tail.js'
import { progressOn } from './progress.js'
import { isPassed, isSound } from './report.js'
import { assertApart, assertReport, prepareFile, writeReport } from './report-file.js'
import { filesRead } from './run.js'
import { runInSandbox } from './run-in-sandbox.js'

/** Runs a command once for each case, each in a sandbox of its own. Returns the exit code. */
export const runCases = async ({ cases, jobs, junit, suite }: CasesOptions): Promise<number> => {
  const read = cases.flatMap(({ options, scenarios }) => filesRead(options, scenarios))
  const own = suite === undefined ? [] : [{ file: suite, is: 'the file of --suite' }]
  assertApart('junit', junit, [...read, ...own])
  assertReport('junit', junit)
  const progress = progressOn(process.stderr)
  const heed = handleSignals(jobs)
  const began = machineClock()
  progress.start(cases.length, `cases: ${cases.length}`)
  let isPrepared = false
  const begin = () => {
    if (!isPrepared) prepareFile('junit', junit)
    isPrepared = true
  }
  const runOne = async (it: CaseRun): Promise<CaseResult | undefined> => {
    const { hear, text } = outputTail()
    const { options, scenarios } = it
    const played = await runInSandbox(options, { scenarios, hear, begin, look: () => undefined })
    if ('spoilt' in played) {
      if (played.spoilt.kind === 'not_started') throw new UsageError(played.spoilt.why)
      return undefined
    }
    progress.done(it.name, !isPassed(played.report))
    const { name, place } = it
    return { name, place, seed: options.sandbox.seed, report: played.report, output: text() }
  }
  const all = await pLimit(jobs).map(cases, (it) => (heed.signal() ? undefined : runOne(it)))
  progress.end()
  heed.done()
  const results = all.filter((it) => it !== undefined)
  const signal = heed.signal()
  if (signal) {
    process.stderr.write(
      `sandramp: stopped by ${signal} after ${results.length} of ${cases.length} cases\n`,
    )
    return codeOfSignal(signal)
  }
  process.stdout.write(escapeControlChars(casesText(results)))
  const text = casesJunitText(results, machineClock() - began)
  const isWritten = junit === undefined || writeReport('junit', junit, text)
  return isWritten ? toExitCode(results) : FAILED
}

const toExitCode = (results: readonly CaseResult[]): number => {
  if (!results.every(({ report }) => isSound(report))) return FAILED
  return results.every(({ report }) => isPassed(report)) ? PASSED : MISSED
}
