import { escapeControlChars } from '../../lib/ansi.js'
import { openScenarios } from '../../scenarios/language/bundled.js'
import type { Scenario } from '../../scenarios/language/parse-scenario.js'
import { codeOfSignal, FAILED, UNUSABLE } from '../exit-codes.js'
import { buildQuestions, formatQuestions } from '../questions.js'
import { junitText } from './junit.js'
import { reportText, toExitCode } from './report.js'
import {
  assertApart,
  assertOverwritable,
  prepareFile,
  type UsedFile,
  writeReport,
} from './report-file.js'
import type { RunOptions } from './run-flags.js'
import { type AbortedRun, runInSandbox } from './run-in-sandbox.js'

/** Runs a command against a sandbox with scenarios, then verifies their expectations. Returns the exit code. */
export const run = async (options: RunOptions): Promise<number> => {
  const scenarios = openScenarios(options.scenarios)
  const { junit, questionsFile } = options
  const read = filesRead(options, scenarios)
  assertApart('junit', junit, read)
  const written = junit === undefined ? [] : [{ file: junit, is: 'the file of --junit' }]
  assertApart('report', questionsFile?.file, [...read, ...written])
  assertOverwritable('junit', junit)
  assertOverwritable('report', questionsFile?.file)
  const result = await runInSandbox(options, {
    scenarios,
    beforeStart: () => {
      prepareFile('junit', junit)
      prepareFile('report', questionsFile?.file)
    },
    inspect: (sandbox) => questionsFile && buildQuestions(sandbox, questionsFile),
  })
  if ('aborted' in result) return reportAbort(result.aborted)
  const { report, inspected: questions } = result
  process.stdout.write(
    escapeControlChars(reportText(report, questions && formatQuestions(questions))),
  )
  const isWritten = [
    junit === undefined || writeReport('junit', junit, junitText(report)),
    !questions || writeReport('report', questions.file, questions.text),
  ]
  return isWritten.every(Boolean) ? toExitCode([report]) : FAILED
}

/** Input files, which no report may overwrite. */
export const filesRead = (
  { sandbox: { readingsFile } }: RunOptions,
  scenarios: readonly Scenario[],
): UsedFile[] => [
  ...scenarios.flatMap(({ name, file }) =>
    file === undefined ? [] : [{ file, is: `the scenario ${name}` }],
  ),
  ...(readingsFile === undefined ? [] : [{ file: readingsFile, is: 'the file of --readings' }]),
]

/** Prints why nothing was checked and returns the exit code. */
export const reportAbort = (aborted: AbortedRun): number => {
  if (aborted.kind === 'not_started') {
    process.stderr.write(`sandramp: ${escapeControlChars(aborted.why)}\n`)
    return UNUSABLE
  }
  const { signal } = aborted
  process.stderr.write(`sandramp: stopped by ${signal}; no expectation was checked\n`)
  return codeOfSignal(signal)
}
