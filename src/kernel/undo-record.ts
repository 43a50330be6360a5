import type { Change } from './entry.js'
import type { Row } from './row.js'
import type { Instant } from './time.js'

/** The values that one entry overwrote. */
export interface UndoRecord {
  readonly seq: number
  /** World time at the entry before. */
  readonly now: Instant
  /** Entry count before. */
  readonly count: number
  /** In order; one record may occur more than once. */
  readonly writes: readonly Change[]
  readonly before: readonly (Row | undefined)[]
}

/** Up to this size, comparing all pairs is faster than a map. */
const MAX_WRITES_SCANNED = 16

/**
 * The last value of each record, in order of first write. Returns the same list if there are no
 * duplicates.
 */
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

/** Compares all pairs. */
const hasDuplicateWrites = (writes: readonly Change[]): boolean => {
  for (let i = 1; i < writes.length; i++) {
    for (let j = 0; j < i; j++) {
      if (writes[i]?.id === writes[j]?.id && writes[i]?.table === writes[j]?.table) return true
    }
  }
  return false
}
