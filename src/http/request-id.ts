import { randomFillSync } from 'node:crypto'
import { formatUuid } from '../kernel/prng.js'

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
  return formatUuid(pool, next - BYTES_PER_ID)
}
