import type { Entry } from '../world/kernel/entry.js'
import type { SeenExchange } from './evidence.js'

/**
 * When something was made: the number of its journal entry, and for requests their number in the log. A
 * request comes before the entries that it made. What one entry made was made at one moment.
 */
export type Moment = readonly [entry: number, exchange: number]

export const compareMoments = (a: Moment, b: Moment): number => a[0] - b[0] || a[1] - b[1]

/** Tells when records and requests were made. */
export interface Moments {
  readonly ofRecord: (table: string, id: string) => Moment
  readonly ofExchange: (exchange: SeenExchange) => Moment
}

/** Before all that the journal still holds. */
const LONG_AGO: Moment = [0, 0]

/** Reads the entries that made a world what it is. */
export const momentsOf = (
  entries: readonly Entry[],
  exchanges: readonly SeenExchange[],
): Moments => {
  const made = makingsIn(entries)
  const handled = handlingsOf(exchanges)
  return {
    ofRecord: (table, id) => made.get(`${table} ${id}`) ?? LONG_AGO,
    ofExchange: ({ n }) => handled.get(n) ?? LONG_AGO,
  }
}

/** The entry that made each record. What was removed, and comes again, is made anew. */
const makingsIn = (entries: readonly Entry[]): Map<string, Moment> => {
  const made = new Map<string, Moment>()
  for (const { seq, changes } of entries) {
    for (const { table, id, record } of changes) {
      const key = `${table} ${id}`
      if (!record) made.delete(key)
      else if (!made.has(key)) made.set(key, [seq, 0])
    }
  }
  return made
}

/** An exchange that came to nothing happened right after the one before it in the log. */
const handlingsOf = (exchanges: readonly SeenExchange[]): Map<number, Moment> => {
  const handled = new Map<number, Moment>()
  let last = 0
  for (const { n, after_entry = last } of exchanges) {
    handled.set(n, [after_entry + 0.5, n])
    last = after_entry
  }
  return handled
}
