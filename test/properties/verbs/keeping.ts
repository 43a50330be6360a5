import fc from 'fast-check'
import { verb } from './choices.js'

const name = fc.constantFrom('before', 'after')

/**
 * An entry count that a world has not reached: these histories restore without going back, so random
 * numbers must not repeat.
 */
const freshCount = fc.noBias(fc.nat(100_000_000)).map((n) => (n + 1) * 1_000)

/** Snapshots as a world knows them: it states that they were taken; its line keeps them. */
export const keepingVerbs = {
  'snapshot.take': verb('snapshot.take', 1, name, (_, it) => ({ name: it })),
  'snapshot.drop': verb('snapshot.drop', 1, name, (_, it) => ({ name: it })),
  'snapshot.restore': verb('snapshot.restore', 1, freshCount, (_, count) => ({
    name: 'before',
    after: 1,
    count,
    machine_ms: 5_000,
  })),
  'world.fork': verb('world.fork', 1, freshCount, (_, count) => ({
    name: 'before',
    from: 'default',
    count,
    machine_ms: 6_000,
    key: { name: 'Fork', hash: `f${count % 10}`.repeat(32), last_four: 'fork' },
  })),
}
