import { type AssumptionId, assumptions } from '../contract/assumptions/index.js'
import { assertAssumption, assertReading, ReadingError } from '../readings.js'
import { unknown } from '../world/kernel/refusal.js'
import { invalid } from './wire-error.js'

/** Whether an assumption concerns an operation; those that name none concern all of them. */
export const concerns = (id: AssumptionId, operation: string | undefined): boolean => {
  const { operations } = assumptions[id] as { operations: readonly string[] }
  return operation === undefined || operations.length === 0 || operations.includes(operation)
}

/** The id of an assumption; an unknown one is 404, with those named that come near. */
export const knownAssumption = (id: string): AssumptionId => {
  try {
    assertAssumption(id)
  } catch (error) {
    throw error instanceof ReadingError ? unknown('id', error.message) : error
  }
  return id as AssumptionId
}

/** Refuses what is no reading of an assumption. */
export const assertKnownReading = (id: AssumptionId, reading: string): void => {
  try {
    assertReading(id, reading, 'reading')
  } catch (error) {
    throw error instanceof ReadingError ? invalid(error.message) : error
  }
}
