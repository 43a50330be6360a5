import { copyWorld, type World } from '../domain/world.js'
import type { MemoryJournal } from '../history/memory-journal.js'
import { parseInstant } from '../kernel/time.js'
import type { UndoHistory } from './undo-history.js'

/** Copies a world as of an earlier time, as far back as its undo history reaches. The copy has no timers. */
export const copyWorldAsOf = (
  world: World,
  journal: MemoryJournal,
  history: UndoHistory,
  then: number,
): World => {
  const last = journal.findBefore(journal.newest + 1, ({ at }) => parseInstant(at) <= then)
  const past = copyWorld(world)
  past.undo(history.recordsAfter(last?.seq ?? 0), { kind: 'library' })
  const { timers } = past.tables
  for (const timer of timers.all()) timers.write(timer.id, timer, undefined)
  return past
}
