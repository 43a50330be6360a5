import { bodyValue } from '../history/bodies.js'
import type { LogRecord } from '../history/log-record.js'
import { groupBy } from '../lib/group-by.js'
import { plural } from '../lib/text.js'
import type { Body, Call } from './cells.js'
import type { EndedRun } from './run-cell.js'

/** The calls to try faults on: all changes, and of reads the first and the last of each operation. */
export const listCalls = (first: EndedRun, again: EndedRun): Call[] => {
  const stable = findStable(first, again)
  const calls = new Map<string, Call>()
  for (const { requests } of first.worlds) {
    for (const [operation, all] of groupBy(requests.filter(isKnown), operationOf)) {
      // Under load a client may repeat a call in one of the runs only.
      const same = first.worlds.length === 1 ? all.slice(0, countCalls(again, operation)) : all
      const isChange = same.some(({ method }) => method === 'POST')
      const sent = same.map((it, i) => ({
        body: isChange ? stablePart(it, stable) : undefined,
        isRepeat: same.slice(0, i).some((one) => isSameId(one, it)),
      }))
      if (!isInOrder(sent, operation, again, stable)) sent.sort(byBody)
      // In several worlds a condition on one body leaves out the others.
      const isApart = first.worlds.length === 1 && new Set(sent.map(bodyOf)).size > 1
      for (const [i, it] of sent.entries()) {
        if (!isChange && i > 0 && i < sent.length - 1) continue
        const alike = sent.slice(0, i).filter((one) => !isApart || bodyOf(one) === bodyOf(it))
        const name = `${operation}.${i + 1}`
        calls.set(name, {
          ...{ name, operation, body: isApart ? it.body : undefined, before: alike.length },
          made: it.isRepeat ? undefined : alike.filter((one) => !one.isRepeat).length,
        })
      }
    }
  }
  return [...calls.values()]
}

/** `createPayout has 2 calls, then 3`; undefined if equal runs made each change as often. */
export const findOtherCount = (first: EndedRun, again: EndedRun): string | undefined => {
  const changes = [first, again].flatMap(listRequests).filter(({ method }) => method !== 'GET')
  const count = (it: LogRecord) => [first, again].map((run) => countCalls(run, operationOf(it)))
  const other = changes.find((it) => count(it)[0] !== count(it)[1])
  if (!other) return undefined
  const [here = 0, there] = count(other)
  return `${operationOf(other)} has ${plural(here, 'call')}, then ${there}`
}

const listRequests = ({ worlds }: EndedRun): LogRecord[] =>
  worlds.flatMap(({ requests }) => requests)

const countCalls = (run: EndedRun, operation: string): number =>
  listRequests(run).filter((it) => operationOf(it) === operation).length

const isKnown = ({ operation }: LogRecord): boolean => operation !== undefined

export const operationOf = ({ operation, path }: LogRecord): string => operation?.id ?? path

const toText = (value: unknown): string => JSON.stringify(value) ?? ''

const bodyOf = ({ body }: { readonly body: unknown }): string => toText(body)

const byBody = (a: { readonly body: unknown }, b: { readonly body: unknown }): number =>
  bodyOf(a) < bodyOf(b) ? -1 : 1

/** A repeat under the id of an earlier call makes no payment. */
const isSameId = (one: LogRecord, it: LogRecord): boolean => {
  const [id, other] = [one, it].map(({ body }) => Object(bodyValue(body)).customer_payout_id)
  return id !== undefined && id === other
}

/** Parallel calls arrive in any order. */
const isInOrder = (
  sent: readonly { readonly body: unknown }[],
  operation: string,
  again: EndedRun,
  stable: ReadonlySet<string>,
): boolean => {
  const later = again.worlds[0]?.requests.filter((it) => operationOf(it) === operation) ?? []
  return sent.every(({ body }, i) => {
    const other = later[i]
    return !body || (other && toText(stablePart(other, stable)) === toText(body))
  })
}

/** Values that come again in a second run: no random ids and no times. */
const findStable = (first: EndedRun, again: EndedRun): ReadonlySet<string> => {
  const [here, there] = [first, again].map((run) => {
    const values = new Set<string>()
    for (const request of listRequests(run)) mapBody(request, (key) => values.add(key))
    return values
  })
  return new Set([...(here ?? [])].filter((it) => there?.has(it)))
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
