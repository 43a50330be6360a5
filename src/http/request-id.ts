import { randomFillSync } from 'node:crypto'
import { isUuid } from '../values.js'
import { uuidOf } from '../world/kernel/dice.js'
import type { Readings } from '../world/readings.js'

export const REQUEST_ID_HEADER = 'x-request-id'

const BYTES_PER_ID = 16
const pool = new Uint8Array(BYTES_PER_ID * 256)
let next = pool.length

/** A random UUID for one request, from random bytes fetched by the hundred. */
export const newRequestId = (): string => {
  if (next === pool.length) {
    randomFillSync(pool)
    next = 0
  }
  next += BYTES_PER_ID
  return uuidOf(pool, next - BYTES_PER_ID)
}

/** The id of a request: its own if it came with one, and where that is taken over (request.id). */
export const requestIdBy = (given: string | undefined, readings: Readings): string =>
  isUuid(given) && readings.of('request.id') === 'taken_over' ? given.toLowerCase() : newRequestId()
