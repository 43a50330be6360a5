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
  /** Undefined without any. */
  readonly listReached: (table: string, id: string) => readonly string[] | undefined
  readonly ofExchange: (exchange: LoggedRequest) => OrderKey
}

/** In place of a table: the statuses that delivered responses showed. */
export const SHOWN = 'shown'

/** Before all kept entries. */
const LONG_AGO: OrderKey = [0, 0]

/** `entries` are the lineage of the world. */
export const buildCreationOrder = (
  entries: readonly Entry[],
  exchanges: readonly LoggedRequest[],
): CreationOrder => {
  const { made, reached } = findCreations(entries)
  const handled = findHandlings(exchanges)
  addShown(reached, exchanges, handled)
  return {
    ofRecord: (table, id) => made.get(`${table} ${id}`) ?? LONG_AGO,
    ofStatus: (table, id, statuses) => {
      const since = reached.get(`${table} ${id}`)
      const moments = statuses.map((status) => since?.get(status)).filter((it) => it !== undefined)
      return moments.sort(compareOrder)[0] ?? made.get(`${table} ${id}`) ?? LONG_AGO
    },
    listReached: (table, id) => {
      const since = reached.get(`${table} ${id}`)
      return since && [...since.keys()]
    },
    ofExchange: ({ n }) => handled.get(n) ?? LONG_AGO,
  }
}

type Reached = Map<string, OrderKey>

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
      addReached(reached, key, status, [seq, 0])
    }
  }
  return { made, reached }
}

const addReached = (all: Map<string, Reached>, key: string, status: string, at: OrderKey) => {
  const since: Reached = all.get(key) ?? new Map()
  if (!since.has(status)) since.set(status, at)
  all.set(key, since)
}

/** A response follows its request and the entries of that. */
const addShown = (
  reached: Map<string, Reached>,
  exchanges: readonly LoggedRequest[],
  handled: ReadonlyMap<number, OrderKey>,
): void => {
  for (const exchange of exchanges.filter(isDelivered)) {
    const { n, entries, shown } = exchange
    const [entry] = handled.get(n) ?? LONG_AGO
    const moment: OrderKey = [Math.max(entry, (entries?.to ?? 0) + 0.5), n + 0.5]
    for (const [id, status] of shown) addReached(reached, `${SHOWN} ${id}`, status, moment)
  }
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
