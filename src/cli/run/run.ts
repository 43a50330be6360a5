import { escapeControlChars } from '../../lib/ansi.js'
import { openScenarios } from '../../scenarios/language/bundled.js'
import type { Scenario } from '../../scenarios/language/parse-scenario.js'
import { codeOfSignal, FAILED, MISSED, PASSED, UNUSABLE } from '../exit-codes.js'
import { questionsIn, questionsLine } from '../questions.js'
import { junitText } from './junit.js'
import { isPassed, isSound, type RunReport, reportText } from './report.js'
import {
  assertApart,
  assertReport,
  prepareFile,
  type UsedFile,
  writeReport,
} from './report-file.js'
import type { RunOptions } from './run-flags.js'
import { type AbortedRun, runInSandbox } from './run-in-sandbox.js'

/** Runs a command against a sandbox that plays scenarios, then checks what they expect. Gives the exit code. */
export const run = async (options: RunOptions): Promise<number> => {
  const scenarios = openScenarios(options.scenarios)
  const { junit, report: questionsFile } = options
  const read = filesRead(options, scenarios)
  assertApart('junit', junit, read)
  const written = junit === undefined ? [] : [{ file: junit, is: 'the file of --junit' }]
  assertApart('report', questionsFile?.file, [...read, ...written])
  assertReport('junit', junit)
  assertReport('report', questionsFile?.file)
  const played = await runInSandbox(options, {
    scenarios,
    begin: () => {
      prepareFile('junit', junit)
      prepareFile('report', questionsFile?.file)
    },
    look: (sandbox) => options.report && questionsIn(sandbox, options.report),
  })
  if ('spoilt' in played) return exitCodeForAbort(played.spoilt)
  const { report, seen: questions } = played
  process.stdout.write(
    escapeControlChars(reportText(report, questions && questionsLine(questions))),
  )
  const isWritten = [
    junit === undefined || writeReport('junit', junit, junitText(report)),
    !questions || writeReport('report', questions.file, questions.text),
  ]
  return isWritten.every(Boolean) ? toExitCode(report) : FAILED
}

const toExitCode = (report: RunReport): number => {
  if (!isSound(report)) return FAILED
  return isPassed(report) ? PASSED : MISSED
}

/** The files that a run reads: none of them may be lost to a report. */
export const filesRead = (
  { sandbox: { readingsFile } }: RunOptions,
  scenarios: readonly Scenario[],
): UsedFile[] => [
  ...scenarios.flatMap(({ name, file }) =>
    file === undefined ? [] : [{ file, is: `the scenario ${name}` }],
  ),
  ...(readingsFile === undefined ? [] : [{ file: readingsFile, is: 'the file of --readings' }]),
]

/** Says why nothing was checked, and gives the exit code that goes with it. */
export const exitCodeForAbort = (spoilt: AbortedRun): number => {
  if (spoilt.kind === 'not_started') {
    process.stderr.write(`sandramp: ${escapeControlChars(spoilt.why)}\n`)
    return UNUSABLE
  }
  const { signal } = spoilt
  process.stderr.write(`sandramp: stopped by ${signal}; no expectation was checked\n`)
  return codeOfSignal(signal)
}
