import fc from 'fast-check'
import { assumptionIds, readingNames } from '../../../src/assumptions/ids.js'
import type { Tables } from '../../../src/domain/schema.js'
import { fixtures } from '../open-world.js'
import { idAt, mostly, verb, which } from './choices.js'

const aReading = fc
  .constantFrom(...assumptionIds)
  .chain((id) =>
    fc.constantFrom(...readingNames(id)).map((reading) => ({ id: id as string, reading })),
  )
const NO_ASSUMPTION = { id: 'payout.colour', reading: 'red' }
const NO_READING = { id: 'payout.fee', reading: 'red' }

const ARMED_RULES = [
  [{ when: 'request', then: [{ drop: 'after' }] }],
  [
    { when: 'request', then: [] },
    { when: 'payout.created', then: [{ after: '1s', move: 'PAYOUT_FAILED' }] },
  ],
  [
    { when: 'request', then: [] },
    { when: 'transfer.created', then: [{ stop: true }] },
  ],
]

const armedAt = ({ next_calls }: Tables, place: number): string =>
  next_calls.list('armed', '')[place]?.id ?? NO_ASSUMPTION.id

const timerAt = ({ timers }: Tables, place: number) => ({
  id: timers.all()[place]?.id ?? NO_ASSUMPTION.id,
})

/** Commands that set up a world. Boot commands may come later too. */
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
  'timer.fire': verb('timer.fire', 2, fc.nat(3), timerAt),
  'timer.cancel': verb('timer.cancel', 1, fc.nat(3), timerAt),
  'api_key.create': verb('api_key.create', 2, fc.nat(2), (_, n) => ({
    name: `key ${n}`,
    hash: `${n}`.repeat(64),
    last_four: `${n}`.repeat(4),
    permissions: n % 2 === 0 ? 'full' : 'read_only',
    expires_at: n === 0 ? '2026-07-01T00:00:00.000Z' : null,
  })),
  'api_key.set': verb(
    'api_key.set',
    2,
    fc.record({
      place: which,
      change: fc.constantFrom(
        { status: 'active' } as const,
        { status: 'suspended' } as const,
        { status: 'deactivated' } as const,
        { expires_at: '2026-06-15T12:00:00+02:00' },
        { expires_at: null },
      ),
    }),
    (tables, { place, change }) => ({ id: idAt(tables, 'api_keys', place), ...change }),
  ),
  'scenario.post': verb('scenario.post', 1, fc.nat(2), (_, n) => ({
    id: `posted-${n}`,
    text: `name: posted-${n}`,
    scenario: { name: `posted-${n}`, title: 'Posted', rules: [], expect: [] },
  })),
  'scenarios.activate': verb(
    'scenarios.activate',
    1,
    fc.subarray(['mixed', 'named', 'posted-0', 'gone']),
    (_, names) => ({ names }),
  ),
  'next.arm': verb(
    'next.arm',
    2,
    fc.record({ place: which, times: fc.constantFrom(1, 2, null), then: fc.nat(2) }),
    (tables, { place, times, then }) => ({
      operation: 'createPayout',
      user_id: idAt(tables, 'users', place),
      times,
      then: {},
      rules: ARMED_RULES[then] ?? [],
      yaml: '',
    }),
  ),
  'next.disarm': verb(
    'next.disarm',
    1,
    mostly(fc.nat(2), fc.constant(undefined)),
    (tables, place) => (place === undefined ? {} : { id: armedAt(tables, place) }),
  ),
  'reading.choose': verb(
    'reading.choose',
    3,
    fc.oneof(
      { weight: 9, arbitrary: aReading },
      { weight: 1, arbitrary: fc.constantFrom(NO_ASSUMPTION, NO_READING) },
    ),
    (_, it) => it,
  ),
  'rule.fire': verb('rule.fire', 3, fc.nat(6), (tables, n) => {
    if (n > 3) return { rule: null, source: null, counts: [], call: armedAt(tables, n - 4) }
    const id = `mixed/${n}`
    const known = tables.rule_counts.get(id)
    const count = { id, n: 0, matched: (known?.matched ?? 0) + 1, fired: 1 }
    return {
      rule: n === 0 ? null : id,
      source: 'mixed.yaml:5',
      counts: [{ ...count, window_from: null, passed: 0 }],
    }
  }),
}
