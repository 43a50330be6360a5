import type { AssumptionId } from '../assumptions/ids.js'
import { groupBy } from '../lib/group-by.js'
import { plural } from '../lib/text.js'
import { type Contract, listRoutes } from './contract.js'
import { type Contradiction, findContradictions } from './decisions.js'
import { createComparer, findNewFacts, isUnreadable, type NewFact } from './departures.js'
import { createReader, type Exchange } from './exchange.js'
import type { Facts } from './facts.js'
import type { HarFile } from './har.js'
import { Traffic } from './traffic.js'
import { judge, type Verdict } from './verdicts.js'

export interface Calibration {
  readonly verdicts: ReadonlyMap<AssumptionId, Verdict>
  readonly newFacts: readonly NewFact[]
  readonly contradictions: readonly Contradiction[]
  /** Of the service, in order of file and time. */
  readonly exchanges: readonly Exchange[]
  readonly origin: string
  readonly isComplete: boolean
  /** The requests that were left out, in words. */
  readonly notes: readonly string[]
  readonly contractVersion: string
}

interface Settings {
  readonly contract: Contract
  readonly facts: Facts
  /** The origin to judge; otherwise the one with most requests of our operations. */
  readonly against?: string | undefined
}

/** Undefined if no entry is of the service. */
export const calibrate = (
  files: readonly HarFile[],
  { contract, facts, against }: Settings,
): Calibration | undefined => {
  const routes = listRoutes(contract)
  const read = createReader(routes)
  // Clocks of two machines differ, so only the requests of one file have an order.
  const parsed = files.flatMap(({ entries }, source) =>
    entries
      .flatMap((entry, place) => read(entry, { n: 0, number: place + 1, source }) ?? [])
      .sort((a, b) => a.at - b.at),
  )
  const entries = files.reduce((sum, file) => sum + file.entries.length, 0)
  const byOrigin = groupBy(parsed, ({ origin }) => origin)
  const origin = against ?? findMain(byOrigin)
  const own = byOrigin.get(origin ?? '')
  if (origin === undefined || !own?.some(({ operation }) => operation !== undefined))
    return undefined
  const compare = createComparer(contract, routes)
  const answers = own.map((x) => ({ x, departures: compare(x) }))
  const exchanges = answers.map(({ x, departures }, n) => ({
    ...x,
    n,
    answer: departures.some(isUnreadable) ? undefined : x.answer,
  }))
  const isComplete = files.every((file) => file.isComplete) && !exchanges.some(isCutRequest)
  const traffic = new Traffic(exchanges, isComplete, facts)
  return {
    verdicts: judge(traffic),
    newFacts: findNewFacts(answers),
    contradictions: findContradictions(traffic),
    exchanges,
    origin,
    isComplete,
    notes: describeRest(byOrigin, origin, entries - parsed.length),
    contractVersion: contract.info.version,
  }
}

/** It may name a payout or a wallet that exists since. */
const isCutRequest = ({ operation, isCut }: Exchange): boolean =>
  isCut && (operation === 'createPayout' || operation === 'createCustodyWallet')

const findMain = (byOrigin: ReadonlyMap<string, readonly Exchange[]>): string | undefined => {
  const counts = [...byOrigin].map(([origin, list]) => ({
    origin,
    count: list.filter(({ operation }) => operation !== undefined).length,
  }))
  return counts.sort((a, b) => b.count - a.count)[0]?.origin
}

const describeRest = (
  byOrigin: ReadonlyMap<string, readonly Exchange[]>,
  own: string,
  skipped: number,
): string[] => [
  ...[...byOrigin]
    .filter(([origin]) => origin !== own)
    .map(([origin, list]) => `${plural(list.length, 'request')} to ${origin} left out`),
  ...(skipped > 0
    ? [`${skipped === 1 ? '1 entry is' : `${skipped} entries are`} no request of the service`]
    : []),
]
