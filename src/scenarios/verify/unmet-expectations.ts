import { Decimal } from '../../domain/money.js'
import { valueIn } from '../evaluate/field-access.js'
import { parseDecimal } from '../language/comparison.js'
import { type Counted, type Expectation, listFields } from '../language/expectations.js'
import { compileCheck, pathIn } from '../language/match.js'
import { type NearMiss, toNearMisses } from './near-misses.js'
import type { Subject } from './subjects.js'

/** A demand on all found items together, and why it fails. */
export interface UnmetExpectation {
  readonly words: string
  readonly candidates: readonly NearMiss[]
}

/** Items by the values of fields, in words; items without one of the fields are left out. */
export const byValues = (
  things: readonly Subject[],
  noun: Counted,
  paths: readonly string[],
): ReadonlyMap<string, readonly Subject[]> => {
  const fields = paths.map((path) => pathIn(listFields(noun), path))
  const groups = new Map<string, Subject[]>()
  for (const subject of things) {
    const values = fields.map((field) => valueIn(subject.reader, field) ?? null)
    if (values.includes(null)) continue
    const key = paths.map((path, i) => `${path} ${JSON.stringify(values[i])}`).join(' and ')
    groups.set(key, [...(groups.get(key) ?? []), subject])
  }
  return groups
}

/** The first failed demand of `unique` and `sum`. */
export const unmetDemand = (
  { unique, sum = {} }: Expectation,
  noun: Counted,
  things: readonly Subject[],
): UnmetExpectation | undefined => {
  if (unique !== undefined) {
    const groups = byValues(things, noun, [unique].flat())
    const shared = [...groups].find(([, those]) => those.length > 1)
    if (shared) {
      const [values, those] = shared
      const words = `${those.length} of them have the ${values}`
      return { words, candidates: toNearMisses(those) }
    }
  }
  for (const [field, wanted] of Object.entries(sum)) {
    const total = things.reduce(
      (all, { reader }) => all.plus(parseDecimal(reader(field)) ?? 0),
      new Decimal(0),
    )
    if (compileCheck(wanted, 'amount')(total.toFixed())) continue
    const words = `their ${field} adds up to ${total.toFixed()}`
    return { words, candidates: toNearMisses(things) }
  }
  return undefined
}
