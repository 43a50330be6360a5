import type { MemoryJournal } from '../history/memory-journal.js'
import type { BaseWorld } from './base-world.js'
import { DataError } from './errors.js'
import type { CaughtUp } from './port.js'
import { ReplayState } from './replay.js'
import type { RecoveredWorld } from './stored-world.js'
import type { UndoHistory } from './undo-history.js'

interface Past {
  readonly journal: MemoryJournal
  readonly history: UndoHistory
}

/** Applies what others stored, or a world that was read, to a state, the journal and the undo history. */
export const applyCommits = (
  { base, beginning }: Pick<BaseWorld, 'base' | 'beginning'>,
  from: RecoveredWorld,
  { world, entries, commits }: CaughtUp,
  { journal, history }: Past,
): RecoveredWorld => {
  if (world) {
    // The log has no entries of the base world.
    const first = entries.length === 0 && world.seq === base.seq ? beginning : entries
    journal.restart(first[0] ? first[0].seq - 1 : world.seq)
    for (const entry of first) journal.add(entry)
  }
  const replay = new ReplayState(base, from)
  for (const { entries, origin, acts = [] } of commits) {
    for (const entry of entries) {
      // The commits may begin with those of this process.
      if (entry.seq <= replay.seq) continue
      for (const { seq, cause } of acts) if (seq === entry.seq) history.begin(cause)
      const record = replay.apply(entry, origin)
      if (typeof record === 'string') throw new DataError(record)
      journal.add(entry)
      history.replay(record, replay.snapshots)
    }
  }
  return replay.state
}
