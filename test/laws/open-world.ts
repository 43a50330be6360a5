import { readFixtures } from '../../src/fixtures/read.js'
import { fixturesFolder, scenariosFolder } from '../../src/paths.js'
import { reactWith } from '../../src/scenarios/react.js'
import { readScenario } from '../../src/scenarios/read.js'
import type { Entry } from '../../src/world/kernel/journal.js'
import { createWorld, type World, type WorldOptions } from '../../src/world/world.js'

/** A world, and the entries that it has made so far. */
export interface Opened {
  readonly world: World
  readonly entries: readonly Entry[]
}

export const fixtures = readFixtures(fixturesFolder)

const happyPath = reactWith([readScenario(`${scenariosFolder}/happy-path.yaml`)])

/** A world that holds the shipped fixtures and nothing else. */
export const openBase = (): World => {
  const base = createWorld({
    seed: 'fixtures',
    now: fixtures.now,
    react: () => undefined,
    record: () => {},
  })
  base.run('fixtures.load', fixtures, { kind: 'fixtures' })
  return base
}

export interface Opening {
  readonly base: World
  readonly seed?: string
  readonly react?: WorldOptions['react']
}

/** A world of its own over the fixtures, as a sandbox opens it, with happy-path active. */
export const openWorld = ({ base, seed = 'laws', react = happyPath }: Opening): Opened => {
  const entries: Entry[] = []
  const world = createWorld({
    base,
    seed,
    now: fixtures.now,
    react,
    // Frozen all the way down: a command that changes a record in place fails here.
    record: (entry) => entries.push(frozen(entry)),
    seq: base.seq,
  })
  world.run('world.begin', { seed }, { kind: 'boot' })
  world.run('clock.set', { mode: 'manual', speed: 0, machine_ms: 0 }, { kind: 'boot' })
  return { world, entries }
}

const frozen = <T>(value: T): T => {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value)
    for (const part of Object.values(value)) frozen(part)
  }
  return value
}
