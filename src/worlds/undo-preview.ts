import { buildLineage } from '../history/lineage.js'
import type { Entry } from '../kernel/entry.js'
import { illegalTransition, type Refusal } from '../kernel/refusal.js'
import type { LiveWorld } from './live-world.js'
import { isFromOutside, isSameCause, MAX_UNDO, seqOf, type UndoUnit } from './undo-history.js'

export const nothingToUndo = (): Refusal =>
  illegalTransition(
    `Nothing to undo. The sandbox keeps the last ${MAX_UNDO.toLocaleString('en')} commands ` +
      'since it started and since the last reset or restore',
  )

export const nothingToRedo = (): Refusal =>
  illegalTransition(
    'Nothing to redo. A redo takes back the newest undo, once, until the next command from outside',
  )

/** Refuses an entry to which the history does not lead back. */
export const assertUndoable = ({ history, journal }: LiveWorld, to: number): void => {
  const lineage = buildLineage(journal.all())
  if (!lineage.some(({ seq }) => seq === to))
    throw illegalTransition(`entry ${to} is not part of the present state, or the journal lost it`)
  if (!canUndoTo(history.all(), lineage, to)) throw nothingToUndo()
}

/** The entries that an undo takes back, oldest first. */
export const findUndoableEntries = (live: LiveWorld, to: number | undefined): readonly Entry[] => {
  if (to !== undefined) assertUndoable(live, to)
  const [first] = live.history.findUndoable(to)
  if (!first) throw nothingToUndo()
  const isUndone = first.snapshot
    ? ({ cause }: Entry) => isSameCause(cause, first.cause)
    : ({ seq, changes }: Entry) => seq >= seqOf(first) && changes.length > 0
  return buildLineage(live.journal.all()).filter(isUndone)
}

/** Whether an undo takes back all commands after an entry, at least one. `units` are oldest first. */
const canUndoTo = (units: readonly UndoUnit[], lineage: readonly Entry[], to: number): boolean => {
  const undone = units.slice(units.findLastIndex((it) => seqOf(it) <= to) + 1)
  const [first] = undone
  if (!first || undone.some(({ snapshot }) => snapshot)) return false
  return !lineage.some(
    ({ seq, cause, changes }) =>
      seq > to && seq < seqOf(first) && isFromOutside(cause) && changes.length > 0,
  )
}
