import fc from 'fast-check'
import { type Tables, tableNames } from '../../../src/world/world.js'
import { verb } from './choices.js'

const TIMERS_PER_ENTRY = 65_536

/**
 * A count of entries that a world has not come to yet: these histories restore without going back, so dice
 * must not fall as they have before.
 */
const freshCount = (tables: Tables): number => {
  const made = tableNames.filter((name) => name !== 'timers').map((name) => tables[name].next)
  const sum = made.reduce((all, next) => all + next, 0)
  const pending = tables.timers.all().map(({ n }) => n)
  return sum * 1_000 + Math.ceil(Math.max(0, ...pending) / TIMERS_PER_ENTRY) + 1_000
}

const name = fc.constantFrom('before', 'after')

/** Snapshots as a world knows them: it states that they were taken; its line keeps them. */
export const keepingVerbs = {
  'snapshot.take': verb('snapshot.take', 1, name, (_, it) => ({ name: it })),
  'snapshot.drop': verb('snapshot.drop', 1, name, (_, it) => ({ name: it })),
  'snapshot.restore': verb('snapshot.restore', 1, name, (tables, it) => ({
    name: it,
    after: 1,
    count: freshCount(tables),
    machine_ms: 5_000,
  })),
  'world.fork': verb('world.fork', 1, fc.nat(9), (tables, n) => ({
    name: 'before',
    from: 'default',
    // Beyond the count at which its own key is made.
    count: freshCount(tables) + 500,
    machine_ms: 6_000,
    key: { name: 'Fork', hash: `f${n}`.repeat(32), last_four: 'fork' },
  })),
}
