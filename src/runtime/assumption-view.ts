import type { ConfirmedReading } from '../assumptions/answers-file.js'
import { DEFAULT_READINGS } from '../assumptions/ids.js'
import { assertAssumption, assertReading, ReadingError } from '../assumptions/parse.js'
import type { Risk } from '../assumptions/register/assumption.js'
import { type AssumptionId, assumptions } from '../assumptions/register/index.js'
import type { AssumptionUsage } from '../assumptions/usage.js'
import { readIn } from '../domain/assumptions.js'
import { notFound, ruleViolation } from '../kernel/refusal.js'
import type { LiveWorld } from '../worlds/live-world.js'
import type { Sandbox } from './sandbox.js'

export interface AssumptionView {
  readonly id: AssumptionId
  readonly question: string
  /** Empty if it concerns all operations. */
  readonly operations: readonly string[]
  readonly readings: readonly { readonly name: string; readonly means: string }[]
  readonly active: string
  readonly default: string
  readonly basis: string
  readonly risk: Risk
  readonly consequence: string
  readonly confirmed: ConfirmedReading | undefined
  readonly hits: number
  readonly last_hit: number | null
}

export const viewAssumption = (
  sandbox: Sandbox,
  { world, requests }: LiveWorld,
  id: AssumptionId,
  counts: AssumptionUsage = requests.usage,
): AssumptionView => {
  const { question, operations, readings, basis, risk, consequence } = assumptions[id]
  return {
    id,
    question,
    operations,
    readings,
    active: readIn(world.tables, id),
    default: DEFAULT_READINGS[id],
    basis,
    risk,
    consequence,
    confirmed: sandbox.confirmed.get(id),
    ...counts.of(id),
  }
}

/** The error for an unknown id lists similar ids. */
export const parseAssumptionId = (id: string): AssumptionId => {
  try {
    assertAssumption(id)
  } catch (error) {
    throw error instanceof ReadingError ? notFound('id', error.message) : error
  }
  return id as AssumptionId
}

export const assertKnownReading = (id: AssumptionId, reading: string): void => {
  try {
    assertReading(id, reading, 'reading')
  } catch (error) {
    throw error instanceof ReadingError ? ruleViolation(undefined, error.message) : error
  }
}
