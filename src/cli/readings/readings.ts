import pLimit from 'p-limit'
import type { Sandbox } from '../../index.js'
import { escapeControlChars } from '../../lib/ansi.js'
import { machineClock } from '../../lib/machine-clock.js'
import { type LoggedExchange, showExchange } from '../../request-log/views.js'
import { internalsOf } from '../../runtime/sandbox-internals.js'
import { openScenarios } from '../../scenarios/language/bundled.js'
import type { Scenario } from '../../scenarios/language/parse-scenario.js'
import { UsageError } from '../arguments.js'
import { codeOfSignal, FAILED, PASSED } from '../exit-codes.js'
import { outputTail } from '../run/output-tail.js'
import { type Progress, progressOn } from '../run/progress.js'
import { isPassed } from '../run/report.js'
import { assertApart, assertReport, prepareFile, writeReport } from '../run/report-file.js'
import { exitCodeForAbort, filesRead } from '../run/run.js'
import type { RunOptions } from '../run/run-flags.js'
import { type AbortedRun, runInSandbox } from '../run/run-in-sandbox.js'
import { usedWorlds } from '../run/used-worlds.js'
import { handleSignals, type SignalHandler } from '../signals.js'
import {
  type Alternative,
  type Assumed,
  alternativesTo,
  assumedIn,
  isRelied,
} from './alternative-readings.js'
import {
  type CompatibilityMatrix,
  type FirstRun,
  formatReading,
  isWhollyPassed,
  matrixText,
  type ReadingRun,
} from './compatibility-matrix.js'
import type { ReadingsOptions } from './readings-flags.js'
import { readingsJunitText } from './readings-junit.js'
import { type Comparable, comparable, firstDifference } from './response-diff.js'

/**
 * Runs a command with the readings as they are, then once for each other reading of what it relied on, each
 * against a sandbox of its own, and tells which ones it survives. Gives the exit code.
 */
export const readings = async ({ run, isAll, jobs }: ReadingsOptions): Promise<number> => {
  const scenarios = openScenarios(run.scenarios)
  assertApart('junit', run.junit, filesRead(run, scenarios))
  assertReport('junit', run.junit)
  const progress = progressOn(process.stderr)
  const heed = handleSignals(jobs)
  const began = machineClock()
  progress.start(0, 'the first run, with the readings as they are')
  const begun = await runFirst(run, scenarios)
  if ('spoilt' in begun) {
    progress.end()
    return exitCodeForAbort(begun.spoilt)
  }
  const { first, exchanges, assumed } = begun
  const others = isPassed(first.report) ? alternativesTo(assumed, isAll) : []
  if (others.length > 0) progress.start(others.length, `other readings: ${others.length}`)
  const common = { run, scenarios, exchanges, progress }
  const trials = await pLimit(jobs).map(others, (other) =>
    heed.signal() ? undefined : runWithReading(common, other),
  )
  progress.end()
  return conclude(run, heed, {
    first,
    trials: trials.filter(isThere),
    duration_ms: machineClock() - began,
  })
}

const isThere = <T>(it: T | undefined): it is T => it !== undefined

const conclude = (run: RunOptions, heed: SignalHandler, matrix: CompatibilityMatrix): number => {
  heed.done()
  const signal = heed.signal()
  if (signal) {
    const { length } = matrix.trials
    process.stderr.write(`sandramp: stopped by ${signal} after ${length} readings\n`)
    return codeOfSignal(signal)
  }
  process.stdout.write(escapeControlChars(matrixText(matrix)))
  const isWritten =
    run.junit === undefined || writeReport('junit', run.junit, readingsJunitText(matrix))
  return isWhollyPassed(matrix) && isWritten ? PASSED : FAILED
}

interface FirstRunResult {
  readonly first: FirstRun
  readonly exchanges: readonly Comparable[]
  readonly assumed: readonly Assumed[]
}

const runFirst = async (
  run: RunOptions,
  scenarios: readonly Scenario[],
): Promise<FirstRunResult | { readonly spoilt: AbortedRun }> => {
  const { hear, text } = outputTail()
  const played = await runInSandbox(run, {
    scenarios,
    begin: () => prepareFile('junit', run.junit),
    hear,
    look: lookAt,
  })
  if ('spoilt' in played) return played
  const { exchanges, assumed } = played.seen
  const relied = assumed.filter(isRelied)
  const settled = relied.filter((it) => it.settled !== null)
  const counts = { relied: relied.length, settled: settled.length, all: assumed.length }
  return { first: { report: played.report, output: text(), ...counts }, exchanges, assumed }
}

const lookAt = async (sandbox: Sandbox) => ({
  exchanges: comparable(exchangesIn(sandbox)),
  assumed: await assumedIn(sandbox),
})

/** The requests to all worlds that the command used. */
const exchangesIn = (sandbox: Sandbox): LoggedExchange[] =>
  usedWorlds(internalsOf(sandbox)).flatMap(({ live }) => live.requests.list().map(showExchange))

/** What all trials have alike. */
interface Common {
  readonly run: RunOptions
  readonly scenarios: readonly Scenario[]
  readonly exchanges: readonly Comparable[]
  readonly progress: Progress
}

/** Runs the command with another reading; undefined when it was interrupted. */
const runWithReading = async (
  { run, scenarios, exchanges, progress }: Common,
  other: Alternative,
): Promise<ReadingRun | undefined> => {
  const name = formatReading(other)
  const { hear, text } = outputTail()
  const env = { SANDRAMP_READING: name }
  const played = await runInSandbox(readingSo(run, name), { scenarios, env, hear, look: lookAt })
  if ('spoilt' in played) {
    if (played.spoilt.kind === 'not_started') throw new UsageError(played.spoilt.why)
    return undefined
  }
  const { report, seen } = played
  progress.done(name, !isPassed(report))
  return {
    ...other,
    report,
    difference: firstDifference(exchanges, seen.exchanges, name),
    isRelied: seen.assumed.some((it) => it.id === other.id && isRelied(it)),
    output: text(),
  }
}

/** The same run with one thing read otherwise. */
const readingSo = (run: RunOptions, reading: string): RunOptions => ({
  ...run,
  port: 0,
  sandbox: { ...run.sandbox, readings: [...otherOptions(run, reading), reading] },
  given: [...run.given, ['reading', reading]],
})

/** What was chosen besides, of other ids. */
const otherOptions = ({ sandbox }: RunOptions, reading: string): string[] => {
  const id = reading.slice(0, reading.indexOf('='))
  return (sandbox.readings ?? []).filter((it) => !it.startsWith(`${id}=`))
}
