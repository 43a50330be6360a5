import { type AssumptionId, assumptionIds, DEFAULT_READINGS } from '../assumptions/ids.js'
import { RISKS } from '../assumptions/register/assumption.js'
import { assumptions } from '../assumptions/register/index.js'
import type { AssumptionUse } from '../assumptions/use.js'

/** Rank by number of the id: by risk, then by the order of the register. */
const RANKS: readonly number[] = assumptionIds.map(
  (id, n) => RISKS.indexOf(assumptions[id].risk) * assumptionIds.length + n,
)

/** Header texts of the sets that `Readings` caches, so that requests sort nothing. */
const known = new WeakMap<AssumptionUse, string>()

/** The value of `x-sandbox-assumed`: `<id>=<reading>, …` by risk, without confirmed readings. */
export const assumedHeader = (use: AssumptionUse): string => {
  if (use.numbers.length === 0) return ''
  const cached = known.get(use)
  if (cached !== undefined) return cached
  const text = formatAssumed(use)
  known.set(use, text)
  return text
}

const formatAssumed = ({ numbers, nonDefault, confirmed }: AssumptionUse): string =>
  numbers
    .toSorted((a, b) => (RANKS[a] ?? a) - (RANKS[b] ?? b))
    .flatMap((n) => {
      const id = assumptionIds[n] as AssumptionId
      const reading = nonDefault.get(n) ?? DEFAULT_READINGS[id]
      return confirmed[id] === reading ? [] : [`${id}=${reading}`]
    })
    .join(', ')
