import { describe, expect, test } from 'vitest'
import { emptyWorld } from '../../test/support/domain-world.js'
import { invalid } from '../../test/support/invalid.js'
import { toWorldTime } from './clock.js'

const START = Date.parse('2026-06-15T09:00:00.000Z')

const set = (mode: 'real' | 'manual' | 'speed', speed: number) => {
  const world = emptyWorld({ now: START })
  return world.run('clock.set', { mode, speed, machine_ms: 1_000 }, { kind: 'library' })
}

describe('toWorldTime', () => {
  test.each([
    ['real', 1, 61_000, 60_000],
    ['manual', 0, 61_000, 0],
    ['speed', 60, 2_000, 60_000],
    ['speed', 0.5, 1_003, 1],
    ['speed', 60, 1_000, 0],
    ['speed', 1_000_000, 1_001, 1_000_000],
    ['real', 1, 0, -1_000],
  ] as const)('%s, %d times: at %d ms it is %d ms on', (mode, speed, machine_ms, later) => {
    expect(toWorldTime(set(mode, speed), machine_ms)).toBe(START + later)
  })
})

describe('setClock', () => {
  test.each([
    ['manual', 7, '0, with manual'],
    ['real', 0, '1, with real'],
    ['real', 60, '1, with real'],
    ['speed', 0, 'a number above 0, at most 1000000, with speed'],
    ['speed', 1_000_001, 'a number above 0, at most 1000000, with speed'],
    ['speed', Number.NaN, 'a number above 0, at most 1000000, with speed'],
  ] as const)('refuses %s at %d times', (mode, speed, accepted) => {
    expect(() => set(mode, speed)).toThrow(invalid('speed', speed, accepted))
  })

  test('starts at the world’s now and stores one clock', () => {
    const world = emptyWorld({ now: START })
    const by = { kind: 'library' } as const
    world.run('clock.set', { mode: 'real', speed: 1, machine_ms: 0 }, by)
    world.advance(START + 5_000)
    world.run('clock.set', { mode: 'speed', speed: 60, machine_ms: 5_000 }, by)
    expect(world.tables.clock.all()).toEqual([
      { id: 'clock', n: 1, mode: 'speed', speed: 60, world_ms: START + 5_000, machine_ms: 5_000 },
    ])
  })
})
