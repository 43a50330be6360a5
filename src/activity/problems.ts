import { pluralize } from '../history/format.js'
import { describePaidTwice } from '../history/paid-twice.js'
import { inSlices } from '../lib/slices.js'
import type { Sandbox } from '../runtime/sandbox.js'
import type { LiveWorld } from '../worlds/live-world.js'
import type { WorldQuery } from '../worlds/port.js'
import { currentAudit } from './last-audit.js'
import { oncePerState } from './once-per-state.js'
import { UNDER_WAY } from './record-sentences.js'
import { readSecondPayments } from './second-payments.js'
import type { View } from './view.js'

export interface Problem {
  /** `warn` for what may be wanted. */
  readonly kind: 'bad' | 'warn'
  readonly word: string
  readonly text: string
  /** The ids of the records that it is about; of many unfinished ones none. */
  readonly records: readonly string[]
}

/** The gravest first. Records of the fixtures do not count. */
const findProblems = oncePerState((view: View): readonly Problem[] => {
  const problems: Problem[] = []
  const [violation] = currentAudit(view.live)?.report.violations ?? []
  if (violation !== undefined)
    problems.push({ kind: 'bad', word: 'Audit failed', text: violation, records: [] })
  for (const pair of readSecondPayments(view)) {
    const records = pair.payouts.map(({ id }) => id)
    const text = describePaidTwice(pair, records.length)
    problems.push({ kind: 'bad', word: 'Looks paid twice', text, records })
  }
  const text = listUnfinished(view)
  if (text !== '') problems.push({ kind: 'warn', word: 'Left unfinished', text, records: [] })
  return problems
})

export interface JudgedWorld {
  readonly live: LiveWorld
  readonly problems: readonly Problem[]
}

interface JudgedPage {
  readonly worlds: readonly JudgedWorld[]
  /** On all pages, without the filter `problems`. */
  readonly total: number
  /** How many of them have a bad problem. */
  readonly with_problems: number
  /** Null on a database: records end as time passes. */
  readonly unfinished: number | null
  /** All that are in memory. */
  readonly inMemory: () => Promise<readonly JudgedWorld[]>
}

export const hasBad = ({ problems: [first] }: JudgedWorld): boolean => first?.kind === 'bad'

export const hasUnfinished = ({ problems }: JudgedWorld): boolean =>
  problems.some(({ kind }) => kind === 'warn')

/** One page of all worlds, most recently used first. */
export const listWithProblems = async (
  sandbox: Sandbox,
  query: WorldQuery,
): Promise<JudgedPage> => {
  const judge = (live: LiveWorld) => ({ live, problems: problemsOf(sandbox, live) })
  const judging = sandbox.worlds.judge((it) => hasBad(judge(it)), query.tenants)
  const inMemory = () => inSlices(problemsInMemory(sandbox, query))
  if (!judging) {
    const { page, size, problems } = query
    const all = await inMemory()
    const bad = all.filter(hasBad)
    return {
      worlds: (problems ? bad : all).slice(page * size, (page + 1) * size),
      total: all.length,
      with_problems: bad.length,
      unfinished: all.filter(hasUnfinished).length,
      inMemory: async () => all,
    }
  }
  await judging
  const { records, total, with_problems = 0 } = await sandbox.worlds.loadPage(query)
  await Promise.all(records.map(({ requests }) => requests.update()))
  return { worlds: records.map(judge), total, with_problems, unfinished: null, inMemory }
}

/** The problems of all worlds in memory that a caller sees, most recently used first, in slices. */
function* problemsInMemory(
  sandbox: Sandbox,
  query: Pick<WorldQuery, 'text' | 'name' | 'tenants'>,
): Generator<void, JudgedWorld[]> {
  const { worlds } = sandbox.worlds.listInMemory({ ...query, page: 0, size: Infinity })
  const found = []
  for (const { id } of worlds) {
    const live = sandbox.worlds.find(id)
    if (live) found.push({ live, problems: problemsOf(sandbox, live) })
    yield
  }
  return found
}

const problemsOf = (sandbox: Sandbox, live: LiveWorld): readonly Problem[] =>
  findProblems({ sandbox, live, tables: live.world.tables })

const listUnfinished = ({ sandbox, live, tables }: View): string => {
  const { payouts, transfers, users } = tables
  const { firstOwn } = sandbox.verificationInput(live, live.world)
  const records = [
    ['payout', payouts.list('status', 'PAYOUT_PENDING'), firstOwn('payouts')],
    ['transfer', UNDER_WAY.flatMap((it) => transfers.list('status', it)), firstOwn('transfers')],
    ['user', users.list('status', 'under_review'), firstOwn('users')],
  ] as const
  return records
    .map(([noun, rows, first]) => [noun, rows.filter(({ n }) => n >= first).length] as const)
    .filter(([, count]) => count > 0)
    .map(([noun, count]) => pluralize(count, noun))
    .join(', ')
}
