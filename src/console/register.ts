import { type AssumptionId, assumptions } from '../contract/assumptions/index.js'
import { type Risk, stakes } from '../contract/assumptions/stakes.js'
import type { Reader } from '../contract/doubts.js'
import type { Settlement } from '../settled.js'
import { DEFAULTS, NUMBERS } from '../world/reading-names.js'
import { Readings } from '../world/readings.js'
import type { View } from './view.js'

/** Something that the contract leaves open, as one world sees it. */
export interface Open {
  readonly id: AssumptionId
  readonly question: string
  readonly operations: readonly string[]
  readonly readings: readonly { readonly name: string; readonly means: string }[]
  readonly basis: string
  readonly risk: Risk
  readonly consequence: string
  /** How the world reads it now. */
  readonly active: string
  readonly byDefault: string
  readonly settled: Settlement | undefined
  readonly hits: number
  readonly last_hit: number | null
}

/** How a world reads what the contract leaves open: so answers to its clients are written. */
export const readerOf = ({ tables }: View): Reader => {
  const readings = new Readings(tables.readings)
  return (id) => readings.peek(id)
}

export const openOf = (view: View, id: AssumptionId): Open => ({
  id,
  ...assumptions[id],
  ...stakes[id],
  active: readerOf(view)(id),
  byDefault: DEFAULTS[id],
  settled: view.sandbox.settled.get(id),
  ...view.line.requests.reliance.of(NUMBERS[id]),
})

/** The ids that an exchange relied on. */
export const idsIn = (assumed: readonly string[]): string[] =>
  assumed.map((it) => it.slice(0, it.indexOf('=')))
