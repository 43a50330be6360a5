import * as z from 'zod'
import { DURATION_HELP, DURATION_PATTERN, durationError, parseDuration } from '../../kernel/time.js'

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

/** Limit of all delays of one request together, and of each hold. */
export const MAX_DELAY_MS = 5 * 60_000
