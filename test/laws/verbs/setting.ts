import fc from 'fast-check'
import { fixtures } from '../open-world.js'
import { verb } from './choices.js'

/** Commands that set a world up. Those that a sandbox runs at boot may come later, too. */
export const settingVerbs = {
  // Always refused: the world is not empty any more.
  'fixtures.load': verb('fixtures.load', 1, fc.constant('again'), () => fixtures),
  'world.begin': verb('world.begin', 1, fc.constant({ seed: 'again' }), (_, it) => it),
  'clock.set': verb(
    'clock.set',
    1,
    fc.constantFrom(
      { mode: 'manual', speed: 0, machine_ms: 7 } as const,
      { mode: 'speed', speed: 60, machine_ms: 1_000 } as const,
    ),
    (_, it) => it,
  ),
  'api_key.create': verb('api_key.create', 2, fc.nat(2), (_, n) => ({
    name: `key ${n}`,
    hash: `${n}`.repeat(64),
    last_four: `${n}`.repeat(4),
    permissions: n % 2 === 0 ? 'full' : 'read_only',
    expires_at: n === 0 ? '2026-07-01T00:00:00.000Z' : null,
  })),
}
