import type { ConfirmedReading } from '../assumptions/answers-file.js'
import { ASSUMPTION_INDEX, DEFAULT_READINGS, type ReadingLookup } from '../assumptions/ids.js'
import { type AssumptionId, assumptions } from '../assumptions/register/index.js'
import { RISK_ASSESSMENTS, type Risk } from '../assumptions/register/risks.js'
import { Readings } from '../assumptions/use.js'
import type { PageContext } from './page-context.js'

/** Something that the contract leaves open, as one world sees it. */
export interface AssumptionView {
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
  readonly settled: ConfirmedReading | undefined
  readonly hits: number
  readonly last_hit: number | null
}

/** How a world reads what the contract leaves open: so answers to its clients are written. */
export const worldReader = ({ tables }: PageContext): ReadingLookup => {
  const readings = new Readings(tables.readings)
  return (id) => readings.peek(id)
}

export const assumptionView = (ctx: PageContext, id: AssumptionId): AssumptionView => ({
  id,
  ...assumptions[id],
  ...RISK_ASSESSMENTS[id],
  active: worldReader(ctx)(id),
  byDefault: DEFAULT_READINGS[id],
  settled: ctx.sandbox.confirmed.get(id),
  ...ctx.live.requests.usage.of(ASSUMPTION_INDEX[id]),
})

/** The ids that an exchange relied on. */
export const idsIn = (assumed: readonly string[]): string[] =>
  assumed.map((it) => it.slice(0, it.indexOf('=')))
