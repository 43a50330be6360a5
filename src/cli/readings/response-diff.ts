import type { LoggedExchange } from '../../history/views.js'
import { groupBy } from '../../lib/group-by.js'

export interface ComparedResponse {
  readonly status: number | null
  readonly body: unknown
}

export interface Difference {
  /** Position in the second run, from 1. */
  readonly n: number
  /** The operation, or the method and path. */
  readonly what: string
  /** Undefined if the first run sent no such request. */
  readonly there: ComparedResponse | undefined
  readonly here: ComparedResponse
}

/** An exchange with normalized ids and times. */
export interface Comparable extends ComparedResponse {
  readonly n: number
  readonly what: string
  /** Identifies the same request in another run. */
  readonly key: string
  readonly isRead: boolean
  readonly text: string
  readonly assumed: readonly string[]
}

export const toComparable = (exchanges: readonly LoggedExchange[]): Comparable[] => {
  const ids = createIdNormalizer()
  return exchanges.map((exchange, i) => {
    const { method, path, operation, query, request, response, status, assumed } = exchange
    const key = ids.mask(JSON.stringify([method, path, query, request.body]))
    // Ids are numbered in order of appearance: the request comes first.
    ids.number(JSON.stringify([path, query, request.body]))
    const text = ids.number(JSON.stringify([status, response.body]))
    const [, body] = JSON.parse(text) as [unknown, unknown]
    const what = operation ?? `${method} ${path}`
    const isRead = method === 'GET' || method === 'HEAD'
    return { n: i + 1, what, key, isRead, text, status, body, assumed }
  })
}

/**
 * The first response that differs from the first run, preferably one that relied on `reading`. A read that got
 * the same response anywhere in the first run is no difference: the number of polls depends on timing.
 */
export const firstDifference = (
  first: readonly Comparable[],
  run: readonly Comparable[],
  reading: string,
): Difference | undefined => {
  const counterpart = counterpartFinder(first)
  let other: Difference | undefined
  for (const exchange of run) {
    const { isDifferent, there } = counterpart(exchange)
    if (!isDifferent) continue
    const { n, what, status, body } = exchange
    const difference = {
      n,
      what,
      there: there && { status: there.status, body: there.body },
      here: { status, body },
    }
    if (exchange.assumed.includes(reading)) return difference
    other ??= difference
  }
  return other
}

/** Returns a function that finds the same request in the first run. Call it in order. */
const counterpartFinder = (first: readonly Comparable[]) => {
  const byKey = groupBy(first, ({ key }) => key)
  const byWhat = groupBy(first, ({ what }) => what)
  const seen = new Map<string, number>()
  const next = (name: string): number => {
    const place = seen.get(name) ?? 0
    seen.set(name, place + 1)
    return place
  }
  return ({ key, what, isRead, text }: Comparable) => {
    const [ofKey, ofWhat] = [next(`key ${key}`), next(`what ${what}`)]
    const same = byKey.get(key) ?? []
    if (isRead && same.some((it) => it.text === text))
      return { isDifferent: false, there: undefined }
    const there = same[ofKey] ?? same.at(-1) ?? byWhat.get(what)?.[ofWhat]
    return { isDifferent: there?.text !== text, there }
  }
}

/** Values that differ from run to run: ids, times, addresses, references of rails, masked accounts. */
const TOKEN =
  /(?<id>[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})|(?<time>\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[+-]\d\d:\d\d))|(?<address>\b0x[0-9a-f]{40}\b|\b[0-9a-z]{6}\*{4}[0-9a-z]{4}\b|\b[1-9A-HJ-NP-Za-km-z]{26,44}\b)|(?<reference>\b\w+-\d{12}\b)|(?<account>(?<![\w*])\*{4}\d{4}\b)/gi

/**
 * Normalizes the tokens of one run. `mask` replaces each by its kind, `<id>`; `number` adds its number in order of
 * appearance, `<id 3>`, or the form of a time.
 */
const createIdNormalizer = () => {
  const names = new Map<string, string>()
  const counts = new Map<string, number>()
  const nameOf = (kind: string, token: string): string => {
    if (kind === 'time') return `<time ${token.replace(/\d/g, '0')}>`
    const same = token.toLowerCase()
    const count = (counts.get(kind) ?? 0) + 1
    const name = names.get(same) ?? `${kind} ${count}`
    if (!names.has(same)) counts.set(kind, count)
    names.set(same, name)
    return `<${name}>`
  }
  return {
    mask: (text: string) => replaceTokens(text, (kind) => `<${kind}>`),
    number: (text: string) => replaceTokens(text, nameOf),
  }
}

const replaceTokens = (text: string, name: (kind: string, token: string) => string): string =>
  text.replace(TOKEN, (token, ...more) => {
    const kinds = more.at(-1) as Readonly<Record<string, string | undefined>>
    const kind = Object.keys(kinds).find((it) => kinds[it] !== undefined) ?? 'id'
    return name(kind, token)
  })
