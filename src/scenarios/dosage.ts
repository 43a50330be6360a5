import { Dice } from '../world/kernel/dice.js'
import type { RuleCount } from '../world/kernel/rules.js'
import type { Tables } from '../world/world.js'
import type { View } from './match.js'
import { valueIn } from './views.js'

/** How often a rule fires; `<scenario>/<rule>` is its name. */
export interface Dosage {
  readonly name: string
  readonly skip: number
  readonly limit: number
  readonly per: string | undefined
  readonly chance: number
  /** Whether anything has to be counted for it. */
  readonly isCounted: boolean
}

/** Whether a rule that matched fires, and the count to keep of it. */
export interface Dose {
  readonly fires: boolean
  readonly count: RuleCount | undefined
}

const FIRES: Dose = { fires: true, count: undefined }
const EXHAUSTED: Dose = { fires: false, count: undefined }

/** Whether a rule has fired as often as it may: it matches no more, whatever comes. */
export const isExhausted = ({ name, limit, per }: Dosage, tables: Tables): boolean =>
  limit < Number.POSITIVE_INFINITY &&
  per === undefined &&
  (tables.rule_counts.get(name)?.fired ?? 0) >= limit

/** Passes over the first matches, fires on the next as often as it may, and then matches no more. */
export const doseOf = (dosage: Dosage, view: View, tables: Tables, seed: string): Dose => {
  if (!dosage.isCounted) return FIRES
  const { name, skip, limit, per, chance } = dosage
  const id = per === undefined ? name : `${name}/${keyOf(valueIn(view, per))}`
  const known = tables.rule_counts.get(id) ?? { ...NOTHING, id }
  if (known.fired >= limit) return EXHAUSTED
  const matched = known.matched + 1
  const fires = matched > skip && (chance >= 1 || draw(seed, id, matched, 0) < chance)
  return { fires, count: { ...known, matched, fired: known.fired + (fires ? 1 : 0) } }
}

/** What tells one value of a field from another: an object by all that it holds. */
const keyOf = (value: unknown): string =>
  typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value ?? '')

const NOTHING = { n: 0, matched: 0, fired: 0, window_from: null, passed: 0 }

/** A number from 0 to below 1, drawn from seed, rule and how often the rule has matched. */
export const draw = (seed: string, rule: string, matched: number, nth: number): number => {
  const bytes = new Dice(`${seed}/${rule}`).roll(matched, nth)
  return new DataView(bytes.buffer, bytes.byteOffset).getUint32(0) / 2 ** 32
}
