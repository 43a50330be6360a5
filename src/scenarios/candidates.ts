import type { Conditions } from './conditions.js'
import { type Comparison, compare, type Difference } from './differences.js'
import { distanceOf } from './distance.js'
import { fieldsOf } from './expectations.js'
import type { Thing } from './things.js'

/** What came near, and how it differs from what was expected. */
export interface Candidate {
  readonly noun: string
  readonly id: string
  readonly what: string
  readonly differs: readonly Difference[]
}

const MOST_CANDIDATES = 3

/** What a request is: another operation with the wanted status is further away than the wanted operation. */
const IDENTITY = ['operation', 'path', 'method']

const isOther = ({ differs }: Comparison): boolean =>
  differs.some(({ field }) => IDENTITY.includes(field))

const byNearness = (a: Comparison, b: Comparison): number =>
  Number(isOther(a)) - Number(isOther(b)) ||
  b.held - a.held ||
  a.differs.length - b.differs.length ||
  distanceOf(a.differs) - distanceOf(b.differs)

/** Those that fulfil most of the conditions, then those with the nearest values, then the oldest. */
export const nearestCandidates = (
  conditions: Conditions,
  things: readonly Thing[],
): Candidate[] => {
  const compared = things.map((thing) => ({
    thing,
    ...compare(conditions, thing.view, fieldsOf(thing.noun)),
  }))
  return compared
    .sort(byNearness)
    .slice(0, MOST_CANDIDATES)
    .map(({ thing, differs }) => candidate(thing, differs))
}

/** Things as they are, when it is their number or their order that is wrong. */
export const theseCandidates = (
  things: readonly Thing[],
  differs: (thing: Thing) => readonly Difference[] = () => [],
): Candidate[] =>
  things
    .slice(0, MOST_CANDIDATES)
    .map((thing) => ({ ...candidate(thing, differs(thing)), what: detailed(thing) }))

const detailed = ({ what, detail }: Thing): string => [what, ...(detail?.() ?? [])].join(', ')

const candidate = ({ noun, id, what }: Thing, differs: readonly Difference[]): Candidate => ({
  noun,
  id,
  what,
  differs,
})
