import { assumptionIds } from '../assumptions/ids.js'
import { assertAssumption, assertReading, ReadingError } from '../assumptions/parse.js'
import type { Assumption } from '../assumptions/register/assumption.js'
import { type AssumptionId, assumptions } from '../assumptions/register/index.js'
import { RISK_ASSESSMENTS, RISKS } from '../assumptions/register/risks.js'
import { badRequest } from '../http/api-error.js'
import { notFound } from '../kernel/refusal.js'

/** What the register says of an operation by default, besides what it says of all of them. */
export const assumptionsForOperation = (operation: string): AssumptionId[] =>
  assumptionIds.filter((id) => {
    const { operations, otherwise = [] }: Assumption = assumptions[id]
    return operations.includes(operation) && !otherwise.includes(operation)
  })

/** What the register says of every operation. */
export const assumptionsOfAll = (): AssumptionId[] =>
  assumptionIds.filter((id) => namedBy(id).length === 0)

/** Those of the highest risk first. */
export const byRisk = (ids: readonly AssumptionId[]): AssumptionId[] =>
  RISKS.flatMap((risk) => ids.filter((id) => RISK_ASSESSMENTS[id].risk === risk))

/** Whether an assumption concerns an operation; those that name none concern all of them. */
export const concerns = (id: AssumptionId, operation: string | undefined): boolean => {
  const operations = namedBy(id)
  return operation === undefined || operations.length === 0 || operations.includes(operation)
}

/** The operations that an assumption names. */
const namedBy = (id: AssumptionId): readonly string[] => assumptions[id].operations

/** The id of an assumption; an unknown one is 404, with those named that come near. */
export const knownAssumption = (id: string): AssumptionId => {
  try {
    assertAssumption(id)
  } catch (error) {
    throw error instanceof ReadingError ? notFound('id', error.message) : error
  }
  return id as AssumptionId
}

/** Refuses what is no reading of an assumption. */
export const assertKnownReading = (id: AssumptionId, reading: string): void => {
  try {
    assertReading(id, reading, 'reading')
  } catch (error) {
    throw error instanceof ReadingError ? badRequest(error.message) : error
  }
}
