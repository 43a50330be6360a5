import { RecordHistories } from '../history/explain.js'
import { buildLineage } from '../history/lineage.js'
import { accumulate } from './accumulate.js'

/** Twice the entries that a journal keeps by default: evicted ones are dropped then. */
export const MAX_ENTRIES = 20_000

/** The entries that lead to the present state of a world, by record. */
export const readHistories = accumulate(
  ({ live }) => new RecordHistories(buildLineage(live.journal.all())),
  (histories, entry) => histories.add(entry),
  ({ size }) => size > MAX_ENTRIES,
)
