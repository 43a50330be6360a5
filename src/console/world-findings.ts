import type { Payout } from '../domain/schema.js'
import { parseInstant } from '../kernel/time.js'
import type { LiveWorld } from '../runtime/live-world.js'
import type { LikePayouts, WorldFindings } from './control-sentences.js'
import { currentAudit } from './ledger-audit.js'
import { isDone, isFailed } from './sentences.js'

const known = new WeakMap<LiveWorld, { readonly seq: number; readonly findings: WorldFindings }>()

/** Kept until the world changes. Records of the fixtures do not count. */
export const findProblems = (live: LiveWorld): WorldFindings => {
  const seq = live.journal.newest
  const kept = known.get(live)
  if (kept?.seq === seq) return kept.findings
  const { payouts, transfers, users } = live.world.tables
  const paid = payouts.own().records
  const isUnderWay = ({ status }: { readonly status: string }) =>
    !isDone(status) && !isFailed(status)
  const counts = [
    ['payout', paid.filter(isUnderWay).length],
    ['transfer', transfers.own().records.filter(isUnderWay).length],
    ['user', users.own().records.filter(({ status }) => status === 'under_review').length],
  ] as const
  const findings = {
    violations: currentAudit(live)?.report.violations ?? [],
    alike: findAlike(paid.filter(({ status }) => !isFailed(status))),
    unfinished: counts.filter(([, count]) => count > 0),
  }
  known.set(live, { seq, findings })
  return findings
}

/** Payouts of one amount to one account under different ids of the client. */
const findAlike = (payouts: readonly Payout[]): LikePayouts | undefined => {
  const groups = new Map<string, Payout[]>()
  let largest: readonly Payout[] = []
  for (const payout of payouts) {
    const { user_id, amount, currency, account_details: to } = payout
    const key = [user_id, amount, currency, to.bank_name, to.recipient_account_number].join('\n')
    const group = groups.get(key) ?? []
    groups.set(key, group)
    group.push(payout)
    if (group.length > largest.length) largest = group
  }
  const [first] = largest
  if (!first || largest.length < 2) return undefined
  let [from, to] = [Number.POSITIVE_INFINITY, 0]
  for (const { created_at } of largest) {
    const at = parseInstant(created_at)
    from = Math.min(from, at)
    to = Math.max(to, at)
  }
  const { amount, currency } = first
  return { count: largest.length, amount, currency, apart_ms: to - from }
}
