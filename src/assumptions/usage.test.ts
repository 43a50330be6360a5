import { expect, test } from 'vitest'
import { ASSUMPTION_INDEX, DEFAULT_READINGS } from './ids.js'
import { AssumptionUsage } from './usage.js'
import { Readings } from './use.js'

const n = ASSUMPTION_INDEX['payout.repeat']
const usual = DEFAULT_READINGS['payout.repeat']

/** Counts answers that went by these readings, one a millisecond. */
const counted = (...readings: string[]): AssumptionUsage => {
  const usage = new AssumptionUsage()
  readings.forEach((reading, at) => {
    const asked = new Readings(undefined, { 'payout.repeat': reading })
    asked.use('payout.repeat')
    usage.count(asked.usage(), at)
  })
  return usage
}

test('AssumptionUsage has no readings before the first response', () => {
  expect([...counted().readingsOf(n)]).toEqual([])
})

test('AssumptionUsage counts default readings', () => {
  const usage = counted(usual, usual)
  expect([...usage.readingsOf(n)]).toEqual([[usual, { hits: 2, last_hit: 1 }]])
  expect([...usage.readingsOf(n + 1)]).toEqual([])
})

test('AssumptionUsage counts each reading and their sum', () => {
  const usage = counted(usual, 'replay', usual, 'conflict', 'replay')
  expect(Object.fromEntries(usage.readingsOf(n))).toEqual({
    [usual]: { hits: 2, last_hit: 2 },
    replay: { hits: 2, last_hit: 4 },
    conflict: { hits: 1, last_hit: 3 },
  })
  expect(usage.of(n)).toEqual({ hits: 5, last_hit: 4 })
})

test('AssumptionUsage counts a reading that was never the default', () => {
  expect([...counted('replay').readingsOf(n)]).toEqual([['replay', { hits: 1, last_hit: 0 }]])
})
