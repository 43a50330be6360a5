import type { ServerResponse } from 'node:http'
import type { Readings } from '../../assumptions/use.js'
import { RETRY_AFTER_HEADER } from '../../contract/header-names.js'
import { invalidValue, inWords } from '../../lib/app-error.js'
import { hasMoreOf } from '../../lib/text.js'
import { ApiError } from './api-error.js'
import { ClientShares, type NameClient } from './clients.js'

const MAX_BODIES = 256 * 1024 * 1024

/** Smaller bodies always have room: the limit of connections limits them too. */
const SMALL_BODY = 64 * 1024

/** Limits the memory of all large bodies together, and of one client, until their responses are sent. */
export class BodyBudget {
  readonly #shares: ClientShares

  constructor(limit = MAX_BODIES) {
    this.#shares = new ClientShares(limit / 4, limit)
  }

  /** Returns a counter for the bytes of one body; the counter returns false when there is no room. */
  countFor(outgoing: ServerResponse, nameClient: NameClient): (bytes: number) => boolean {
    let received = 0
    let held = 0
    return (bytes) => {
      received += bytes
      if (received < SMALL_BODY || outgoing.closed) return true
      const client = nameClient(outgoing.req)
      if (!this.#shares.take(client, received - held)) return false
      if (held === 0) outgoing.once('close', () => this.#shares.take(client, -held))
      held = received
      return true
    }
  }
}

export const bodyTooLarge = (limit: number) =>
  // The rest of the body may be unread, so the connection cannot serve another request.
  new ApiError('4130', `The body is larger than the limit of ${limit} bytes.`, {
    connection: 'close',
  })

export const noRoomForBody = () =>
  new ApiError('5030', 'The bodies of other requests fill the memory for bodies. Retry.', {
    [RETRY_AFTER_HEADER]: '1',
    connection: 'close',
  })

const GATEWAY_LIMIT = 10 * 1024 * 1024

/** Refuses a body that is too large for a gateway (size.limits). */
export const assertPassesGateway = (text: string, readings: Readings): void => {
  // A character takes at most three bytes per unit of length.
  if (text.length * 3 <= GATEWAY_LIMIT || Buffer.byteLength(text) <= GATEWAY_LIMIT) return
  if (readings.size.limits === 'small') throw bodyTooLarge(GATEWAY_LIMIT)
}

const MAX_PARTS = 100_000

/** Refuses bodies with more objects, lists and names than any request has: each costs time and memory. */
export const assertFewParts = (text: string, most = MAX_PARTS): void => {
  if (!hasMoreOf('[{:', text, most)) return
  throw invalidValue('body', inWords(`more than ${most} of [, { and : together`), 'at most as many')
}

/** The contract has neither 413 nor 415. */
export const toInvalid = (error: unknown): unknown =>
  error instanceof ApiError && (error.code === '4130' || error.code === '4150')
    ? new ApiError('4000', error.message, error.headers)
    : error
