import pLimit from 'p-limit'
import type { OpenSandbox } from '../../app.js'
import { type LoggedExchange, showExchange } from '../../history/views.js'
import { machineClock } from '../../lib/machine-clock.js'
import { plural } from '../../lib/text.js'
import type { AssumptionView } from '../../runtime/assumption-view.js'
import type { Sandbox } from '../../runtime/sandbox.js'
import type { Scenario } from '../../scenarios/language/parse-scenario.js'
import { codeOfSignal, FAILED, handleSignals, PASSED, type SignalHandler } from '../exit.js'
import { print } from '../print.js'
import { assertStartable } from '../run/child-process.js'
import { readingsJunitText } from '../run/junit.js'
import { type Progress, progressOn } from '../run/progress.js'
import { isPassed } from '../run/report.js'
import { prepareReports, writeReport } from '../run/report-file.js'
import { reportStop } from '../run/run.js'
import { type ReadingsOptions, type RunOptions, replaceReadings } from '../run/run-flags.js'
import { readScenarios, runInBackground } from '../run/run-in-sandbox.js'
import { usedWorlds } from '../run/world-results.js'
import type { AcceptedReading } from './accepted-readings.js'
import {
  type Alternative,
  isReliedOn,
  listAlternatives,
  viewAssumptions,
} from './alternative-readings.js'
import {
  type CompatibilityMatrix,
  type FirstRun,
  formatReading,
  isPassedMatrix,
  matrixText,
  type ReadingRun,
} from './compatibility-matrix.js'
import { type Comparable, firstDifference, toComparable } from './response-diff.js'

/**
 * Runs a command with the current readings, then once per alternative reading that it relied on, each in its
 * own sandbox. Prints which ones pass and returns the exit code.
 */
export const readings = async ({
  run,
  isAll,
  accepted,
  jobs,
}: ReadingsOptions): Promise<number> => {
  const scenarios = readScenarios(run.scenarios)
  assertStartable(run)
  if (!prepareReports([junitReport(run)])) return FAILED
  const progress = progressOn(process.stderr)
  const signals = handleSignals(jobs)
  const startedAt = machineClock()
  progress.start(0, 'first run, with the current readings')
  const firstRun = await runFirst(run, scenarios)
  if ('stoppedBy' in firstRun) {
    progress.end()
    return reportStop(firstRun.stoppedBy)
  }
  const { first, exchanges, assumed } = firstRun
  const others = isPassed(first.report) ? listAlternatives(assumed, isAll) : []
  if (others.length > 0) progress.start(others.length, `other readings: ${others.length}`)
  const common = { run, scenarios, exchanges, accepted, progress }
  const runs = await pLimit(jobs).map(others, (other) =>
    signals.signal() ? undefined : runWithReading(common, other),
  )
  progress.end()
  return finish(run, signals, {
    first,
    runs: runs.filter((it) => it !== undefined),
    accepted,
    duration_ms: machineClock() - startedAt,
  })
}

const finish = (run: RunOptions, signals: SignalHandler, matrix: CompatibilityMatrix): number => {
  signals.done()
  const signal = signals.signal()
  if (signal) {
    const done = plural(matrix.runs.length, 'reading')
    process.stderr.write(`sandramp: stopped by ${signal} after ${done}\n`)
    return codeOfSignal(signal)
  }
  print(matrixText(matrix))
  const isWritten = writeReport(junitReport(run), readingsJunitText(matrix))
  return isPassedMatrix(matrix) && isWritten ? PASSED : FAILED
}

const junitReport = ({ junit }: RunOptions) => ({ flag: 'junit', file: junit }) as const

interface FirstRunResult {
  readonly first: FirstRun
  readonly exchanges: readonly Comparable[]
  readonly assumed: readonly AssumptionView[]
}

const runFirst = async (
  run: RunOptions,
  scenarios: readonly Scenario[],
): Promise<FirstRunResult | { readonly stoppedBy: NodeJS.Signals }> => {
  const result = await runInBackground(run, { scenarios, inspect: inspectSandbox })
  if ('stoppedBy' in result) return result
  const { report, output, inspected } = result
  const { exchanges, assumed } = inspected
  const relied = assumed.filter(isReliedOn)
  const settled = relied.filter((it) => it.confirmed)
  const counts = { relied: relied.length, settled: settled.length, all: assumed.length }
  return { first: { report, output, ...counts }, exchanges, assumed }
}

const inspectSandbox = ({ core }: OpenSandbox) => ({
  exchanges: toComparable(exchangesIn(core)),
  assumed: viewAssumptions(core),
})

/** The requests to all worlds that the command used. */
const exchangesIn = (core: Sandbox): LoggedExchange[] =>
  usedWorlds(core).flatMap(({ requests }) => requests.list().map(showExchange))

interface Common {
  readonly run: RunOptions
  readonly scenarios: readonly Scenario[]
  readonly exchanges: readonly Comparable[]
  readonly accepted: readonly AcceptedReading[]
  readonly progress: Progress
}

/** Returns undefined if the run was interrupted. */
const runWithReading = async (
  { run, scenarios, exchanges, accepted, progress }: Common,
  other: Alternative,
): Promise<ReadingRun | undefined> => {
  const name = formatReading(other)
  const env = { SANDRAMP_READING: name }
  const hooks = { scenarios, env, inspect: inspectSandbox }
  const result = await runInBackground(withReading(run, name), hooks)
  if ('stoppedBy' in result) return undefined
  const { report, output, inspected } = result
  progress.done(name, !isPassed(report))
  return {
    ...other,
    report,
    difference: firstDifference(exchanges, inspected.exchanges, name),
    accepted: accepted.find(({ id, reading }) => id === other.id && reading === other.reading),
    isReliedOn: inspected.assumed.some((it) => it.id === other.id && isReliedOn(it)),
    output,
  }
}

const withReading = (run: RunOptions, reading: string): RunOptions => ({
  ...run,
  port: 0,
  sandbox: { ...run.sandbox, readings: replaceReadings(run.sandbox.readings, [reading]) },
  repeatedFlags: [...run.repeatedFlags, ['reading', reading]],
})
