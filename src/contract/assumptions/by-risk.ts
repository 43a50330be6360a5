import { type AssumptionId, assumptionIds, DEFAULTS } from '../../world/reading-names.js'
import type { Relied } from '../../world/readings.js'
import { RISKS, stakes } from './stakes.js'

/** Ranks by number of the id: the highest risk first, then the order of the register. */
const RANKS: readonly number[] = assumptionIds.map(
  (id, n) => RISKS.indexOf(stakes[id].risk) * assumptionIds.length + n,
)

export const compareByRisk = (a: AssumptionId, b: AssumptionId): number =>
  RISKS.indexOf(stakes[a].risk) - RISKS.indexOf(stakes[b].risk)

/** Texts of the sets that `Readings` caches, so that sorting costs nothing per request. */
const known = new WeakMap<Relied, string>()

/** The value of `x-sandbox-assumed`: `<id>=<reading>, …` by risk, without settled readings. */
export const assumedHeader = (relied: Relied): string => {
  if (relied.numbers.length === 0) return ''
  const cached = known.get(relied)
  if (cached !== undefined) return cached
  const text = formatAssumed(relied)
  known.set(relied, text)
  return text
}

const formatAssumed = ({ numbers, others, settled }: Relied): string =>
  numbers
    .toSorted((a, b) => (RANKS[a] ?? a) - (RANKS[b] ?? b))
    .flatMap((n) => {
      const id = assumptionIds[n] as AssumptionId
      const reading = others.get(n) ?? DEFAULTS[id]
      return settled[id] === reading ? [] : [`${id}=${reading}`]
    })
    .join(', ')
