import { createWorld, type World, type WorldOptions } from '../../src/domain/world.js'
import { fixturesFolder } from '../../src/lib/paths.js'
import { readFixtures } from '../../src/runtime/seed-data/read-fixtures.js'

/** The shipped fixtures. */
export const fixtures = readFixtures(fixturesFolder)

export const BY = { kind: 'library' } as const

/** A world without rules, in which nothing has happened. */
export const emptyWorld = (options: Partial<WorldOptions> = {}): World =>
  createWorld({
    seed: 'tests',
    now: fixtures.now,
    evaluateRules: () => undefined,
    record: () => {},
    ...options,
  })

/** A world without rules that holds the shipped fixtures, or others. */
export const fixtureWorld = (options: Partial<WorldOptions> = {}, set = fixtures): World => {
  const world = emptyWorld(options)
  world.run('fixtures.load', set, { kind: 'fixtures' })
  return world
}
