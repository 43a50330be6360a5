import { pluralize } from '../history/format.js'
import { describePaidTwice } from '../history/paid-twice.js'
import type { Sandbox } from '../runtime/sandbox.js'
import type { WorldQuery } from '../worlds/port.js'
import type { WorldHandle } from '../worlds/registry.js'
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
    const records = [pair.of.id, pair.payout.id]
    problems.push({ kind: 'bad', word: 'Looks paid twice', text: describePaidTwice(pair), records })
  }
  const text = listUnfinished(view)
  if (text !== '') problems.push({ kind: 'warn', word: 'Left unfinished', text, records: [] })
  return problems
})

/** The problems of all worlds in memory that a caller sees, most recently used first, in slices. */
export function* problemsInMemory(
  sandbox: Sandbox,
  query: Pick<WorldQuery, 'text' | 'name' | 'tenants'>,
): Generator<void, { readonly handle: WorldHandle; readonly problems: readonly Problem[] }[]> {
  const { worlds } = sandbox.worlds.listInMemory({ ...query, page: 0, size: Infinity })
  const found = []
  for (const { id } of worlds) {
    const handle = sandbox.worlds.find(id)
    if (handle) found.push({ handle, problems: problemsOf(sandbox, handle) })
    yield
  }
  return found
}

export const problemsOf = (sandbox: Sandbox, { live }: WorldHandle): readonly Problem[] =>
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
