import { expect, test } from 'vitest'
import { invalid } from '../../test/support/invalid.js'
import { createWorld } from './world.js'

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
