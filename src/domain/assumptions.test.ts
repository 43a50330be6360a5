import { expect, test } from 'vitest'
import { emptyWorld } from '../../test/support/domain-world.js'
import { invalid } from '../../test/support/invalid.js'

test('reading.choose refuses unknown assumptions and readings', () => {
  const world = emptyWorld({ now: 0 })
  const choose = (id: string, reading: string) => () =>
    world.run('reading.choose', { id, reading }, { kind: 'library' })
  expect(choose('payout.tip', 'none')).toThrow(
    /^Invalid id: no assumption has the id payout\.tip\.$/,
  )
  expect(choose('payout.rail', 'bank')).toThrow(invalid('reading', 'bank', 'provider, currency'))
  expect(world.tables.readings.size).toBe(0)
})
