import { type AssumptionId, assumptionIds } from '../ids.js'
import type { Assumption } from './assumption.js'
import { assumptions } from './index.js'

/** The assumptions that concern an operation by default, without those that concern every operation. */
export const assumptionsForOperation = (operation: string): AssumptionId[] =>
  assumptionIds.filter((id) => {
    const { operations, otherwise = [] }: Assumption = assumptions[id]
    return operations.includes(operation) && !otherwise.includes(operation)
  })

/** The assumptions that concern every operation. */
export const assumptionsOfAll = (): AssumptionId[] =>
  assumptionIds.filter((id) => operationsNamedBy(id).length === 0)

/** Whether an assumption concerns an operation. Assumptions that name none concern all of them. */
export const concerns = (id: AssumptionId, operation: string | undefined): boolean => {
  const operations = operationsNamedBy(id)
  return operation === undefined || operations.length === 0 || operations.includes(operation)
}

const operationsNamedBy = (id: AssumptionId): readonly string[] => assumptions[id].operations
