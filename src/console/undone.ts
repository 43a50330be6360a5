import { type Act, beginningOf } from '../journal/history.js'
import { lineageOf } from '../journal/lineage.js'
import type { Timeline } from '../timeline.js'
import type { Entry } from '../world/kernel/entry.js'

/** What an undo would take back. */
export interface Undoable {
  readonly act: Act
  /** Its entries that are kept, and all that followed from them, oldest first. */
  readonly entries: readonly Entry[]
  /** How many were before them, which the journal keeps no more. */
  readonly forgotten: number
  /** The world's time to which it goes back. */
  readonly now: number
}

export const undoableOf = ({ history, journal }: Timeline): Undoable | undefined => {
  const act = history.newest
  if (!act) return undefined
  const { replaced } = act
  const lived = lineageOf(journal.after(0))
  if (replaced) {
    const entries = lived.filter((it) => it.cause === act.cause)
    return { act, entries, forgotten: 0, now: replaced.now }
  }
  const { seq = Number.POSITIVE_INFINITY, now = 0 } = beginningOf(act) ?? {}
  // Snapshots outlast an undo: what wrote nothing is not taken back.
  const entries = lived.filter((it) => it.seq >= seq && it.changes.length > 0)
  return { act, entries, forgotten: Math.max(journal.oldest - seq, 0), now }
}
