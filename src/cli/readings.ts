import { machineClock } from '../clock.js'
import { coreOf } from '../core-of.js'
import { type LoggedExchange, showExchange } from '../exchanges/exchange.js'
import type { Sandbox } from '../index.js'
import type { Scenario } from '../scenarios/read.js'
import { openScenarios } from '../scenarios/shipped.js'
import { printable } from '../terminal.js'
import {
  type Alternative,
  type Assumed,
  alternativesTo,
  assumedIn,
  isRelied,
} from './alternatives.js'
import { UsageError } from './arguments.js'
import { codeOfSignal, FAILED, PASSED } from './exit-codes.js'
import { type Comparable, comparable, firstDifference } from './first-difference.js'
import {
  type FirstRun,
  isWhollyPassed,
  type Matrix,
  matrixText,
  nameOf,
  type Trial,
} from './matrix.js'
import { lastLines } from './output.js'
import { play, type Spoilt } from './play.js'
import { inParallel } from './pool.js'
import { type Progress, progressOn } from './progress.js'
import type { ReadingsOptions } from './readings-flags.js'
import { readingsJunitText } from './readings-junit.js'
import { isPassed } from './report.js'
import { assertApart, assertReport, prepareFile, writeReport } from './report-file.js'
import { filesRead, spoiltCode } from './run.js'
import type { RunOptions } from './run-flags.js'
import { type Heed, heedSignals } from './signals.js'
import { usedWorlds } from './used-worlds.js'

/**
 * Runs a command with the readings as they are, then once for each other reading of what it relied on, each
 * against a sandbox of its own, and tells which ones it survives. Gives the exit code.
 */
export const readings = async ({ run, isAll, jobs }: ReadingsOptions): Promise<number> => {
  const scenarios = openScenarios(run.scenarios)
  assertApart('junit', run.junit, filesRead(run, scenarios))
  assertReport('junit', run.junit)
  const progress = progressOn(process.stderr)
  const heed = heedSignals(jobs)
  const began = machineClock()
  progress.start(0, 'the first run, with the readings as they are')
  const begun = await playFirst(run, scenarios)
  if ('spoilt' in begun) {
    progress.end()
    return spoiltCode(begun.spoilt)
  }
  const { first, exchanges, assumed } = begun
  const others = isPassed(first.report) ? alternativesTo(assumed, isAll) : []
  if (others.length > 0) progress.start(others.length, `other readings: ${others.length}`)
  const common = { run, scenarios, exchanges, progress }
  const isStopped = () => heed.signal() !== undefined
  const trials = await inParallel(others, jobs, (other) => tryReading(common, other), isStopped)
  progress.end()
  return conclude(run, heed, {
    first,
    trials: trials.filter(isThere),
    duration_ms: machineClock() - began,
  })
}

const isThere = <T>(it: T | undefined): it is T => it !== undefined

const conclude = (run: RunOptions, heed: Heed, matrix: Matrix): number => {
  heed.done()
  const signal = heed.signal()
  if (signal) {
    const { length } = matrix.trials
    process.stderr.write(
      `sandramp: ${signal} came; all commands have ended, ${length} readings were run\n`,
    )
    return codeOfSignal(signal)
  }
  process.stdout.write(printable(matrixText(matrix)))
  const isWritten =
    run.junit === undefined || writeReport('junit', run.junit, readingsJunitText(matrix))
  return isWhollyPassed(matrix) && isWritten ? PASSED : FAILED
}

interface Begun {
  readonly first: FirstRun
  readonly exchanges: readonly Comparable[]
  readonly assumed: readonly Assumed[]
}

const playFirst = async (
  run: RunOptions,
  scenarios: readonly Scenario[],
): Promise<Begun | { readonly spoilt: Spoilt }> => {
  const { hear, text } = lastLines()
  const played = await play(run, {
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
  usedWorlds(coreOf(sandbox)).flatMap(({ line }) => line.requests.list().map(showExchange))

/** What all trials have alike. */
interface Common {
  readonly run: RunOptions
  readonly scenarios: readonly Scenario[]
  readonly exchanges: readonly Comparable[]
  readonly progress: Progress
}

/** Runs the command with another reading; undefined when it was interrupted. */
const tryReading = async (
  { run, scenarios, exchanges, progress }: Common,
  other: Alternative,
): Promise<Trial | undefined> => {
  const name = nameOf(other)
  const { hear, text } = lastLines()
  const env = { SANDRAMP_READING: name }
  const played = await play(readingSo(run, name), { scenarios, env, hear, look: lookAt })
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
  sandbox: { ...run.sandbox, readings: [...othersOf(run, reading), reading] },
  given: [...run.given, ['reading', reading]],
})

/** What was chosen besides, of other ids. */
const othersOf = ({ sandbox }: RunOptions, reading: string): string[] => {
  const id = reading.slice(0, reading.indexOf('='))
  return (sandbox.readings ?? []).filter((it) => !it.startsWith(`${id}=`))
}
