import pLimit from 'p-limit'
import { outputTail, progressOn } from '../cli/run/progress.js'
import { explainUncalled } from '../cli/run/report.js'
import type { SweepOptions } from '../cli/run/sweep-flags.js'
import { formatUnknown } from '../lib/app-error.js'
import { UsageError } from '../lib/arguments.js'
import { groupBy } from '../lib/group-by.js'
import { machineClock } from '../lib/machine-clock.js'
import { didYouMean } from '../lib/suggest.js'
import { plural } from '../lib/text.js'
import { findOtherCount, listCalls } from './calls.js'
import { type Cell, cellName, listCells } from './cells.js'
import type { Fault } from './faults.js'
import { type FirstRuns, isDisturbed, type Judged, judge, type Kind, noteConduct } from './judge.js'
import { withoutNumbers } from './payments.js'
import type { SweepResult } from './report.js'
import { type CellLimits, type EndedRun, hasPassed, runCell } from './run-cell.js'

const FIRST_TIMEOUT_MS = 600_000
const MIN_TIMEOUT_MS = 20_000
/** A run that proves nothing, or a finding, is made again at most as often. */
const MAX_REPEATS = 3
const VOID = { findings: [], verdict: 'void' } as const

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
  const isRandom = listPayments(started.first) !== listPayments(started.again)
  const view = (run: EndedRun) => (isRandom ? hideNumbers(run) : run)
  const runs = { first: view(started.first), again: view(started.again) }
  const problem = explainFirstRuns(runs)
  const notes = problem ? [] : runs.first.worlds.flatMap((it) => noteConduct(it, 'refusals'))
  for (const line of problem ? [problem] : notes.map((note) => `the first run passes with ${note}`))
    process.stderr.write(`sandramp: ${line}\n`)
  if (problem) return undefined
  const limits = limitsFrom(options, runs.first)
  const unsafe = await explainUnsafe(options, faults, runs, limits)
  if (unsafe) notes.push(`not tried: crash, because ${unsafe}`)
  const tried = faults.filter(({ kills }) => !kills || !unsafe)
  const all = chooseCells(options, runs, tried)
  progress.start(all.length, plural(all.length, 'cell'))
  const done = new Map<Cell, Judged>()
  let repeats = 0
  const runOne = async (cell: Cell): Promise<void> => {
    const seen: (Kind | undefined)[] = []
    for (let n = 0; n <= MAX_REPEATS && !done.has(cell); n++) {
      const ended = isStopped() ? undefined : await runCell(options.run, cell, limits)
      if (!ended) return
      const judged = judge(cell, view(ended), runs)
      const isVoid = judged.verdict === 'void' || judged.verdict === 'unreached'
      const worst = judged.verdict === 'bad' ? judged.findings[0]?.kind : undefined
      // Load can make a client repeat a call, so a finding counts if it comes twice.
      const isSure = (worst === undefined && n === 0) || seen.includes(worst) || options.only
      if (!isVoid) seen.push(worst)
      if (!isVoid && isSure) done.set(cell, judged)
      else if (n === MAX_REPEATS) done.set(cell, isVoid ? judged : { ...judged, ...VOID })
      else if (isVoid) repeats++
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

/** Twice, since only a second run shows what is stable. */
const runFirst = async ({ run }: SweepOptions): Promise<FirstRuns | undefined> => {
  const timeout_ms = run.timeout?.ms ?? FIRST_TIMEOUT_MS
  const limits = { timeout_ms, maxRequests: Number.POSITIVE_INFINITY }
  for (let n = 0; ; n++) {
    const first = await runCell(run, undefined, limits)
    const again = first && (await runCell(run, undefined, limits))
    if (!again) return undefined
    const isSteady = ![first, again].some(isDisturbed) && !findOtherCount(first, again)
    if (n === MAX_REPEATS || isSteady) return { first, again }
  }
}

const hideNumbers = (run: EndedRun): EndedRun => ({
  ...run,
  worlds: run.worlds.map((it) => ({
    ...{ ...it, paid: withoutNumbers(it.paid), later: withoutNumbers(it.later) },
  })),
})

/** `2 × payout of 1,500.00 NGN to 0690000031 PAYOUT_PROCESSED` */
const listPayments = ({ worlds }: EndedRun): string => {
  const payments = worlds.flatMap(({ name, later }) =>
    later.map(({ what, status }) => `${what} ${status}${name && ` in "${name}"`}`),
  )
  const groups = [...groupBy(payments, (it) => it)].map(([it, same]) => `${same.length} × ${it}`)
  return groups.sort().join(', ') || 'no payment'
}

/** Why the first runs are no measure for others; undefined if they are. */
const explainFirstRuns = ({ first, again }: FirstRuns): string | undefined => {
  const failed = [first, again].find((it) => !hasPassed(it))
  if (failed) {
    const { onOutput, text } = outputTail()
    onOutput(Buffer.from(failed.output))
    return `The command fails without a fault. Mend that first. Its output ends so:\n${text()}`
  }
  if ([first, again].some(isDisturbed))
    return 'The client left a request that no fault held. Give it more patience, or the machine less to do'
  if (first.worlds.every(({ requests }) => requests.length === 0))
    return explainUncalled({ misplaced: first.misplaced, proxy: undefined })
  const single = first.worlds.find(({ name }) => !again.worlds.some((it) => it.name === name))
  if (single) return `Only one of two equal runs used the world "${single.name}"`
  const [one, two] = [listPayments(first), listPayments(again)]
  if (one === two) return undefined
  const call = findOtherCount(first, again) ?? 'the calls are equal'
  return `Two equal runs differ: ${call}; they made ${one}, then ${two}. Draw what varies from SANDRAMP_SEED`
}

const limitsFrom = ({ run, only }: SweepOptions, first: EndedRun): CellLimits => ({
  timeout_ms: run.timeout?.ms ?? Math.max(MIN_TIMEOUT_MS, 10 * first.command_ms),
  maxRequests: 10 * first.worlds.reduce((sum, { requests }) => sum + requests.length, 0) + 100,
  ...(only !== undefined && { onOutput: (chunk: Buffer) => void process.stdout.write(chunk) }),
})

/** Why a second start after a crash proves nothing. Undefined if it resumes the first one, or crash was chosen. */
const explainUnsafe = async (
  { run, only, faults: chosen }: SweepOptions,
  faults: readonly Fault[],
  { first }: FirstRuns,
  limits: CellLimits,
): Promise<string | undefined> => {
  if ((only ?? chosen) !== undefined || !faults.some(({ kills }) => kills)) return undefined
  if (first.worlds.some(({ name }) => name !== '')) return 'each start makes worlds of its own'
  const twice = await runCell(run, undefined, { ...limits, isTwice: true })
  if (!twice || !hasPassed(twice)) return 'a second start fails'
  if (listPayments(twice) === listPayments(first)) return undefined
  return 'a second start pays again. Right for new orders, wrong to resume: see --fault crash'
}

export const unknownName = (kind: string, name: string, all: readonly string[]): UsageError =>
  new UsageError(formatUnknown(kind, name, all.join(', '), didYouMean(name, all)))

const chooseCells = (
  { only }: SweepOptions,
  { first, again }: FirstRuns,
  faults: readonly Fault[],
): Cell[] => {
  const calls = listCalls(first, again)
  const cells = listCells(calls, faults)
  if (only === undefined) return cells
  const [name = ''] = only.split('/')
  const names = calls.map((it) => it.name)
  if (!names.includes(name)) throw unknownName('call', name, names)
  const found = cells.filter(({ call }) => call.name === name)
  if (found.length > 0) return found
  throw new UsageError({ field: '--only', received: only, expected: 'a fault of this operation' })
}

const isStillWaiting = (judged: Judged | undefined): boolean =>
  judged?.ended.exit.kind === 'timed_out' &&
  judged.ended.worlds.some(({ requests }) => requests.at(-1)?.fault !== undefined)
