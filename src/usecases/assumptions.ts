import { assertAssumption, assertReading, ReadingError } from '../assumptions/parse.js'
import type { AssumptionId } from '../assumptions/register/index.js'
import { badRequest } from '../http/api-error.js'
import { notFound } from '../kernel/refusal.js'

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
