import { createHash } from 'node:crypto'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { codeOfSignal, FAILED, handleSignals, MISSED, PASSED } from '../cli/exit.js'
import { withFlagNames } from '../cli/flag-errors.js'
import { print } from '../cli/print.js'
import { assertStartable } from '../cli/run/child-process.js'
import { prepareReports, writeReport } from '../cli/run/report-file.js'
import { readSweepOptions, type SweepOptions } from '../cli/run/sweep-flags.js'
import { type Arguments, UsageError } from '../lib/arguments.js'
import { plural } from '../lib/text.js'
import { writeYaml } from '../lib/yaml/write.js'
import { LockedError, lock } from '../worlds/file/lock.js'
import { toScenario } from './cells.js'
import { FAULTS, type Fault } from './faults.js'
import type { Judged } from './judge.js'
import { reportText, type SweepResult, tellStory, verdictLine } from './report.js'
import { htmlText, sweepJunitText } from './report-files.js'
import { runSweep, unknownName } from './run-sweep.js'

export const sweepCommand = (given: Arguments): Promise<number> =>
  withFlagNames(given, () => sweep(readSweepOptions(given)))

/** Runs a command as it is, then once per call and fault, each time in its own sandbox. Returns the exit code. */
const sweep = async (options: SweepOptions): Promise<number> => {
  const faults = chooseFaults(options)
  assertStartable(options.run)
  const reports = [
    { flag: 'report', file: options.report },
    { flag: 'junit', file: options.run.junit },
  ] as const
  const release = await lockCommand(options)
  const signals = handleSignals(options.jobs + 1)
  try {
    if (!prepareReports(reports)) return FAILED
    const result = await runSweep(options, faults, () => signals.signal() !== undefined)
    const signal = signals.signal()
    const judged = result?.cells.length ?? 0
    if (signal) {
      const all = judged + (result?.untried.length ?? 0)
      process.stderr.write(
        `sandramp: stopped by ${signal}; ${judged} of ${plural(all, 'cell')} judged\n`,
      )
    }
    if (!result || (signal && judged === 0)) return signal ? codeOfSignal(signal) : MISSED
    print(options.only ? onlyText(result) : reportText(result))
    const isWritten = [
      writeReport(reports[0], options.report ? htmlText(result) : ''),
      writeReport(reports[1], sweepJunitText(result)),
    ]
    if (signal) return codeOfSignal(signal)
    return isWritten.every(Boolean) ? toExitCode(result.cells) : FAILED
  } finally {
    signals.done()
    await release()
  }
}

const chooseFaults = ({ faults, only }: SweepOptions): readonly Fault[] => {
  const names = only === undefined ? faults : [only.split('/')[1] ?? '']
  const all = FAULTS.map(({ name }) => name)
  for (const name of names ?? []) if (!all.includes(name)) throw unknownName('fault', name, all)
  return names ? FAULTS.filter(({ name }) => names.includes(name)) : FAULTS
}

/** Two sweeps of one command share its files. */
const lockCommand = async ({ run }: SweepOptions): Promise<() => Promise<void>> => {
  const id = createHash('sha256')
    .update(JSON.stringify([process.cwd(), run.command]))
    .digest('hex')
  try {
    return await lock(join(tmpdir(), `sandramp-sweep-${id.slice(0, 16)}`), 'the command')
  } catch (error) {
    if (!(error instanceof LockedError)) throw error
    throw new UsageError({ problem: 'Another sweep runs this command', expected: 'one at a time' })
  }
}

const onlyText = (result: SweepResult): string => {
  const [judged] = result.cells
  if (!judged) return `${result.notes.join('\n')}\n`
  const yaml = writeYaml(toScenario(judged.cell))
  const lines = ['', ...tellStory(result, judged), '', 'for sandramp run:', '', yaml.trimEnd()]
  return [...lines, '', verdictLine(result.cells), ''].join('\n')
}

/** A share of cells without a verdict above this proves too little. */
const MAX_UNJUDGED = 0.05

const toExitCode = (cells: readonly Judged[]): number => {
  if (cells.some(({ verdict }) => verdict === 'bad')) return FAILED
  const unjudged = cells.filter(({ verdict }) => verdict === 'void' || verdict === 'unreached')
  if (unjudged.length <= cells.length * MAX_UNJUDGED) return PASSED
  process.stderr.write(
    `sandramp: ${unjudged.length} of ${plural(cells.length, 'cell')} void or not reached, which proves too little\n`,
  )
  return MISSED
}
