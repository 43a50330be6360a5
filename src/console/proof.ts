import type { Timeline } from '../timeline.js'
import { type AuditReport, audit, auditing } from '../world/audit.js'
import type { View } from './view.js'

/** What was found when a ledger was added up, and at which entry of its world that was. */
export interface Proof {
  readonly report: AuditReport
  readonly seq: number
}

const newest = new WeakMap<Timeline, Proof>()

/** Adds up a short ledger anew. */
export const prove = ({ line, tables }: View): Proof =>
  keep(line, { report: audit(tables), seq: line.journal.newest })

/** Adds up a ledger of any length anew, in slices: requests of its world wait until that is done. */
export const proveInSlices = async ({ line }: View): Promise<Proof> => {
  const proof = await line.readInSlices(function* ({ tables, seq }) {
    return { report: yield* auditing(tables), seq }
  })
  return keep(line, proof)
}

const keep = (line: Timeline, proof: Proof): Proof => {
  newest.set(line, proof)
  return proof
}

/** What was found last; undefined when nobody has asked yet. */
export const lastProof = ({ line }: View): Proof | undefined => newest.get(line)
