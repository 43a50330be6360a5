import pLimit from 'p-limit'
import { progressOn } from '../cli/run/progress.js'
import type { SweepOptions } from '../cli/run/sweep-flags.js'
import { formatDuration } from '../history/format.js'
import { formatUnknown } from '../lib/app-error.js'
import { UsageError } from '../lib/arguments.js'
import { machineClock } from '../lib/machine-clock.js'
import { didYouMean } from '../lib/suggest.js'
import { plural } from '../lib/text.js'
import { listCalls } from './calls.js'
import { type Cell, cellName, listCells } from './cells.js'
import type { Fault } from './faults.js'
import { chooseView, explainFirstRuns, explainUnsafe, runFirst } from './first-runs.js'
import { type Judged, judge, type Kind, noteConduct } from './judge.js'
import type { SweepResult } from './report.js'
import { type CellLimits, type EndedRun, type FirstRuns, runCell } from './run-cell.js'

const MIN_TIMEOUT_MS = 20_000
/** A run that proves nothing, or a finding, is made again at most as often. */
const MAX_REPEATS = 3

/** Undefined if a signal stopped it, or the first runs are no measure. */
export const runSweep = async (
  options: SweepOptions,
  faults: readonly Fault[],
  isStopped: () => boolean,
): Promise<SweepResult | undefined> => {
  const startedAt = machineClock()
  const progress = progressOn(process.stderr)
  progress.start(0, 'first run, twice')
  const started = await runFirst(options)
  progress.end()
  if (!started || isStopped()) return undefined
  const view = chooseView(started)
  const runs = { first: view(started.first), again: view(started.again) }
  const problem = explainFirstRuns(runs)
  const notes = problem ? [] : runs.first.worlds.flatMap((it) => noteConduct(it, 'refusals'))
  for (const line of problem ? [problem] : notes.map((note) => `the first run passes with ${note}`))
    process.stderr.write(`sandramp: ${line}\n`)
  if (problem) return undefined
  const limits = limitsFrom(options, runs.first)
  const unsafe = await explainUnsafe(options, faults, runs, limits)
  if (unsafe) notes.push(`not tried: crash, because ${unsafe}`)
  const all = chooseCells(
    options,
    runs,
    faults.filter(({ kills }) => !kills || !unsafe),
  )
  const estimate_ms = (all.length * runs.first.command_ms) / options.jobs
  progress.start(
    all.length,
    `${plural(all.length, 'cell')}, about ${formatDuration(Math.ceil(estimate_ms / 1_000) * 1_000)}`,
  )
  const done = new Map<Cell, Judged>()
  let repeats = 0
  const runOne = async (cell: Cell): Promise<void> => {
    const seen: (Kind | undefined)[] = []
    for (let n = 0; n <= MAX_REPEATS && !done.has(cell); n++) {
      const ended = isStopped() ? undefined : await runCell(options.run, cell, limits)
      if (!ended) return
      const judged = judge(cell, view(ended), runs)
      const isProof = judged.verdict !== 'void' && judged.verdict !== 'unreached'
      const [finding] = judged.findings
      // It may have run until the time limit.
      const worst = finding?.kind === 'unsure' ? undefined : finding?.kind
      // Load can make a client repeat a call, so a finding counts if it comes twice.
      const isSure = (worst === undefined && n === 0) || seen.includes(worst) || options.only
      if (isProof) seen.push(worst)
      else repeats++
      if (isProof && isSure) done.set(cell, judged)
      else if (n === MAX_REPEATS)
        done.set(cell, isProof ? { ...judged, findings: [], verdict: 'void' } : judged)
    }
    progress.done(cellName(cell), done.get(cell)?.verdict === 'bad')
  }
  const runAll = (cells: readonly Cell[]) => pLimit(options.jobs).map([...cells], runOne)
  // Only the client's own patience ends these runs.
  const [probe, ...waiting] = all.filter(({ fault }) => fault.waits)
  await runAll([...(probe ? [probe] : []), ...all.filter(({ fault }) => !fault.waits)])
  if (probe && isStillWaiting(done.get(probe))) {
    done.delete(probe)
    const limit_s = limits.timeout_ms / 1_000
    notes.push(`not tried: timeout, because the client waits longer than ${limit_s} s`)
  } else await runAll(waiting)
  progress.end()
  if (repeats > 0)
    notes.push(`made again: ${plural(repeats, 'run')} that load disturbed or that missed the call`)
  return {
    ...{ options, runs, notes },
    cells: all.flatMap((cell) => done.get(cell) ?? []),
    untried: all.filter((cell) => !done.has(cell)),
    duration_ms: machineClock() - startedAt,
  }
}

const limitsFrom = ({ run, only }: SweepOptions, first: EndedRun): CellLimits => ({
  timeout_ms: run.timeout?.ms ?? Math.max(MIN_TIMEOUT_MS, 10 * first.command_ms),
  maxRequests: 10 * first.worlds.reduce((sum, { requests }) => sum + requests.length, 0) + 100,
  ...(only !== undefined && { onOutput: (chunk: Buffer) => void process.stdout.write(chunk) }),
})

export const unknownName = (kind: string, name: string, all: readonly string[]): UsageError =>
  new UsageError(formatUnknown(kind, name, all.join(', '), didYouMean(name, all)))

const chooseCells = ({ only }: SweepOptions, runs: FirstRuns, faults: readonly Fault[]): Cell[] => {
  const calls = listCalls(runs)
  const [name = ''] = only?.split('/') ?? []
  const names = calls.map((it) => it.name)
  if (only !== undefined && !names.includes(name)) throw unknownName('call', name, names)
  const chosen = only === undefined ? calls : calls.filter((it) => it.name === name)
  const cells = listCells(chosen, faults)
  if (cells.length > 0 || only === undefined) return cells
  throw new UsageError({ field: '--only', received: only, expected: 'a fault of this operation' })
}

const isStillWaiting = (judged: Judged | undefined): boolean =>
  judged?.ended.exit.kind === 'timed_out' &&
  judged.ended.worlds.some(({ requests }) => (requests.at(-1)?.fault ?? null) !== null)
