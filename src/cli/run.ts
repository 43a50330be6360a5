import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { whyRefused } from '../file-error.js'
import { openScenarios } from '../scenarios/shipped.js'
import { UsageError } from './arguments.js'
import { codeOfSignal } from './child.js'
import { junitText } from './junit.js'
import { play, type Spoilt } from './play.js'
import { questionsIn, questionsLine } from './questions.js'
import { isPassed, reportText } from './report.js'
import type { RunOptions } from './run-flags.js'

export const PASSED = 0
export const FAILED = 1
const UNUSABLE = 2

/** Runs a command against a sandbox that plays scenarios, then checks what they expect. Gives the exit code. */
export const run = async (options: RunOptions): Promise<number> => {
  const scenarios = openScenarios(options.scenarios)
  prepareFile('junit', options.junit)
  prepareFile('report', options.report?.file)
  const played = await play(options, {
    scenarios,
    look: (sandbox) => options.report && questionsIn(sandbox, options.report),
  })
  if ('spoilt' in played) return spoiltCode(played.spoilt)
  const { report, seen: questions } = played
  process.stdout.write(reportText(report, questions && questionsLine(questions)))
  if (options.junit !== undefined) writeFileSync(options.junit, junitText(report))
  if (questions) writeFileSync(questions.file, questions.text)
  return isPassed(report) ? PASSED : FAILED
}

/** Says why nothing was checked, and gives the exit code that goes with it. */
export const spoiltCode = (spoilt: Spoilt): number => {
  if (spoilt.kind === 'not_started') {
    process.stderr.write(`sandramp: ${spoilt.why}\n`)
    return UNUSABLE
  }
  const { signal } = spoilt
  process.stderr.write(`sandramp: ${signal} came; the command has ended, nothing was checked\n`)
  return codeOfSignal(signal)
}

/** Makes sure that a report can be written, before anybody waits for it. */
export const prepareFile = (flag: string, file: string | undefined): void => {
  if (file === undefined) return
  try {
    mkdirSync(dirname(file), { recursive: true })
    // An older report must not be taken for this run's.
    writeFileSync(file, '')
    rmSync(file)
  } catch (error) {
    throw new UsageError(
      `--${flag}: ${file} cannot be written: ${whyRefused(error)}; accepted: the path of a file, which is made anew`,
    )
  }
}
