import type { Change } from './entry.js'
import type { Row } from './table.js'
import type { Instant } from './time.js'

/** What one entry overwrote: enough to take it back. */
export interface Step {
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
