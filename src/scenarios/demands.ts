import { Big } from '../world/big.js'
import { type Candidate, theseCandidates } from './candidates.js'
import type { Condition } from './conditions.js'
import type { Difference } from './differences.js'
import { type Counted, type Expectation, fieldsOf } from './expectations.js'
import { decimalOf } from './magnitude.js'
import { checkOf, pathIn } from './match.js'
import type { Thing } from './things.js'
import { valueIn } from './views.js'

/** What an expectation asks of all that it has found together, and why it is not met. */
export interface Unmet {
  readonly words: string
  readonly candidates: readonly Candidate[]
}

/** The values of a field, each with those that have it. Things without the field are left out. */
export const byValue = (
  things: readonly Thing[],
  noun: Counted,
  path: string,
): ReadonlyMap<string, readonly Thing[]> => {
  const field = pathIn(fieldsOf(noun), path)
  const groups = new Map<string, Thing[]>()
  for (const thing of things) {
    const value = valueIn(thing.view, field)
    if (value === undefined || value === null) continue
    const key = JSON.stringify(value)
    groups.set(key, [...(groups.get(key) ?? []), thing])
  }
  return groups
}

/** The first demand of `unique` and `sum` that is not met. */
export const unmetDemand = (
  { unique, sum = {} }: Expectation,
  noun: Counted,
  things: readonly Thing[],
): Unmet | undefined => {
  if (unique !== undefined) {
    const shared = [...byValue(things, noun, unique)].find(([, those]) => those.length > 1)
    if (shared) {
      const [value, those] = shared
      const words = `${those.length} of them have the ${unique} ${value}`
      return { words, candidates: theseCandidates(those) }
    }
  }
  for (const [field, wanted] of Object.entries(sum)) {
    const total = things.reduce(
      (all, { view }) => all.plus(decimalOf(view(field)) ?? 0),
      new Big(0),
    )
    if (checkOf(wanted, 'amount')(total.toFixed())) continue
    const words = `their ${field} adds up to ${total.toFixed()}`
    return { words, candidates: theseCandidates(things, differsIn(field, wanted)) }
  }
  return undefined
}

const differsIn =
  (field: string, wanted: Condition) =>
  ({ view }: Thing): Difference[] => [{ field, wanted, came: view(field) ?? null }]
