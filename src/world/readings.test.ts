import { expect, it } from 'vitest'
import { assumptionIds, DEFAULTS } from './reading-names.js'
import { Readings } from './readings.js'

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
