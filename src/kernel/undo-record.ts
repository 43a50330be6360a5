import type { Change } from './entry.js'
import type { Row } from './row.js'
import type { Instant } from './time.js'

/** What one entry overwrote: enough to take it back. */
export interface UndoRecord {
  /** The entry's number. */
  readonly seq: number
  /** The world's time when the entry before was made. */
  readonly now: Instant
  /** How many entries the world consisted of before. */
  readonly count: number
  /** Each write in order; a record may be there more than once. */
  readonly writes: readonly Change[]
  /** What each write found. */
  readonly before: readonly (Row | undefined)[]
}

/** Up to here, comparing all writes with each other is cheaper than keeping a map of them. */
const MAX_WRITES_SCANNED = 16

/** Each record that was written, as it is at the end, in order of first touch: the same list when none is there twice. */
export const toChanges = (writes: readonly Change[]): readonly Change[] => {
  if (writes.length <= MAX_WRITES_SCANNED && !hasDuplicateWrites(writes)) return writes
  const seen = new Map<string, number>()
  const last: Change[] = []
  for (const change of writes) {
    const key = `${change.table} ${change.id}`
    const place = seen.get(key) ?? last.length
    seen.set(key, place)
    last[place] = change
  }
  return last
}

/** Whether a record is in a short list twice. */
const hasDuplicateWrites = (writes: readonly Change[]): boolean => {
  for (let i = 1; i < writes.length; i++) {
    for (let j = 0; j < i; j++) {
      if (writes[i]?.id === writes[j]?.id && writes[i]?.table === writes[j]?.table) return true
    }
  }
  return false
}
