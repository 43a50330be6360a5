import { type AssumptionId, assumptionIds, READINGS } from '../assumptions/ids.js'
import { evidence } from './evidence/index.js'
import type { Left } from './evidence/rows.js'
import type { Exchange } from './exchange.js'
import type { Traffic } from './traffic.js'

export type Outcome =
  | 'confirmed'
  | 'narrowed'
  | 'not seen'
  | 'no difference'
  | 'contradictory'
  | 'unexplained'

/** Exchanges that fit only some readings. */
export interface Observation {
  readonly readings: readonly string[]
  readonly why: string
  readonly shown: readonly Exchange[]
}

export interface Verdict {
  readonly id: AssumptionId
  readonly outcome: Outcome
  /** The readings that remain possible. */
  readonly left: readonly string[]
  readonly observations: readonly Observation[]
}

/** The verdict on each open question. Evidence may ask what other questions are narrowed to. */
export const judge = (traffic: Traffic): ReadonlyMap<AssumptionId, Verdict> => {
  const verdicts = new Map<AssumptionId, Verdict>()
  const find = (id: AssumptionId): Verdict => {
    const known = verdicts.get(id)
    if (known) return known
    const verdict = judgeOne(traffic, id, left)
    verdicts.set(id, verdict)
    return verdict
  }
  const left: Left = (id) => find(id).left as ReturnType<typeof left<typeof id>>
  for (const id of assumptionIds) find(id)
  return new Map(assumptionIds.map((id) => [id, find(id)]))
}

/** More requests that show the same add nothing. */
const ENOUGH = 4

const judgeOne = (traffic: Traffic, id: AssumptionId, left: Left): Verdict => {
  const { find, isMoot } = evidence[id]
  const byReadings = new Map<string, Observation[]>()
  const note = (
    readings: string | readonly string[],
    why: string,
    ...shown: readonly Exchange[]
  ) => {
    const name = String(readings)
    const known = byReadings.get(name) ?? []
    byReadings.set(name, known)
    if (known.length < ENOUGH) known.push({ readings: [readings].flat(), why, shown })
  }
  find(traffic, note, left)
  const observations = [...byReadings.values()].flat()
  const all: readonly string[] = READINGS[id]
  const rest = all.filter((it) => observations.every(({ readings }) => readings.includes(it)))
  const outcome = nameOutcome(observations, rest.length, all.length)
  const isKnown = outcome === 'confirmed' || outcome === 'narrowed'
  return {
    id,
    outcome: outcome === 'not seen' && isMoot?.(left) ? 'no difference' : outcome,
    left: isKnown ? rest : all,
    observations,
  }
}

const nameOutcome = (observations: readonly Observation[], left: number, all: number): Outcome => {
  if (observations.some(({ readings }) => readings.length === 0)) return 'unexplained'
  if (left === 0) return 'contradictory'
  if (left === 1) return 'confirmed'
  return left < all ? 'narrowed' : 'not seen'
}
