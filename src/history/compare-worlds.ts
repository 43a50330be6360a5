import { addressKey } from '../domain/addresses.js'
import { readClockSetting } from '../domain/clock.js'
import { formatBalance } from '../domain/ledger.js'
import type { Tables } from '../domain/schema.js'
import type { Row } from '../kernel/row.js'
import { type Noun, nouns } from './explain.js'
import type { RequestLog } from './request-log.js'
import { showExchange } from './views.js'

interface ComparedWorld {
  readonly tables: Tables
  readonly requests: RequestLog
}

/** One thing in both worlds; null where there is none. */
interface Pair<T = unknown> {
  readonly a: T | null
  readonly b: T | null
  readonly same: boolean
}

export interface ComparedRequest {
  readonly method: string
  readonly path: string
  readonly operation: string | null
  readonly status: number | null
  readonly fault: string | null
  readonly request: unknown
  readonly response: unknown
}

export type Comparison =
  ReturnType<typeof compareWorlds> extends Generator<unknown, infer R> ? R : never

/** Of one noun in the comparison. */
export const MAX_DIFFERENT = 100

/** Each world has a key of its own, so keys always differ. */
const NOUNS = (Object.keys(nouns) as Noun[]).filter((noun) => noun !== 'api_keys')

/** Compares in steps, so that other requests run meanwhile. */
export function* compareWorlds(a: ComparedWorld, b: ComparedWorld) {
  const [nameA, nameB] = [createName(a.tables), createName(b.tables)]
  const setup = pairFields(nameA(readSetup(a.tables)), nameB(readSetup(b.tables))).map(
    ([what, pair]) => ({ what, ...pair }),
  )
  const [sentA, sentB] = [yield* readRequests(a, nameA), yield* readRequests(b, nameB)]
  const requests = [...pairRequests(sentA, sentB)].map((pair, i) => ({ n: i + 1, ...pair }))
  const records: (Pair<number> & { noun: Noun; different: Pair<Fields>[] })[] = []
  for (const noun of NOUNS) {
    yield
    const [rowsA, rowsB] = [rowsOf(a.tables, noun), rowsOf(b.tables, noun)]
    const different = pairFields(rowsA, rowsB)
      .filter(([, { same }]) => !same)
      .map(([, pair]) => toPair(pair.a && nameA(pair.a), pair.b && nameB(pair.b)))
      .filter(differs)
    const [countA, countB] = [a.tables[noun].size, b.tables[noun].size]
    const [same, most] = [different.length === 0, different.slice(0, MAX_DIFFERENT)]
    records.push({ noun, a: countA, b: countB, same, different: most })
  }
  const balances = pairFields(balancesIn(a.tables), balancesIn(b.tables)).map(([account, pair]) => {
    const [of = '', asset = ''] = account.split('|')
    return { of, asset, ...pair }
  })
  const part = setup.find(differs)
  const request = requests.find(differs)
  const record = records.find(differs)?.different[0]
  const balance = balances.find(differs)
  const first =
    (part && toFirst('setup', part, (it) => ({ [part.what]: it }))) ??
    (request && toFirst('request', request)) ??
    (record && toFirst('record', record)) ??
    (balance &&
      toFirst('balance', balance, (amount) => ({ of: balance.of, asset: balance.asset, amount })))
  return { equal: first === undefined, first: first ?? null, setup, requests, records, balances }
}

const differs = ({ same }: Pair): boolean => !same

type Part = 'setup' | 'request' | 'record' | 'balance'

const toFirst = (kind: Part, { a, b }: Pair, show = (it: unknown) => it) => ({
  kind,
  a: a === null ? null : show(a),
  b: b === null ? null : show(b),
})

const toPair = <T>(a: T | null | undefined, b: T | null | undefined): Pair<T> => ({
  a: a ?? null,
  b: b ?? null,
  same: JSON.stringify(a) === JSON.stringify(b),
})

type Named<T> = Readonly<Record<string, T>>
type Fields = Named<unknown>

const pairFields = <T>(a: Named<T>, b: Named<T>): [string, Pair<T>][] =>
  Object.keys({ ...a, ...b }).map((key) => [key, toPair(a[key], b[key])])

/** The seed is left out: it only decides ids. */
const readSetup = (tables: Tables) => {
  const { mode, speed } = readClockSetting(tables)
  const { playlist, posted, next_calls, readings, rates } = tables
  return {
    scenarios: playlist.get('active')?.names ?? [],
    posted: posted.all().map(({ id, text }) => ({ name: id, text })),
    next: next_calls
      .list('armed', '')
      .map(({ operation, user_id, left, then }) => ({ operation, user_id, left, then })),
    readings: Object.fromEntries(
      readings
        .all()
        .map((it) => [it.id, it.reading])
        .sort(),
    ),
    rates: Object.fromEntries(rates.all().map((it) => [`${it.base}/${it.quote}`, it.rate])),
    clock: { mode, speed },
  }
}

interface NamedRequest {
  /** Equal for requests of one operation and body, whatever their ids. */
  readonly key: string
  readonly operation: string | null
  readonly view: ComparedRequest
}

function* readRequests({ requests }: ComparedWorld, name: Name): Generator<void, NamedRequest[]> {
  const found: NamedRequest[] = []
  for (const logRecord of requests.walk()) {
    yield
    if (!logRecord) continue
    const { method, path, query, operation, status, fault, ...rest } = showExchange(logRecord)
    const [request, response] = [rest.request.body, rest.response.body]
    const fields = { method, path, query, operation, status, fault, request, response }
    const view = name(fields) as Fields & ComparedRequest
    const body = JSON.stringify(request).replace(UUIDS, 'id')
    found.push({ key: `${method} ${operation ?? path} ${body}`, operation, view })
  }
  return found
}

/**
 * Pairs requests of one operation and body in their order, and those of one operation where the bodies differ. A
 * request without a counterpart stays alone.
 */
function* pairRequests(
  a: readonly NamedRequest[],
  b: readonly NamedRequest[],
): Generator<Pair<ComparedRequest>> {
  let [i, j] = [0, 0]
  while (i < a.length || j < b.length) {
    const [inA, inB] = [a[i], b[j]]
    const aheadA = distanceTo(a, i, inB)
    const aheadB = distanceTo(b, j, inA)
    const isAlike = aheadA === aheadB && inA?.operation === inB?.operation
    const takesA = inA && (isAlike || !inB || aheadA <= aheadB)
    const takesB = isAlike || !takesA
    yield toPair(takesA ? a[i++]?.view : undefined, takesB ? b[j++]?.view : undefined)
  }
}

/** How far ahead an equal request is. */
const distanceTo = (all: readonly NamedRequest[], from: number, it?: NamedRequest): number => {
  const place = all.findIndex(({ key }, i) => i >= from && key === it?.key)
  return place < 0 ? Number.POSITIVE_INFINITY : place - from
}

const UUIDS = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/gi
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d/
/** Drawn by the world, or about its internals. */
const LEFT_OUT = new Set('requestId reference bank_txn_reference masked_details n'.split(' '))

type Name = (fields: Fields) => Fields

/**
 * Replaces what differs between any two runs: the id of a record by its number, such as `payout 1`, any other id by
 * the order in which it came, and times by `time`.
 */
const createName = (tables: Tables): Name => {
  const others = new Map<string, string>()
  const nameId = (id: string): string => {
    for (const noun of NOUNS) {
      const found = tables[noun].get(id.toLowerCase())
      if (found) return `${noun.slice(0, -1)} ${found.n}`
    }
    const known = others.get(id) ?? `id ${others.size + 1}`
    others.set(id, known)
    return known
  }
  const nameText = (text: string): string => {
    if (TIME.test(text)) return 'time'
    const key = addressKey(text)
    const owner = tables.wallets.first('address', key) ?? tables.instructions.first('address', key)
    return owner ? `address of ${nameId(owner.id)}` : text.replace(UUIDS, nameId)
  }
  const name = (value: unknown): unknown => {
    if (typeof value === 'string') return nameText(value)
    if (Array.isArray(value)) return value.map(name)
    return typeof value === 'object' && value !== null ? nameFields(value as Fields) : value
  }
  const nameFields: Name = (fields) =>
    Object.fromEntries(
      Object.entries(fields).flatMap(([key, it]) => (LEFT_OUT.has(key) ? [] : [[key, name(it)]])),
    )
  return nameFields
}

const rowsOf = (tables: Tables, noun: Noun): Named<Fields> =>
  Object.fromEntries(tables[noun].all().map((row: Row) => [row.n, row as Row & Fields]))

/** Amounts by owner and asset, such as `user 1|NGN`. */
const balancesIn = (tables: Tables): Readonly<Record<string, string>> => {
  const found: Record<string, string> = {}
  for (const kind of ['user', 'wallet'] as const) {
    for (const { id, n } of tables[`${kind}s`].all()) {
      for (const [asset, { amount }] of tables.balances.of(`${kind}:${id}`)) {
        found[`${kind} ${n}|${asset}`] = formatBalance(tables, asset, amount)
      }
    }
  }
  return found
}
