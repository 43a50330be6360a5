import { openScenarios } from '../scenarios/shipped.js'
import { codeOfSignal, FAILED, PASSED, UNUSABLE } from './exit-codes.js'
import { junitText } from './junit.js'
import { play, type Spoilt } from './play.js'
import { questionsIn, questionsLine } from './questions.js'
import { isPassed, reportText } from './report.js'
import { prepareFile, writeReport } from './report-file.js'
import type { RunOptions } from './run-flags.js'

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
  const written = [
    options.junit === undefined || writeReport('junit', options.junit, junitText(report)),
    !questions || writeReport('report', questions.file, questions.text),
  ]
  return isPassed(report) && written.every(Boolean) ? PASSED : FAILED
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
