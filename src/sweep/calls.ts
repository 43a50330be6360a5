import type { LoggedExchange } from '../history/views.js'
import { groupBy } from '../lib/group-by.js'
import { plural } from '../lib/text.js'
import type { Body, Call } from './cells.js'
import type { EndedRun, FirstRuns } from './run-cell.js'

/** The calls to try faults on: all changes, and of reads the first and the last of each operation. */
export const listCalls = (runs: FirstRuns): Call[] => {
  const { worlds } = runs.first
  const isKept = findStable(runs)
  const calls = new Map<string, Call>()
  for (const { requests } of worlds) {
    // An armed call of the test comes first, so a cell meets its repeat.
    const known = requests.filter((it) => it.operation !== null && !isArmed(it))
    for (const [operation, all] of groupBy(known, operationOf)) {
      const [{ method }] = all as [LoggedExchange]
      const later = runs.again.worlds[0]?.requests.filter((it) => operationOf(it) === operation)
      // Under load a client may repeat a read in one of the runs only.
      const same = worlds.length === 1 ? all.slice(0, later?.length) : all
      const sent = same.map((it, i) => ({
        body: method === 'POST' ? keepOf(it, isKept) : undefined,
        pays: Number(it.status) < 300 && !same.slice(0, i).some((one) => isSameId(one, it)),
      }))
      // Parallel calls arrive in any order.
      const isInOrder = sent.every(({ body }, i) => {
        const other = later?.[i]
        return !body || (other && isAlike(keepOf(other, isKept), body))
      })
      if (!isInOrder) sent.sort((a, b) => (toText(a.body) < toText(b.body) ? -1 : 1))
      // In several worlds a condition on one body leaves out the others.
      const isApart = worlds.length === 1 && sent.some((it) => !isAlike(it.body, sent[0]?.body))
      for (const [i, { body, pays }] of sent.entries()) {
        if (method === 'GET' && i > 0 && i < sent.length - 1) continue
        const alike = sent.slice(0, i).filter((one) => !isApart || isAlike(one.body, body))
        const name = `${operation}.${i + 1}`
        calls.set(name, {
          ...{ name, operation, body: isApart ? body : undefined, before: alike.length },
          made: pays ? alike.filter((one) => one.pays).length : undefined,
        })
      }
    }
  }
  return [...calls.values()]
}

const isArmed = ({ fault }: LoggedExchange): boolean => /^next-\d+\//.test(fault ?? '')

/** `createPayout has 2 calls, then 3`; undefined if equal runs made each change as often. */
export const findOtherCount = ({ first, again }: FirstRuns): string | undefined => {
  const counts = [first, again].map((run) => {
    const changes = listRequests(run).filter(({ method }) => method !== 'GET')
    return groupBy(changes, operationOf)
  })
  for (const operation of counts.flatMap((it) => [...it.keys()])) {
    const [here = 0, there = 0] = counts.map((it) => it.get(operation)?.length ?? 0)
    if (here !== there) return `${operation} has ${plural(here, 'call')}, then ${there}`
  }
  return undefined
}

const listRequests = ({ worlds }: EndedRun): LoggedExchange[] =>
  worlds.flatMap(({ requests }) => requests)

export const operationOf = ({ operation, path }: LoggedExchange): string => operation ?? path

const toText = (value: unknown): string => JSON.stringify(value) ?? ''

const isAlike = (one: unknown, other: unknown): boolean => toText(one) === toText(other)

/** The id under which a client repeats a payout. */
export const idIn = ({ request }: LoggedExchange): string | undefined =>
  Object(request.body).customer_payout_id

/** A repeat under the id of an earlier call makes no payment. */
const isSameId = (one: LoggedExchange, it: LoggedExchange): boolean =>
  idIn(it) !== undefined && idIn(one) === idIn(it)

type IsKept = (key: string, value: unknown) => boolean

/** Values that come again in a second run: no random ids and no times. */
const findStable = ({ first, again }: FirstRuns): IsKept => {
  const [here, there] = [first, again].map((run) => {
    const values = new Set<string>()
    for (const it of listRequests(run)) keepOf(it, (key) => values.add(key).has(key))
    return values
  })
  return (key, value) => !!here?.has(key) && !!there?.has(key) && !String(value).startsWith('data:')
}

/** The body with those of its values that are kept. */
const keepOf = (it: LoggedExchange, isKept: IsKept): Body => {
  const text = JSON.stringify(it.request.body, (name, value) => {
    if (typeof value === 'object') return value
    return isKept(toText([operationOf(it), name, value]), value) ? value : undefined
  })
  return JSON.parse(text ?? '{}')
}
