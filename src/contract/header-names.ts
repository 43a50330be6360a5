/** All headers that the sandbox adds to the service's responses. With --cors, pages may read each of them. */
export const RESPONSE_HEADERS = {
  requestId: 'x-request-id',
  /** Lists the assumptions behind a response with their readings. */
  assumed: 'x-sandbox-assumed',
  /** Marks every response that a rule created, altered or delayed, so that it is not mistaken for a bug. */
  fault: 'x-sandbox-fault',
  /** Explains a likely mistake in a header, because the response itself follows the contract. */
  hint: 'x-sandbox-hint',
  allow: 'allow',
  retryAfter: 'retry-after',
  rateLimit: 'ratelimit-limit',
  rateLimitRemaining: 'ratelimit-remaining',
  rateLimitReset: 'ratelimit-reset',
} as const

/** Names the world whose log a refused request belongs to. It grants nothing. */
export const LOG_HEADER = 'x-sandbox-world'

export const {
  requestId: REQUEST_ID_HEADER,
  assumed: ASSUMED_HEADER,
  fault: FAULT_HEADER,
  hint: HINT_HEADER,
  allow: ALLOW_HEADER,
  retryAfter: RETRY_AFTER_HEADER,
} = RESPONSE_HEADERS
