import { type Payout, TRANSFER_STATUSES } from '../domain/schema.js'
import { parseInstant } from '../kernel/time.js'
import type { LiveWorld } from '../runtime/live-world.js'
import type { Sandbox } from '../runtime/sandbox.js'
import type { LikePayouts, WorldFindings } from './control-sentences.js'
import { currentAudit } from './ledger-audit.js'
import { isDone, isFailed } from './sentences.js'

const known = new WeakMap<LiveWorld, { readonly seq: number; readonly findings: WorldFindings }>()

/** Kept until the world changes. Records of the fixtures do not count. */
export const findProblems = (sandbox: Sandbox, live: LiveWorld): WorldFindings => {
  const seq = live.journal.newest
  const kept = known.get(live)
  if (kept?.seq === seq) return kept.findings
  const { payouts, transfers, users } = live.world.tables
  const { firstOwn } = sandbox.verificationInput(live, live.world)
  const counts = [
    ['payout', payouts.list('status', 'PAYOUT_PENDING'), firstOwn('payouts')],
    ['transfer', UNDER_WAY.flatMap((it) => transfers.list('status', it)), firstOwn('transfers')],
    ['user', users.list('status', 'under_review'), firstOwn('users')],
  ] as const
  const findings = {
    violations: currentAudit(live)?.report.violations ?? [],
    alike: findAlike(payouts.page('all', '', 0, MAX_COMPARED)),
    unfinished: counts
      .map(([noun, rows, first]) => [noun, rows.filter(({ n }) => n >= first).length] as const)
      .filter(([, count]) => count > 0),
  }
  known.set(live, { seq, findings })
  return findings
}

/** The newest payouts, which are compared with each other. */
const MAX_COMPARED = 1_000

const UNDER_WAY = TRANSFER_STATUSES.filter((it) => !isDone(it) && !isFailed(it))

/** Payouts of one amount to one account under different ids of the client. */
const findAlike = (payouts: readonly Payout[]): LikePayouts | undefined => {
  const groups = new Map<string, Payout[]>()
  let largest: readonly Payout[] = []
  for (const payout of payouts) {
    if (isFailed(payout.status)) continue
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
