import { strict, wholeNumber } from '../../lib/yaml/strict.js'
import { defineFault } from './define.js'
import { REST } from './respond.js'
import { parseMs, positiveDuration } from './timing.js'

/** Its response, unless a respond step is beside it. */
export const TOO_MANY = { respond: { status: 429, retry_after: REST } }

export const throttle = defineFault({
  field: 'throttle',
  schema: strict({
    limit: wholeNumber(1, 1_000_000).describe('Requests per window'),
    window: positiveDuration.describe(
      'Length of a window in world time; it starts with its first request',
    ),
  }),
  about:
    'Responds with 429 and retry-after, or with the respond step beside it, beyond a number of requests per window',
  examples: ['{ limit: 10, window: 10s }'],
  fills: () => [],
  effect: () => ({}),
  /** Lets a number of requests pass per window. The first of them starts the window. */
  quota:
    ({ limit, window }) =>
    (count, now) => {
      const { window_from, passed, fired } = count
      const end = window_from === null ? now : window_from + parseMs(window)
      const allowed = { ...count, fired: fired - 1 }
      if (now >= end) return { kept: { ...allowed, window_from: now, passed: 1 } }
      if (passed < limit) return { kept: { ...allowed, passed: passed + 1 } }
      return { kept: count, rest_ms: end - now }
    },
  sentence: ({ limit, window }) => `beyond ${limit} in ${window}`,
  beside: ['respond'],
  isCounted: () => true,
})
