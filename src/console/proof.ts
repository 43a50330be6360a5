import type { Timeline } from '../timeline.js'
import { type AuditReport, audit } from '../world/audit.js'
import type { View } from './view.js'

/** What was found when a ledger was added up, and at which entry of its world that was. */
export interface Proof {
  readonly report: AuditReport
  readonly seq: number
}

const newest = new WeakMap<Timeline, Proof>()

/** Adds up the ledger anew: the longer it is, the longer that takes. */
export const prove = ({ line, tables }: View): Proof => {
  const proof = { report: audit(tables), seq: line.journal.newest }
  newest.set(line, proof)
  return proof
}

/** What was found last; undefined when nobody has asked yet. */
export const lastProof = ({ line }: View): Proof | undefined => newest.get(line)
