import { RecordHistories } from '../history/explain.js'
import { buildLineage } from '../history/lineage.js'
import type { LogRecord } from '../history/log-record.js'
import { accumulate } from './accumulate.js'
import { oncePerState } from './once-per-state.js'
import type { View } from './view.js'

/** Twice the entries that a journal keeps by default: evicted ones are dropped then. */
export const MAX_ENTRIES = 20_000

/** The entries that lead to the present state of a world, by record. */
export const readHistories = accumulate(
  ({ live }) => new RecordHistories(buildLineage(live.journal.all())),
  (histories, entry) => histories.add(entry),
  ({ size }) => size > MAX_ENTRIES,
)

/** Whether an undo took back the last reset, so that the requests before it have their records again. */
export const isResetUndone = oncePerState((view: View): boolean => {
  if (!view.live.earlierRequests) return false
  const reset = view.live.journal.all().findLast(({ command }) => command === 'world.begin')
  return reset !== undefined && !readHistories(view).has(reset.seq)
})

/** The requests of the present world, oldest first. */
export const listRequests = (view: View): readonly LogRecord[] => {
  const { requests, earlierRequests } = view.live
  const before = isResetUndone(view) ? earlierRequests?.recent() : undefined
  return [...requests.recent(), ...(before ?? [])].reverse()
}
