import { codeOfSignal, FAILED } from '../exit.js'
import { print } from '../print.js'
import { buildQuestions, formatQuestions } from '../questions.js'
import { assertStartable } from './child-process.js'
import { junitText } from './junit.js'
import { reportText, toExitCode } from './report.js'
import { prepareReports, writeReport } from './report-file.js'
import type { RunOptions } from './run-flags.js'
import { readScenarios, runInSandbox } from './run-in-sandbox.js'

/** Runs a command against a sandbox with scenarios, then verifies their expectations. Returns the exit code. */
export const run = async (options: RunOptions): Promise<number> => {
  const scenarios = readScenarios(options.scenarios)
  const { questionsFile } = options
  const junitReport = { flag: 'junit', file: options.junit } as const
  const questionsReport = { flag: 'report', file: questionsFile?.file } as const
  assertStartable(options)
  if (!prepareReports([junitReport, questionsReport])) return FAILED
  const result = await runInSandbox(options, {
    scenarios,
    inspect: (sandbox) => questionsFile && buildQuestions(sandbox, questionsFile),
  })
  if ('stoppedBy' in result) return reportStop(result.stoppedBy)
  const { report, inspected: questions } = result
  print(reportText(report, questions && formatQuestions(questions)))
  const isWritten = [
    writeReport(junitReport, junitText(report)),
    !questions || writeReport(questionsReport, questions.text),
  ]
  return isWritten.every(Boolean) ? toExitCode([report]) : FAILED
}

/** Prints that nothing was checked and returns the exit code. */
export const reportStop = (signal: NodeJS.Signals): number => {
  process.stderr.write(`sandramp: stopped by ${signal}; no expectation was checked\n`)
  return codeOfSignal(signal)
}
