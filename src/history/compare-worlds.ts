import { addressKey } from '../domain/addresses.js'
import { readClockSetting } from '../domain/clock.js'
import { formatBalance } from '../domain/ledger.js'
import type { Tables } from '../domain/schema.js'
import type { Row } from '../kernel/row.js'
import { type Noun, nouns } from './explain.js'
import type { LogRecord } from './log-record.js'
import { showExchange } from './views.js'

export interface ComparedWorld {
  readonly tables: Tables
  readonly requests: readonly LogRecord[]
}

/** One thing in both worlds; null where there is none. */
export interface Pair<T> {
  readonly a: T | null
  readonly b: T | null
  readonly same: boolean
}

interface NamedRequest {
  readonly method: string
  readonly path: string
  readonly query: unknown
  readonly operation: string | null
  readonly status: number | null
  readonly fault: string | null
  readonly request: unknown
  readonly response: unknown
}

type NamedRecord = Readonly<Record<string, unknown>>

export interface Comparison {
  readonly setup: readonly (Pair<unknown> & { readonly what: string })[]
  readonly requests: readonly (Pair<NamedRequest> & { readonly n: number })[]
  readonly records: readonly (Pair<number> & {
    readonly noun: Noun
    /** At most MAX_DIFFERENT. */
    readonly different: readonly Pair<NamedRecord>[]
  })[]
  readonly balances: readonly (Pair<string> & { readonly of: string; readonly asset: string })[]
}

export const MAX_DIFFERENT = 100

/** Each world has a key of its own, so keys always differ. */
const NOUNS = (Object.keys(nouns) as Noun[]).filter((noun) => noun !== 'api_keys')

/** Compares in steps, so that other requests run meanwhile. */
export function* compareWorlds(a: ComparedWorld, b: ComparedWorld): Generator<void, Comparison> {
  const [nameInA, nameInB] = [createNames(a), createNames(b)]
  const requests: Comparison['requests'][number][] = []
  for (const [inA, inB] of pairRequests(a.requests, b.requests)) {
    const named = toPair(inA && nameRequest(inA, nameInA), inB && nameRequest(inB, nameInB))
    requests.push({ n: requests.length + 1, ...named })
    yield
  }
  const records: Comparison['records'][number][] = []
  for (const noun of NOUNS) {
    const [inA, inB] = [rowsByNumber(a.tables, noun), rowsByNumber(b.tables, noun)]
    const different: Pair<NamedRecord>[] = []
    let same = true
    for (const n of new Set([...inA.keys(), ...inB.keys()])) {
      yield
      const [rowA, rowB] = [inA.get(n), inB.get(n)]
      if (rowA === rowB) continue
      const pair = toPair(rowA && nameRecord(rowA, nameInA), rowB && nameRecord(rowB, nameInB))
      same &&= pair.same
      if (!pair.same && different.length < MAX_DIFFERENT) different.push(pair)
    }
    records.push({ noun, a: inA.size, b: inB.size, same, different })
  }
  const [heldA, heldB] = [balancesIn(a.tables), balancesIn(b.tables)]
  const accounts = new Set([...heldA.keys(), ...heldB.keys()])
  const [setupA, setupB] = [readSetup(a.tables), readSetup(b.tables)]
  return {
    setup: Object.keys(setupA).map((what) => {
      const key = what as keyof typeof setupA
      return { what, ...toPair(nameInA(setupA[key]), nameInB(setupB[key])) }
    }),
    requests,
    records,
    balances: [...accounts].map((account) => {
      const [of = '', asset = ''] = account.split('|')
      return { of, asset, ...toPair(heldA.get(account), heldB.get(account)) }
    }),
  }
}

const toPair = <T>(a: T | undefined, b: T | undefined): Pair<T> => ({
  a: a ?? null,
  b: b ?? null,
  same: JSON.stringify(a) === JSON.stringify(b),
})

/** The seed is left out: it only decides ids. */
const readSetup = (tables: Tables) => {
  const { mode, speed } = readClockSetting(tables)
  return {
    scenarios: tables.playlist.get('active')?.names ?? [],
    posted: tables.posted.all().map(({ id, text }) => ({ name: id, text })),
    next: tables.next_calls
      .list('armed', '')
      .map(({ operation, user_id, left, then }) => ({ operation, user_id, left, then })),
    readings: Object.fromEntries(
      tables.readings
        .all()
        .map(({ id, reading }) => [id, reading])
        .sort(),
    ),
    rates: Object.fromEntries(
      tables.rates.all().map(({ base, quote, rate }) => [`${base}/${quote}`, rate]),
    ),
    clock: { mode, speed },
  }
}

/**
 * Pairs requests of one operation and body in their order, and those of one operation where the bodies differ. A
 * request without a counterpart stays alone.
 */
function* pairRequests(
  a: readonly LogRecord[],
  b: readonly LogRecord[],
): Generator<readonly [LogRecord | undefined, LogRecord | undefined]> {
  const [keysA, keysB] = [a.map(toPairingKey), b.map(toPairingKey)]
  let [i, j] = [0, 0]
  while (i < a.length || j < b.length) {
    const isEnd = i === a.length || j === b.length
    const isPair = !isEnd && keysA[i] === keysB[j]
    const aheadInA = isPair || isEnd ? 0 : distance(keysA.indexOf(keysB[j] ?? '', i), i)
    const aheadInB = isPair || isEnd ? 0 : distance(keysB.indexOf(keysA[i] ?? '', j), j)
    const isNowhere = aheadInA === aheadInB && aheadInA === Number.POSITIVE_INFINITY
    const isAlike = isPair || (isNowhere && a[i]?.operation === b[j]?.operation)
    const takesA = i < a.length && (isAlike || isEnd || aheadInA <= aheadInB)
    const takesB = j < b.length && (isAlike || !takesA)
    yield [takesA ? a[i++] : undefined, takesB ? b[j++] : undefined]
  }
}

const distance = (found: number, from: number): number =>
  found < 0 ? Number.POSITIVE_INFINITY : found - from

const UUIDS = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/gi

const toPairingKey = (logRecord: LogRecord): string => {
  const { method, path, operation, request } = showExchange(logRecord)
  return `${method} ${operation ?? path} ${JSON.stringify(request.body)}`.replace(UUIDS, 'id')
}

type Name = (value: unknown) => unknown

/** Drawn by the world, and part of no comparison. */
const DRAWN = new Set(['requestId', 'reference', 'bank_txn_reference', 'masked_details'])
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d/

/**
 * Replaces what differs between any two runs: the id of a record by its number, such as `payout 1`, any other id by
 * the order in which it came, and times by `time`.
 */
const createNames = ({ tables, requests }: ComparedWorld): Name => {
  const others = new Map(requests.map(({ id }) => [id, 'request']))
  let count = 0
  const nameId = (id: string): string => {
    for (const noun of NOUNS) {
      const found = tables[noun].get(id.toLowerCase())
      if (found) return `${noun.slice(0, -1)} ${found.n}`
    }
    const known = others.get(id) ?? `id ${++count}`
    others.set(id, known)
    return known
  }
  const nameText = (text: string): string => {
    if (TIME.test(text)) return 'time'
    const key = addressKey(text)
    const owner = tables.wallets.first('address', key) ?? tables.instructions.first('address', key)
    return owner ? `address of ${nameId(owner.id)}` : text.replace(UUIDS, nameId)
  }
  const name: Name = (value) => {
    if (typeof value === 'string') return nameText(value)
    if (Array.isArray(value)) return value.map(name)
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(
      Object.entries(value).map(([key, it]) => [
        key,
        DRAWN.has(key) && typeof it === 'string' ? 'drawn' : name(it),
      ]),
    )
  }
  return name
}

const nameRequest = (logRecord: LogRecord, name: Name): NamedRequest => {
  const { method, path, query, operation, status, fault, request, response } =
    showExchange(logRecord)
  const named = { method, path, query, operation, status, fault }
  return name({ ...named, request: request.body, response: response.body }) as NamedRequest
}

const nameRecord = ({ n: _n, scenarios: _by, ...record }: Row, name: Name): NamedRecord =>
  name(record) as NamedRecord

const rowsByNumber = (tables: Tables, noun: Noun): ReadonlyMap<number, Row> =>
  new Map(tables[noun].all().map((row: Row) => [row.n, row]))

/** Amounts by owner and asset, such as `user 1|NGN`. */
const balancesIn = (tables: Tables): ReadonlyMap<string, string> => {
  const found = new Map<string, string>()
  for (const kind of ['user', 'wallet'] as const) {
    for (const { id, n } of tables[`${kind}s`].all()) {
      for (const [asset, { amount }] of tables.balances.of(`${kind}:${id}`)) {
        found.set(`${kind} ${n}|${asset}`, formatBalance(tables, asset, amount))
      }
    }
  }
  return found
}
