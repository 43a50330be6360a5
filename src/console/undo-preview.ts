import { buildLineage } from '../journal/lineage.js'
import type { Entry } from '../kernel/entry.js'
import type { LiveWorld } from '../runtime/live-world.js'
import { firstRecordOf, type UndoUnit } from '../runtime/undo-history.js'

/** What an undo would take back. */
export interface UndoPreview {
  readonly unit: UndoUnit
  /** Its entries that are kept, and all that followed from them, oldest first. */
  readonly entries: readonly Entry[]
  /** How many were before them, which the journal keeps no more. */
  readonly forgotten: number
  /** The world's time to which it goes back. */
  readonly now: number
}

export const undoPreview = ({ history, journal }: LiveWorld): UndoPreview | undefined => {
  const unit = history.newest
  if (!unit) return undefined
  const { replacedWorld } = unit
  const lived = buildLineage(journal.after(0))
  if (replacedWorld) {
    const entries = lived.filter((it) => it.cause === unit.cause)
    return { unit, entries, forgotten: 0, now: replacedWorld.now }
  }
  const { seq = Number.POSITIVE_INFINITY, now = 0 } = firstRecordOf(unit) ?? {}
  // Snapshots outlast an undo: what wrote nothing is not taken back.
  const entries = lived.filter((it) => it.seq >= seq && it.changes.length > 0)
  return { unit, entries, forgotten: Math.max(journal.oldest - seq, 0), now }
}
