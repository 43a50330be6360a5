import { buildLineage } from '../history/lineage.js'
import type { Entry } from '../kernel/entry.js'
import { illegalTransition, type Refusal } from '../kernel/refusal.js'
import type { LiveWorld } from './live-world.js'
import { firstRecordOf, isSameCause, MAX_UNDO, type UndoUnit } from './undo-history.js'

export const nothingToUndo = (): Refusal =>
  illegalTransition(
    `Nothing to undo. The sandbox keeps the last ${MAX_UNDO.toLocaleString('en')} commands ` +
      'since it started and since the last reset or restore',
  )

export interface UndoPreview {
  readonly unit: UndoUnit
  /** The command and everything that followed, oldest first. */
  readonly entries: readonly Entry[]
  readonly forgotten: number
  readonly now: number
}

export const previewUndo = ({ history, journal }: LiveWorld): UndoPreview | undefined => {
  const unit = history.newest
  if (!unit) return undefined
  const lineage = buildLineage(journal.all())
  if (unit.snapshot) {
    const entries = lineage.filter((it) => isSameCause(it.cause, unit.cause))
    return { unit, entries, forgotten: 0, now: unit.snapshot.world.now }
  }
  const { seq = Number.POSITIVE_INFINITY, previousTime: now = 0 } = firstRecordOf(unit) ?? {}
  // An undo does not revert snapshots: their entries change no record.
  const entries = lineage.filter((it) => it.seq >= seq && it.changes.length > 0)
  return { unit, entries, forgotten: Math.max(journal.oldest - seq, 0), now }
}
