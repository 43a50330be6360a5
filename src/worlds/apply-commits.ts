import type { MemoryJournal } from '../history/memory-journal.js'
import type { BaseWorld } from './base-world.js'
import { DataError } from './errors.js'
import type { StoredCommit, WholeWorld } from './port.js'
import type { ReplayState } from './replay.js'
import type { UndoHistory } from './undo-history.js'

interface Past {
  readonly journal: MemoryJournal
  readonly history: UndoHistory
}

/** Applies what other processes stored, and adds it to the journal and the undo history. */
export const applyCommits = (
  replay: ReplayState,
  commits: readonly StoredCommit[],
  { journal, history }: Past,
): void => {
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
}

/** Begins the journal of a world that was read: with the entries that the log has, or with those of the base world. */
export const beginJournal = (
  journal: MemoryJournal,
  { world, entries }: Pick<WholeWorld, 'world' | 'entries'>,
  { base, beginning }: Pick<BaseWorld, 'base' | 'beginning'>,
): void => {
  const first = entries.length === 0 && world.seq === base.seq ? beginning : entries
  journal.restart(first[0] ? first[0].seq - 1 : world.seq)
  for (const entry of first) journal.add(entry)
}
