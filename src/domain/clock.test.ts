import { describe, expect, test } from 'vitest'
import { emptyWorld } from '../../test/support/domain-world.js'
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
