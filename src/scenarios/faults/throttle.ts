import type * as z from 'zod'
import type { RuleCount } from '../../kernel/rules.js'
import type { Instant } from '../../kernel/time.js'
import { strict, wholeNumber } from '../../lib/yaml/strict.js'
import { parseMs, positiveDuration } from './timing.js'

const limits = strict({
  limit: wholeNumber(1, 1_000_000).describe('Requests per window'),
  window: positiveDuration.describe(
    'Length of a window in world time; it starts with its first request',
  ),
})

export const throttle = limits
  .optional()
  .describe(
    'Responds with 429, or with the respond step beside it, beyond a number of requests per window',
  )

/** Lets a number of requests pass per window. The first of them starts the window. */
export const applyThrottle = (
  count: RuleCount,
  { limit, window }: z.output<typeof limits>,
  now: Instant,
): { kept: RuleCount; wait_ms: number | undefined } => {
  const { window_from, passed, fired } = count
  const end = window_from === null ? now : window_from + parseMs(window)
  const allowed = { ...count, fired: fired - 1 }
  if (now >= end) return { kept: { ...allowed, window_from: now, passed: 1 }, wait_ms: undefined }
  if (passed < limit) return { kept: { ...allowed, passed: passed + 1 }, wait_ms: undefined }
  return { kept: count, wait_ms: end - now }
}
