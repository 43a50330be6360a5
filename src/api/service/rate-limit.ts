import { ApiError } from '../../http/api-error.js'
import { plural } from '../../lib/text.js'
import type { JsonResponse } from '../../request-log/log-record.js'
import type { RateLimit } from '../../runtime/parse-rate-limit.js'

/** What a key has made of its window. */
interface Window {
  readonly start: number
  count: number
}

/** Counts a request of a key: the headers of its answer, or 4290 thrown. */
export type CountRequest = (key: string) => JsonResponse['headers']

/**
 * Makes what counts the requests of each key in fixed windows of machine time. A window starts with the
 * first request after the one before has ended, so that a client can tell when it may go on.
 */
export const limitRate = (rate: RateLimit, machineTime: () => number): CountRequest => {
  const { limit, window_ms } = rate
  const windows = new Map<string, Window>()
  const isOver = ({ start }: Window, now: number) => now >= start + window_ms
  const open = (key: string, now: number): Window => {
    // They stand in the order in which they started, so that those that have ended come first.
    for (const [known, window] of windows) {
      if (!isOver(window, now)) break
      windows.delete(known)
    }
    windows.delete(key)
    const window = { start: now, count: 0 }
    windows.set(key, window)
    return window
  }
  return (key) => {
    const now = machineTime()
    const known = windows.get(key)
    const window = known && !isOver(known, now) ? known : open(key, now)
    const seconds = Math.max(1, Math.ceil((window.start + window_ms - now) / 1_000))
    const isAllowed = window.count < limit
    if (isAllowed) window.count += 1
    const headers = {
      'ratelimit-limit': String(limit),
      'ratelimit-remaining': String(limit - window.count),
      'ratelimit-reset': String(seconds),
    }
    if (isAllowed) return headers
    throw tooMany(rate, `Wait ${seconds} s`, { ...headers, 'retry-after': String(seconds) })
  }
}

const tooMany = ({ limit, window }: RateLimit, wait: string, headers: JsonResponse['headers']) =>
  new ApiError(
    '4290',
    `This key sent more than ${plural(limit, 'request')} in ${window}. ${wait}.`,
    headers,
  )
