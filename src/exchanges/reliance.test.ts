import { expect, it } from 'vitest'
import { DEFAULTS, NUMBERS } from '../world/reading-names.js'
import { Readings } from '../world/readings.js'
import { Reliance } from './reliance.js'

const n = NUMBERS['payout.repeat']
const usual = DEFAULTS['payout.repeat']

/** Counts answers that went by these readings, one a millisecond. */
const counted = (...readings: string[]): Reliance => {
  const reliance = new Reliance()
  readings.forEach((reading, at) => {
    const asked = new Readings(undefined, { 'payout.repeat': reading })
    asked.of('payout.repeat')
    reliance.count(asked.relied(), at)
  })
  return reliance
}

it('knows of no reading before an answer relied on one', () => {
  expect([...counted().readingsOf(n)]).toEqual([])
})

it('counts what is read by default', () => {
  const reliance = counted(usual, usual)
  expect([...reliance.readingsOf(n)]).toEqual([[usual, { hits: 2, last_hit: 1 }]])
  expect([...reliance.readingsOf(n + 1)]).toEqual([])
})

it('counts each reading by itself, and all of them together', () => {
  const reliance = counted(usual, 'replay', usual, 'conflict', 'replay')
  expect(Object.fromEntries(reliance.readingsOf(n))).toEqual({
    [usual]: { hits: 2, last_hit: 2 },
    replay: { hits: 2, last_hit: 4 },
    conflict: { hits: 1, last_hit: 3 },
  })
  expect(reliance.of(n)).toEqual({ hits: 5, last_hit: 4 })
})

it('counts one that was never read by default', () => {
  expect([...counted('replay').readingsOf(n)]).toEqual([['replay', { hits: 1, last_hit: 0 }]])
})
