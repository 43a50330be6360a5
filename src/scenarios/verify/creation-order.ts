import { isDelivered } from '../../history/delivered.js'
import type { Entry } from '../../kernel/entry.js'
import type { LoggedRequest } from './logged-request.js'

/**
 * Order of creation: the number of the journal entry, and for requests the number in the log. A
 * request precedes its entries. Records of one entry have the same order.
 */
export type OrderKey = readonly [entry: number, exchange: number]

export const compareOrder = (a: OrderKey, b: OrderKey): number => a[0] - b[0] || a[1] - b[1]

export interface CreationOrder {
  readonly ofRecord: (table: string, id: string) => OrderKey
  /** The first time with one of these statuses; the creation if there was none. */
  readonly ofStatus: (table: string, id: string, statuses: readonly string[]) => OrderKey
  readonly hasReached: (table: string, id: string, status: string) => boolean
  readonly isChanged: (table: string, id: string) => boolean
  /** The first delivered response with one of these statuses; the creation if there was none. */
  readonly ofShown: (table: string, id: string, statuses: readonly string[]) => OrderKey
  readonly listShown: (id: string) => readonly string[]
  readonly ofExchange: (exchange: LoggedRequest) => OrderKey
}

/** Moments by status. */
type Reached = Map<string, OrderKey>

/** Before all kept entries. */
const LONG_AGO: OrderKey = [0, 0]

/** `entries` are the lineage of the world. */
export const buildCreationOrder = (
  entries: readonly Entry[],
  exchanges: readonly LoggedRequest[],
): CreationOrder => {
  const { made, reached } = findCreations(entries)
  const handled = findHandlings(exchanges)
  const shown = findShown(exchanges, handled)
  const ofRecord: CreationOrder['ofRecord'] = (table, id) => made.get(`${table} ${id}`) ?? LONG_AGO
  return {
    ofRecord,
    ofStatus: (table, id, statuses) =>
      findFirst(reached.get(`${table} ${id}`), statuses) ?? ofRecord(table, id),
    hasReached: (table, id, status) => reached.get(`${table} ${id}`)?.has(status) ?? false,
    isChanged: (table, id) => made.has(`${table} ${id}`),
    ofShown: (table, id, statuses) => findFirst(shown.get(id), statuses) ?? ofRecord(table, id),
    listShown: (id) => [...(shown.get(id)?.keys() ?? [])],
    ofExchange: ({ n }) => handled.get(n) ?? LONG_AGO,
  }
}

/** The first of some statuses; without any, of all. */
const findFirst = (since: Reached = new Map(), statuses: readonly string[]): OrderKey | undefined =>
  [...since]
    .filter(([status]) => statuses.length === 0 || statuses.includes(status))
    .map(([, moment]) => moment)
    .sort(compareOrder)[0]

/**
 * The entry that created each record, and the first entry with each status. A removed record that
 * returns is created again.
 */
const findCreations = (
  entries: readonly Entry[],
): { readonly made: Map<string, OrderKey>; readonly reached: Map<string, Reached> } => {
  const made = new Map<string, OrderKey>()
  const reached = new Map<string, Reached>()
  for (const { seq, changes } of entries) {
    for (const { table, id, record } of changes) {
      const key = `${table} ${id}`
      if (!record) {
        made.delete(key)
        reached.delete(key)
        continue
      }
      if (!made.has(key)) made.set(key, [seq, 0])
      const status = (record as { readonly status?: unknown }).status
      if (typeof status !== 'string') continue
      const since: Reached = reached.get(key) ?? new Map()
      if (!since.has(status)) since.set(status, [seq, 0])
      reached.set(key, since)
    }
  }
  return { made, reached }
}

/** An exchange without entries follows the one before it in the log. */
const findHandlings = (exchanges: readonly LoggedRequest[]): Map<number, OrderKey> => {
  const handled = new Map<number, OrderKey>()
  let last = 0
  for (const { n, after_entry = last } of exchanges) {
    handled.set(n, [after_entry + 0.5, n])
    last = after_entry
  }
  return handled
}

/** A response follows its request and the entries of that. */
const findShown = (
  exchanges: readonly LoggedRequest[],
  handled: ReadonlyMap<number, OrderKey>,
): Map<string, Reached> => {
  const all = new Map<string, Reached>()
  for (const exchange of exchanges) {
    if (!isDelivered(exchange)) continue
    const { n, entries, shown } = exchange
    const [entry] = handled.get(n) ?? LONG_AGO
    const moment: OrderKey = [Math.max(entry, (entries?.to ?? 0) + 0.5), n + 0.5]
    for (const [id, status] of shown) {
      const since: Reached = all.get(id) ?? new Map()
      if (!since.has(status)) since.set(status, moment)
      all.set(id, since)
    }
  }
  return all
}
