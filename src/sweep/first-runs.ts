import { outputTail } from '../cli/run/progress.js'
import { explainUncalled, hasExitedWell } from '../cli/run/report.js'
import type { SweepOptions } from '../cli/run/sweep-flags.js'
import { groupBy } from '../lib/group-by.js'
import { findOtherCount } from './calls.js'
import type { Fault } from './faults.js'
import { isDisturbed } from './judge.js'
import { withoutNumbers } from './payments.js'
import { type CellLimits, type EndedRun, type FirstRuns, runCell } from './run-cell.js'

const FIRST_TIMEOUT_MS = 600_000
const MAX_REPEATS = 3

/** Twice, since only a second run shows what is stable. */
export const runFirst = async ({ run }: SweepOptions): Promise<FirstRuns | undefined> => {
  const timeout_ms = run.timeout?.ms ?? FIRST_TIMEOUT_MS
  const limits = { timeout_ms, maxRequests: Number.POSITIVE_INFINITY }
  for (let n = 0; ; n++) {
    const first = await runCell(run, undefined, limits)
    const again = first && (await runCell(run, undefined, limits))
    if (!again) return undefined
    const runs = { first, again }
    const isSteady = ![first, again].some(isDisturbed) && !findOtherCount(runs)
    if (n === MAX_REPEATS || isSteady) return runs
  }
}

/** Payments of commands with random amounts are compared without them. */
export const chooseView = ({ first, again }: FirstRuns): ((run: EndedRun) => EndedRun) => {
  if (listPayments(first) === listPayments(again)) return (run) => run
  return (run) => ({
    ...run,
    worlds: run.worlds.map((it) => ({
      ...{ ...it, paid: withoutNumbers(it.paid), later: withoutNumbers(it.later) },
    })),
  })
}

/** `2 × payout of 1,500.00 NGN to 0690000031 PAYOUT_PROCESSED` */
const listPayments = ({ worlds }: EndedRun): string => {
  const payments = worlds.flatMap(({ name, later }) =>
    later.map(({ what, status }) => `${what} ${status}${name && ` in "${name}"`}`),
  )
  const groups = [...groupBy(payments, (it) => it)].map(([it, same]) => `${same.length} × ${it}`)
  return groups.sort().join(', ') || 'no payment'
}

/** Why the first runs are no measure for others; undefined if they are. */
export const explainFirstRuns = (runs: FirstRuns): string | undefined => {
  const { first, again } = runs
  const failed = [first, again].find(({ exit }) => !hasExitedWell(exit))
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
  if (single) return `Only one of two equal runs used ${single.label || 'the default world'}`
  const [one, two] = [listPayments(first), listPayments(again)]
  if (one === two) return undefined
  const call = findOtherCount(runs) ?? 'the calls are equal'
  return `Two equal runs differ: ${call}; they made ${one}, then ${two}. Draw what varies from SANDRAMP_SEED`
}

/** Why a second start after a crash proves nothing. Undefined if it resumes the first one, or crash was chosen. */
export const explainUnsafe = async (
  { run, only, faults: chosen }: SweepOptions,
  faults: readonly Fault[],
  { first }: FirstRuns,
  limits: CellLimits,
): Promise<string | undefined> => {
  if ((only ?? chosen) !== undefined || !faults.some(({ kills }) => kills)) return undefined
  if (first.worlds.some(({ name }) => name !== '')) return 'each start makes worlds of its own'
  const twice = await runCell(run, undefined, { ...limits, isTwice: true })
  if (!twice || !hasExitedWell(twice.exit)) return 'a second start fails'
  if (listPayments(twice) === listPayments(first)) return undefined
  return 'a second start pays again. Wrong if it resumes: --fault crash shows it'
}
