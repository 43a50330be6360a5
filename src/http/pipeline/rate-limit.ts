import { RESPONSE_HEADERS, RETRY_AFTER_HEADER } from '../../contract/header-names.js'
import type { JsonResponse } from '../../history/log-record.js'
import { plural } from '../../lib/text.js'
import { parseRateLimit, type RateLimit } from '../../runtime/options.js'
import type { Tenants } from '../../worlds/tenants.js'
import { ApiError } from '../operation/api-error.js'

interface Window {
  readonly start: number
  count: number
}

/** Counts a request of a key, once for all its attempts. Returns headers for the response, or throws 4290. */
export type CountRequest = (
  key: string,
  request: object,
  tenant?: string,
) => JsonResponse['headers']

/** Counts a request of a tenant as so many. */
export type CountTenant = (
  name: string,
  request: object,
  weight?: number,
) => JsonResponse['headers'] | undefined

/**
 * Counts the requests of each key in fixed windows of machine time. A window starts with the first request
 * after the last window, so that a client knows when it may continue.
 */
export const limitRate = (
  { limit, window_ms, window: text }: RateLimit,
  machineTime: () => number,
  sender = 'key',
) => {
  const windows = new Map<string, Window>()
  const counted = new WeakMap<object, JsonResponse['headers']>()
  const isOver = ({ start }: Window, now: number) => now >= start + window_ms
  const open = (key: string, now: number): Window => {
    // The map is ordered by start, so expired windows come first.
    for (const [known, window] of windows) {
      if (!isOver(window, now)) break
      windows.delete(known)
    }
    windows.delete(key)
    const window = { start: now, count: 0 }
    windows.set(key, window)
    return window
  }
  return (key: string, request: object, weight = 1): JsonResponse['headers'] => {
    const earlier = counted.get(request)
    if (earlier) return earlier
    const now = machineTime()
    const known = windows.get(key)
    const window = known && !isOver(known, now) ? known : open(key, now)
    const seconds = Math.max(1, Math.ceil((window.start + window_ms - now) / 1_000))
    const taken = Math.min(weight, limit)
    const isAllowed = window.count + taken <= limit
    if (isAllowed) window.count += taken
    const headers = {
      [RESPONSE_HEADERS.rateLimit]: String(limit),
      [RESPONSE_HEADERS.rateLimitRemaining]: String(limit - window.count),
      [RESPONSE_HEADERS.rateLimitReset]: String(seconds),
    }
    if (isAllowed) {
      counted.set(request, headers)
      return headers
    }
    throw new ApiError(
      '4290',
      `This ${sender} sent more than ${plural(limit, 'request')} in ${text}. Wait ${seconds} s.`,
      { ...headers, [RETRY_AFTER_HEADER]: String(seconds) },
    )
  }
}

export const limitTenants = (tenants: Tenants, machineTime: () => number): CountTenant => {
  const counts = new Map<string, CountTenant>()
  return (name, request, weight) => {
    const text = tenants.find('name', name)?.rate ?? ''
    const rate = parseRateLimit(text)
    const count = counts.get(text) ?? (rate && limitRate(rate, machineTime, 'tenant'))
    if (count) counts.set(text, count)
    return count?.(name, request, weight)
  }
}

/** Counts a request of a key, and one of its tenant. */
export const limitRates = (
  rateLimit: RateLimit | undefined,
  countTenant: CountTenant | undefined,
  machineTime: () => number,
): CountRequest | undefined => {
  const limitKey = rateLimit && limitRate(rateLimit, machineTime)
  const countKey = limitKey && ((key: string, request: object) => limitKey(key, request))
  if (!countTenant) return countKey
  return (key, request, tenant = '') => ({
    ...countKey?.(key, request),
    ...countTenant(tenant, request),
  })
}
