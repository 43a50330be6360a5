import type { Tables } from '../domain/schema.js'
import { capitalize, pluralize } from '../history/format.js'
import { buildLineage } from '../history/lineage.js'
import type { Entry } from '../kernel/entry.js'
import { isSameCause, seqOf } from '../worlds/undo-history.js'
import { findUndoableEntries } from '../worlds/undo-preview.js'
import { findChanges, type RecordChange } from './changes.js'
import { readHistories } from './histories.js'
import { type Prose, recordRef } from './record-sentences.js'
import type { View } from './view.js'

/** The calls and records that an undo takes back. */
export interface TakenBack {
  /** Calls of clients that changed something. */
  readonly requests: number
  /** Acts of the control API, of tests and of the console. */
  readonly acts: number
  readonly records: readonly RecordChange[]
}

export const findTakenBack = ({ live }: Pick<View, 'live'>, to: number | undefined): TakenBack =>
  toTakenBack(findUndoableEntries(live, to))

/** The calls and records since the fixtures. */
export const findTakenByReset = ({ live }: Pick<View, 'live'>): TakenBack => {
  const from = live.beginning.at(-1)?.seq ?? 0
  const entries = buildLineage(live.journal.newestAfter(from, Number.POSITIVE_INFINITY))
  const [first] = entries
  const isBeginning = ({ cause }: Entry) =>
    first?.command === 'world.begin' && isSameCause(cause, first.cause)
  return toTakenBack(entries.filter((it) => !isBeginning(it)))
}

export const toTakenBack = (entries: readonly Entry[]): TakenBack => {
  const requests = new Set<string>()
  const acts = new Set<unknown>()
  for (const { cause, seq, refused } of entries) {
    if (refused) continue
    if (cause.kind === 'request' || cause.kind === 'read') requests.add(cause.request)
    if (cause.kind === 'control') acts.add(cause.request)
    if (cause.kind === 'library') acts.add(seq)
  }
  return { requests: requests.size, acts: acts.size, records: findChanges(entries) }
}

/** `3 requests of your client, 1 act and 4 records` */
export const takenBackText = ({ requests, acts, records }: TakenBack): string => {
  const counts = [
    requests > 0 && `${pluralize(requests, 'request')} of your client`,
    acts > 0 && pluralize(acts, 'act'),
    records.length > 0 && pluralize(records.length, 'record'),
  ].filter((it) => it !== false)
  return counts.length === 0 ? 'no record' : new Intl.ListFormat('en').format(counts)
}

/** `Payout 1,500.00 NGN to Access Bank: made` */
export const changeSentence = (tables: Tables, { noun, id, did }: RecordChange): Prose => {
  const name = noun.slice(0, -1).replace('_', ' ')
  return [`${capitalize(name)} `, recordRef(tables, id), `: ${did}`]
}

export const moreRecords = (count: number): string => `And ${pluralize(count, 'more record')}.`

/**
 * The entry to which an undo leads that takes back an entry and all that its cause did. Undefined if the history
 * does not reach so far.
 */
export const findWayBack = (view: View, seq: number): number | undefined => {
  const { history, journal } = view.live
  const histories = readHistories(view)
  const unit = histories.has(seq) && history.all().findLast((it) => seqOf(it) <= seq)
  const to = unit && !unit.snapshot ? histories.before(seqOf(unit)) : undefined
  return to !== undefined && to >= journal.oldest ? to : undefined
}
