import { type AuditReport, audit, auditing } from '../domain/audit.js'
import type { LiveWorld } from '../runtime/live-world.js'
import type { PageContext } from './page-context.js'

/** The result of an audit, and the last entry that it covers. */
export interface LedgerAudit {
  readonly report: AuditReport
  readonly seq: number
}

const newest = new WeakMap<LiveWorld, LedgerAudit>()

/** Longer ledgers are audited on their own page. */
const MAX_AUDITED = 200

/** The last audit, or a new one of a short ledger that has changed. */
export const currentAudit = (live: LiveWorld): LedgerAudit | undefined => {
  const known = newest.get(live)
  const { tables } = live.world
  const isNew = known?.seq === live.journal.newest
  if (isNew || tables.ledger.size > MAX_AUDITED) return known
  return keep(live, { report: audit(tables), seq: live.journal.newest })
}

/** For ledgers of any length. Requests to the world wait until the audit is done. */
export const runAuditInSlices = async ({ live }: PageContext): Promise<LedgerAudit> => {
  const proof = await live.readInSlices(function* ({ tables, seq }) {
    return { report: yield* auditing(tables), seq }
  })
  return keep(live, proof)
}

const keep = (live: LiveWorld, proof: LedgerAudit): LedgerAudit => {
  newest.set(live, proof)
  return proof
}

/** Undefined before the first audit. */
export const lastAudit = ({ live }: PageContext): LedgerAudit | undefined => newest.get(live)
