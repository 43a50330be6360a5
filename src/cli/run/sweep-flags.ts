import { type Arguments, type Flag, findText, UsageError } from '../../lib/arguments.js'
import { assertExtension } from './report-file.js'
import { type RunOptions, readJobs, runFlags, toRunOptions } from './run-flags.js'

const { each: _, suite: __, 'allow-idle': ___, port: ____, log: _____, ...common } = runFlags

export const sweepFlags: Readonly<Record<string, Flag>> = {
  ...common,
  only: { value: '<call/fault>', help: 'run one cell, such as createPayout.1/lost-answer' },
  fault: { value: '<name>', help: 'try only these faults (all)', repeatable: true },
  jobs: { value: '<number>', help: 'maximum number of parallel cells (the number of cores)' },
  timeout: {
    value: '<duration>',
    help: 'stop a run of the command after this time (ten times the first run, at least 20s)',
  },
  report: { value: '<file>', help: 'write the matrix and the stories, as .html' },
}

export interface SweepOptions {
  readonly run: RunOptions
  readonly jobs: number
  /** Names of faults; undefined for all. */
  readonly faults: readonly string[] | undefined
  /** The name of a cell. */
  readonly only: string | undefined
  readonly report: string | undefined
}

export const readSweepOptions = (args: Arguments): SweepOptions => {
  const [word] = args.words
  if (word !== undefined)
    throw new UsageError({ field: 'argument', received: word, expected: 'none before --' })
  const report = findText(args, 'report')
  if (report !== undefined) assertExtension('report', report, ['.html'])
  const flags = new Map([...args.flags].filter(([name]) => name !== 'report'))
  const run = toRunOptions({ ...args, flags }, 'sandramp sweep [flags] -- <command…>')
  const seeds = (flags.get('seed') ?? []).map((seed) => ['seed', seed] as const)
  return {
    run: { ...run, repeatedFlags: [...run.repeatedFlags, ...seeds] },
    jobs: readJobs(args),
    faults: flags.get('fault')?.map(String),
    only: findText(args, 'only'),
    report,
  }
}
