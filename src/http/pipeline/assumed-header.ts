import { type AssumptionId, assumptionIds } from '../../assumptions/ids.js'
import { compareByRisk } from '../../assumptions/register/assumption.js'
import { assumptions } from '../../assumptions/register/index.js'
import type { Readings } from '../../assumptions/use.js'

/** By risk, then by the order of the register. */
const RANKS = new Map(
  assumptionIds
    .toSorted((a, b) => compareByRisk(assumptions[a], assumptions[b]))
    .map((id, rank) => [id, rank]),
)

const rank = (id: AssumptionId): number => RANKS.get(id) ?? 0

/** The value of `x-sandbox-assumed`: `<id>=<reading>, …` by risk, without confirmed readings. */
export const assumedHeader = ({ used, confirmed }: Readings): string => {
  let text = ''
  for (const id of [...used.keys()].sort((a, b) => rank(a) - rank(b))) {
    const reading = used.get(id)
    if (confirmed?.[id] === reading) continue
    text += `${text === '' ? '' : ', '}${id}=${reading}`
  }
  return text
}
