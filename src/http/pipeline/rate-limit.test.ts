import { expect, test } from 'vitest'
import { ApiError } from '../operation/api-error.js'
import { limitRate } from './rate-limit.js'

const RATE = { limit: 2, window_ms: 10_000, window: '10s' }

/** A limit with a clock to set, and what it answers: what remains, or the seconds to wait. */
const open = () => {
  const clock = { now: 0 }
  const count = limitRate(RATE, () => clock.now)
  const ask = (key: string, now: number): string => {
    clock.now = now
    try {
      const headers = count(key, {})
      return `${headers['ratelimit-remaining']} left, ${headers['ratelimit-reset']} s`
    } catch (error) {
      return `wait ${(error as ApiError).headers['retry-after']} s`
    }
  }
  return { ask, count }
}

test('opens a window with the first request, and the next one after its end', () => {
  const { ask } = open()
  expect(ask('a', 500)).toBe('1 left, 10 s')
  expect(ask('a', 600)).toBe('0 left, 10 s')
  expect(ask('a', 9_499)).toBe('wait 2 s')
  expect(ask('a', 10_499)).toBe('wait 1 s')
  expect(ask('a', 10_500)).toBe('1 left, 10 s')
})

test('does not count what it refuses', () => {
  const { ask } = open()
  for (let n = 0; n < 10; n += 1) ask('a', 0)
  expect(ask('a', 10_000)).toBe('1 left, 10 s')
})

test('counts each key for itself', () => {
  const { ask } = open()
  expect([ask('a', 0), ask('a', 0), ask('a', 0)].at(-1)).toBe('wait 10 s')
  expect(ask('b', 5_000)).toBe('1 left, 10 s')
  expect(ask('a', 10_000)).toBe('1 left, 10 s')
  expect(ask('b', 10_000)).toBe('0 left, 5 s')
})

test('names limit and window', () => {
  const { ask, count } = open()
  expect([ask('a', 0), ask('a', 0)]).toHaveLength(2)
  const again = () => count('a', {})
  expect(again).toThrow(ApiError)
  expect(again).toThrow('This key sent more than 2 requests in 10s. Wait 10 s.')
})
