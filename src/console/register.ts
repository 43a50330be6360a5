import { type AssumptionId, assumptions } from '../contract/assumptions/index.js'
import { type Risk, stakes } from '../contract/assumptions/stakes.js'
import type { Settlement } from '../settled.js'
import { DEFAULTS, NUMBERS } from '../world/reading-names.js'
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

export const openOf = ({ sandbox, line, tables }: View, id: AssumptionId): Open => ({
  id,
  ...assumptions[id],
  ...stakes[id],
  active: tables.readings.get(id)?.reading ?? DEFAULTS[id],
  byDefault: DEFAULTS[id],
  settled: sandbox.settled.get(id),
  ...line.requests.reliance.of(NUMBERS[id]),
})

/** The ids that an exchange relied on. */
export const idsIn = (assumed: readonly string[]): string[] =>
  assumed.map((it) => it.slice(0, it.indexOf('=')))
