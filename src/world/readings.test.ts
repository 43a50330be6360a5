import { expect, it } from 'vitest'
import { assumptionIds, DEFAULTS } from './reading-names.js'
import { Readings } from './readings.js'
import { createWorld } from './world.js'

const told = (ids: readonly (typeof assumptionIds)[number][]): string => {
  const readings = new Readings(undefined)
  for (const id of ids) readings.of(id)
  return readings.relied().told
}

const usual = (ids: readonly (typeof assumptionIds)[number][]): string =>
  ids.map((id) => `${id}=${DEFAULTS[id]}`).join(', ')

it('tells each assumption that was asked, and nothing else', () => {
  for (const id of assumptionIds) expect(told([id])).toBe(usual([id]))
})

it('tells any two of them in the order of the register, whichever was asked first', () => {
  for (const [place, one] of assumptionIds.entries()) {
    for (const other of assumptionIds.slice(place + 1)) {
      expect(told([other, one])).toBe(usual([one, other]))
    }
  }
})

it('tells all of them at once', () => {
  expect(told(assumptionIds.toReversed())).toBe(usual(assumptionIds))
  const readings = new Readings(undefined)
  for (const id of assumptionIds) readings.of(id)
  expect(readings.relied().numbers).toEqual(assumptionIds.map((_, n) => n))
})

it('tells nothing of defaults that are settled', () => {
  const [id, other] = ['payout.fee', 'payout.rail'] as const
  const readings = new Readings(undefined, undefined, { [id]: DEFAULTS[id] })
  readings.of(id)
  expect(readings.relied().told).toBe('')
  readings.of(other)
  expect(readings.relied().told).toBe(usual([other]))
})

it('is chosen among the readings of what the register has', () => {
  const world = createWorld({ seed: '', now: 0, react: () => undefined, record: () => {} })
  const choose = (id: string, reading: string) => () =>
    world.run('reading.choose', { id, reading }, { kind: 'library' })
  expect(choose('payout.tip', 'none')).toThrow(/^id: no assumption has the id payout\.tip$/)
  expect(choose('payout.rail', 'bank')).toThrow(
    /^reading: "bank" came; payout\.rail can be read as provider, currency$/,
  )
  expect(world.tables.readings.size).toBe(0)
})
