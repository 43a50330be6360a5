import { type AuditReport, audit, auditing } from '../domain/audit.js'
import { goesBack } from '../history/lineage.js'
import type { LiveWorld } from '../worlds/live-world.js'

/** The result of an audit, and the last entry that it covers. */
export interface LedgerAudit {
  readonly report: AuditReport
  readonly seq: number
}

const newest = new WeakMap<LiveWorld, LedgerAudit>()

/** Longer ledgers are audited when somebody asks. */
const MAX_AUDITED = 200

/** A new audit of a short ledger; of a long one the last, unless the world went back since. */
export const currentAudit = (live: LiveWorld): LedgerAudit | undefined => {
  const known = newest.get(live)
  const { journal, world } = live
  if (known?.seq === journal.newest) return known
  if (world.tables.ledger.size <= MAX_AUDITED)
    return keep(live, { report: audit(world.tables), seq: journal.newest })
  const since = known ? journal.newestAfter(known.seq, Number.POSITIVE_INFINITY) : []
  return since.some(({ command }) => goesBack(command) || command === 'world.begin')
    ? undefined
    : known
}

/** For ledgers of any length. Requests to the world wait until the audit is done. */
export const runAuditInSlices = async (live: LiveWorld): Promise<LedgerAudit> => {
  const proof = await live.readInSlices(function* ({ tables, seq }) {
    return { report: yield* auditing(tables), seq }
  })
  return keep(live, proof)
}

const keep = (live: LiveWorld, proof: LedgerAudit): LedgerAudit => {
  newest.set(live, proof)
  return proof
}
