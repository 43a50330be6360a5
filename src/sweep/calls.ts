import { bodyValue } from '../history/bodies.js'
import type { LogRecord } from '../history/log-record.js'
import { groupBy } from '../lib/group-by.js'
import type { Body, Call } from './cells.js'
import type { EndedRun } from './run-cell.js'

/** The calls to try faults on: all changes, and of reads the first and the last of each operation. */
export const listCalls = (first: EndedRun, again: EndedRun): Call[] => {
  const stable = findStable(again)
  const calls = new Map<string, Call>()
  for (const { requests } of first.worlds) {
    for (const [operation, same] of groupBy(requests.filter(isKnown), operationOf)) {
      const isChange = same.some(({ method }) => method === 'POST')
      const bodies = same.map((it) => (isChange ? stablePart(it, stable) : undefined))
      if (!isInOrder(bodies, operation, again, stable)) bodies.sort(byText)
      // In several worlds a condition on one body leaves out the others.
      const isApart = first.worlds.length === 1 && new Set(bodies.map(toText)).size > 1
      for (const [i, body] of bodies.entries()) {
        if (!isChange && i > 0 && i < bodies.length - 1) continue
        const alike = bodies.slice(0, i).filter((it) => toText(it) === toText(body))
        const name = `${operation}.${i + 1}`
        const [own, before] = isApart ? [body, alike.length] : [undefined, i]
        calls.set(name, { name, operation, body: own, before })
      }
    }
  }
  return [...calls.values()]
}

/** `createPayout was called 2 times, then 3`; undefined if equal runs called each operation as often. */
export const findOtherCount = (first: EndedRun, again: EndedRun): string | undefined => {
  const countIn = ({ worlds }: EndedRun, operation: string) =>
    worlds.flatMap(({ requests }) => requests).filter((it) => operationOf(it) === operation).length
  const operations = [first, again].flatMap(({ worlds }) =>
    worlds.flatMap(({ requests }) => requests.map(operationOf)),
  )
  const other = operations.find((it) => countIn(first, it) !== countIn(again, it))
  return (
    other && `${other} was called ${countIn(first, other)} times, then ${countIn(again, other)}`
  )
}

const isKnown = ({ operation }: LogRecord): boolean => operation !== undefined

export const operationOf = ({ operation, path }: LogRecord): string => operation?.id ?? path

const toText = (value: unknown): string => JSON.stringify(value) ?? ''

const byText = (a: unknown, b: unknown): number => (toText(a) < toText(b) ? -1 : 1)

/** Parallel calls arrive in any order. */
const isInOrder = (
  bodies: readonly unknown[],
  operation: string,
  again: EndedRun,
  stable: ReadonlySet<string>,
): boolean => {
  const later = again.worlds[0]?.requests.filter((it) => operationOf(it) === operation) ?? []
  return bodies.every((body, i) => {
    const other = later[i]
    return !body || (other && toText(stablePart(other, stable)) === toText(body))
  })
}

/** Values that come again in a second run: no random ids and no times. */
const findStable = ({ worlds }: EndedRun): ReadonlySet<string> => {
  const values = new Set<string>()
  for (const request of worlds.flatMap(({ requests }) => requests))
    mapBody(request, (key) => values.add(key))
  return values
}

const stablePart = (request: LogRecord, stable: ReadonlySet<string>): Body =>
  mapBody(request, (key, value) => stable.has(key) && !String(value).startsWith('data:'))

/** The body with those of its values that are kept. */
const mapBody = (request: LogRecord, isKept: (key: string, value: unknown) => unknown): Body => {
  const text = JSON.stringify(bodyValue(request.body), (name, value) => {
    if (typeof value === 'object') return value
    return isKept(toText([operationOf(request), name, value]), value) ? value : undefined
  })
  return JSON.parse(text ?? '{}')
}
