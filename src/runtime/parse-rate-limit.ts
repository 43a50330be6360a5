import { parseDuration } from '../kernel/time.js'

/** How many requests a key may make in a window of machine time. */
export interface RateLimit {
  readonly limit: number
  readonly window_ms: number
  /** The window as it was written. */
  readonly window: string
}

const MAX_REQUESTS = 1_000_000
const MAX_MS = 86_400_000
const FORM = /^([1-9]\d{0,6})\/(.+)$/

export const RATE_LIMIT_HELP =
  'a number from 1 to 1000000, a slash and a duration from 1ms to 1d, such as 100/1m or 5/PT1S'

/** Reads `100/1m`; undefined for anything else. */
export const parseRateLimit = (text: string): RateLimit | undefined => {
  const [, count, window = ''] = FORM.exec(text) ?? []
  const limit = Number(count)
  const window_ms = parseDuration(window)
  if (!(limit <= MAX_REQUESTS) || window_ms === undefined) return undefined
  return window_ms >= 1 && window_ms <= MAX_MS ? { limit, window_ms, window } : undefined
}
