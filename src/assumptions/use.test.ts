import { expect, test } from 'vitest'
import { invalid } from '../../test/support/invalid.js'
import { createWorld } from '../domain/world.js'
import { type AssumptionId, assumptionIds } from './ids.js'
import { Readings } from './use.js'

const NUMBERED = assumptionIds.map((_, n) => n)

const asked = (numbers: readonly number[]): Readings => {
  const readings = new Readings(undefined)
  for (const n of numbers) readings.use(assumptionIds[n] as AssumptionId)
  return readings
}

test('usage lists each used assumption and nothing else', () => {
  for (const n of NUMBERED) expect(asked([n]).usage().numbers).toEqual([n])
})

test('usage lists any two assumptions in register order', () => {
  for (const one of NUMBERED) {
    for (const other of NUMBERED.slice(one + 1)) {
      expect(asked([other, one]).usage().numbers).toEqual([one, other])
    }
  }
})

test('usage lists all assumptions together', () => {
  expect(asked(NUMBERED.toReversed()).usage().numbers).toEqual(NUMBERED)
})

test('usage returns one object for equal sets of defaults', () => {
  expect(asked([3, 40]).usage()).toBe(asked([40, 3]).usage())
})

test('reading.choose refuses unknown assumptions and readings', () => {
  const world = createWorld({ seed: '', now: 0, evaluateRules: () => undefined, record: () => {} })
  const choose = (id: string, reading: string) => () =>
    world.run('reading.choose', { id, reading }, { kind: 'library' })
  expect(choose('payout.tip', 'none')).toThrow(
    /^Invalid id: no assumption has the id payout\.tip\.$/,
  )
  expect(choose('payout.rail', 'bank')).toThrow(invalid('reading', 'bank', 'provider, currency'))
  expect(world.tables.readings.size).toBe(0)
})
