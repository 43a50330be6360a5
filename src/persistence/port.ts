import type { Entry } from '../kernel/entry.js'
import type { UndoRecord } from '../kernel/undo-record.js'

/** A line, as far as it is kept beyond the process. */
export interface PersistedWorldHandle {
  readonly id: string
  /** Its entries up to this number will outlast a crash, so that they may be shown. */
  onPersisted(seq: number): void
  /** Takes its newest entry back, as if it had never been. */
  rollbackLatest(undoRecord: UndoRecord): void
}

/** What keeps lines beyond the process, where something does. */
export interface Persistence {
  /** Takes in what a line has just done. */
  append(line: PersistedWorldHandle, entry: Entry, undoRecord: UndoRecord): void
  /** Does several things that are kept as a whole, or not at all. */
  transaction<V>(act: () => V): V
  /** Takes in how to undo a change beside the journal, should the entries that follow not be kept. */
  onRollback(takeBack: () => void): void
  /** Refuses, by throwing, while nothing can be kept, and tells what was not done: a change, unless told otherwise. */
  readonly assertAvailable: (undone?: string) => void
  /** Refuses likewise, and also what is done at a line that could not be kept when it began. */
  assertWritable(line: PersistedWorldHandle): void
  /** Resolves once all that was done so far will outlast a crash; undefined when it does already. */
  readonly pending: Promise<void> | undefined
  /** Whether nothing can be kept now, so that timers have to wait. */
  readonly isReadOnly: boolean
}
