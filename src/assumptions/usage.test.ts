import { expect, test } from 'vitest'
import { DEFAULT_READINGS } from './ids.js'
import { AssumptionUsage } from './usage.js'
import { Readings } from './use.js'

const id = 'payout.repeat'
const usual = DEFAULT_READINGS[id]

/** Counts answers that went by these readings, one a millisecond. */
const counted = (...readings: string[]): AssumptionUsage => {
  const usage = new AssumptionUsage()
  readings.forEach((reading, at) => {
    const asked = new Readings(undefined, { [id]: reading })
    asked.of(id)
    usage.count(asked.used, at)
  })
  return usage
}

test('AssumptionUsage counts each reading and their sum', () => {
  const usage = counted(usual, 'replay', usual, 'conflict', 'replay')
  expect(Object.fromEntries(usage.readingsOf(id))).toEqual({
    [usual]: { hits: 2, last_hit: 2 },
    replay: { hits: 2, last_hit: 4 },
    conflict: { hits: 1, last_hit: 3 },
  })
  expect(usage.of(id)).toEqual({ hits: 5, last_hit: 4 })
})
