import * as z from 'zod'
import { DURATION_HELP, DURATION_PATTERN, durationError, parseDuration } from '../../kernel/time.js'
import { oneOf, strict } from '../../lib/yaml/strict.js'

/** Delays of a response, in real time, and of the state that it shows, in world time. */

export const duration = z
  .string(DURATION_HELP)
  .refine((text) => parseDuration(text) !== undefined, {
    error: ({ input }) => durationError(String(input)),
  })
  .meta({ pattern: DURATION_PATTERN })

/** A window of zero would let everything pass. */
export const positiveDuration = duration.refine(
  (text) => parseDuration(text) !== 0,
  `${DURATION_HELP}, above zero`,
)

export const parseMs = (duration: string | undefined): number =>
  parseDuration(duration ?? '0s') ?? 0

/** Limit of all delays of one request together. */
export const MAX_DELAY_MS = 5 * 60_000
const DELAY = `milliseconds from 0 to ${MAX_DELAY_MS}, or two of them as [least, most]`
const delay = z.int(DELAY).min(0, DELAY).max(MAX_DELAY_MS, DELAY)

export const delay_ms = z
  .union([delay, z.tuple([delay, delay]).refine(([least, most]) => least <= most, DELAY)], DELAY)
  .optional()
  .describe('Delay in real time, at most five minutes: milliseconds, or [min, max]')

/** `draw` returns the random number of a step. */
export const drawDelay = (
  steps: readonly { readonly delay_ms?: z.output<typeof delay_ms> }[],
  draw: (nth: number) => number,
): number => {
  const all = steps.map(({ delay_ms = 0 }, i) => {
    if (typeof delay_ms === 'number') return delay_ms
    const [least, most] = delay_ms
    return least + Math.floor(draw(i) * (most - least + 1))
  })
  return Math.min(
    all.reduce((sum, ms) => sum + ms, 0),
    MAX_DELAY_MS,
  )
}

const HOLD = `${DURATION_HELP}, at most 5m`
export const hold = strict({
  before: oneOf(['commit', 'answer']).describe(
    'commit: before the command runs; answer: between the command and the response',
  ),
  for: duration
    .refine((text) => parseMs(text) <= MAX_DELAY_MS, HOLD)
    .describe('Real time, at most 5m'),
})
  .optional()
  .describe('Holds the request in real time while others are served: before or after its command')

const TRICKLE = `${DURATION_HELP}, above zero and at most 5m`
export const trickle = strict({
  over: duration
    .refine((text) => parseMs(text) > 0 && parseMs(text) <= MAX_DELAY_MS, TRICKLE)
    .describe('Real time for the body, above zero and at most 5m'),
})
  .optional()
  .describe('Sends the headers at once and the body in up to 100 chunks at equal intervals')

export const stale = positiveDuration
  .optional()
  .describe('Responds to a GET operation with an older state, by this duration in world time')
