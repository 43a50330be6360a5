import { afterPoll } from '../kernel/timers.js'
import type { Tables, Tx } from './schema.js'

/** Whether a step of some rule waits for reads of this record. */
export const isPollAwaited = (tables: Tables, id: string): boolean =>
  tables.timers.count('reads', id) > 0

/** Counts one answered read of a record. Steps that waited for it are due at once. */
export const recordPoll = (tx: Tx, { id }: { readonly id: string }): void => {
  for (const timer of tx.tables.timers.list('reads', id)) {
    tx.reschedule(timer, afterPoll(timer, tx.now))
  }
}
