import type { LoggedExchange } from '../../request-log/views.js'
import { createIdNormalizer } from './normalize-ids.js'

/** What was answered, as far as two runs can be compared by it. */
export interface Answered {
  readonly status: number | null
  readonly body: unknown
}

/** An exchange that two runs had differently. */
export interface Difference {
  /** Its place in the second run, from 1. */
  readonly n: number
  /** The operation, or method and path where there is none. */
  readonly what: string
  /** Undefined when the first run never asked so. */
  readonly there: Answered | undefined
  readonly here: Answered
}

/** One exchange, with what differs from run to run anyhow put in words that do not. */
export interface Comparable extends Answered {
  readonly n: number
  readonly what: string
  /** The request, by which it is found in another run. */
  readonly key: string
  readonly isRead: boolean
  readonly text: string
  readonly assumed: readonly string[]
}

/** The exchanges of a run, to compare. */
export const comparable = (exchanges: readonly LoggedExchange[]): Comparable[] => {
  const tokens = createIdNormalizer()
  return exchanges.map((exchange, i) => {
    const { method, path, operation, query, request, response, status, assumed } = exchange
    const key = tokens.blank(JSON.stringify([method, path, query, request.body]))
    // Numbers are given in the order of appearance: the request comes first.
    tokens.numbered(JSON.stringify([path, query, request.body]))
    const text = tokens.numbered(JSON.stringify([status, response.body]))
    const [, body] = JSON.parse(text) as [unknown, unknown]
    const what = operation ?? `${method} ${path}`
    const isRead = method === 'GET' || method === 'HEAD'
    return { n: i + 1, what, key, isRead, text, status, body, assumed }
  })
}

/**
 * The first exchange of a run that was answered otherwise than in the first run, of those that went by
 * `reading` if there is one. A read that the first run answered so at some time is no difference: how often a
 * client polls is up to the clock.
 */
export const firstDifference = (
  first: readonly Comparable[],
  run: readonly Comparable[],
  reading: string,
): Difference | undefined => {
  const counterpart = counterpartsIn(first)
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

/** Finds for each exchange, asked in order, the one that it stands for in the first run. */
const counterpartsIn = (first: readonly Comparable[]) => {
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
    const there = same[ofKey] ?? (same.length > 0 ? same.at(-1) : byWhat.get(what)?.[ofWhat])
    return { isDifferent: there?.text !== text, there }
  }
}

const groupBy = <T>(items: readonly T[], keyOf: (item: T) => string): Map<string, T[]> => {
  const groups = new Map<string, T[]>()
  for (const item of items) {
    const group = groups.get(keyOf(item))
    if (group) group.push(item)
    else groups.set(keyOf(item), [item])
  }
  return groups
}

/** Fields that tell more than others when several differ. */
const TELLING = ['status', 'code']

/** Where two answers of one status begin to differ: the dotted path, and what stands there. */
export const firstField = (
  there: unknown,
  here: unknown,
  path: readonly string[] = [],
): { readonly path: string; readonly there: unknown; readonly here: unknown } | undefined => {
  if (JSON.stringify(there) === JSON.stringify(here)) return undefined
  if (isBranch(there) && isBranch(here) && Array.isArray(there) === Array.isArray(here)) {
    for (const name of new Set([...TELLING, ...Object.keys(there), ...Object.keys(here)])) {
      const field = firstField(there[name], here[name], [...path, name])
      if (field) return field
    }
  }
  return { path: path.join('.'), there, here }
}

const isBranch = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null
