import { type AuditReport, audit, auditing } from '../domain/audit.js'
import type { LiveWorld } from '../runtime/live-world.js'
import type { PageContext } from './page-context.js'

/** What was found when a ledger was added up, and at which entry of its world that was. */
export interface LedgerAudit {
  readonly report: AuditReport
  readonly seq: number
}

const newest = new WeakMap<LiveWorld, LedgerAudit>()

/** Adds up a short ledger anew. */
export const runAudit = ({ live, tables }: PageContext): LedgerAudit =>
  keep(live, { report: audit(tables), seq: live.journal.newest })

/** Adds up a ledger of any length anew, in slices: requests of its world wait until that is done. */
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

/** What was found last; undefined when nobody has asked yet. */
export const lastAudit = ({ live }: PageContext): LedgerAudit | undefined => newest.get(live)
