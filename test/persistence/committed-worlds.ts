import { expect } from 'vitest'
import { createWorld, type World } from '../../src/domain/world.js'
import type { Entry } from '../../src/kernel/entry.js'
import { resolveDependencies } from '../../src/runtime/build-sandbox.js'
import type { Commit, Head, WorldLog } from '../../src/worlds/port.js'
import { ReplayState } from '../../src/worlds/replay.js'
import { users } from '../support/fixture-ids.js'

export const CAUSE = { kind: 'library' } as const

/** The id of the world that a test is about. */
export const ID = 'ab'.repeat(16)

let known: Promise<World> | undefined

/** All tests share it: worlds are layers over it and leave it as it is. */
export const loadBase = (): Promise<World> => {
  known ??= createBase()
  return known
}

const createBase = async (): Promise<World> => {
  const { fixtures } = await resolveDependencies({})
  const none = { evaluateRules: () => undefined, record: () => {} }
  const base = createWorld({ seed: 'fixtures', now: fixtures.now, ...none })
  base.run('fixtures.load', fixtures, { kind: 'fixtures' })
  return base
}

/** A world in memory whose entries wait for the next commit. */
export const openWorld = (base: World, seed = 'tests') => {
  const entries: Entry[] = []
  const record = (entry: Entry) => void entries.push(entry)
  const world = createWorld({
    base,
    seed,
    now: base.now,
    seq: base.seq,
    record,
    evaluateRules: () => undefined,
  })
  world.run('world.begin', { seed }, CAUSE)
  return {
    world,
    credit: (amount: string) =>
      world.run('balance.credit', { user_id: users.ada, currency: 'JPY', amount }, CAUSE),
    commit: (head: Head | undefined, id = ID): Commit => ({ id, head, entries: entries.splice(0) }),
  }
}

/** For a log that needs nothing from the worlds in memory. */
export const NO_SOURCE = {
  worlds: () => ({ worlds: {}, persisted: async () => {} }),
  onWritable: () => {},
}

/** Appends a commit that must be the next one of its world. */
export const appendNext = async (log: WorldLog, commit: Commit): Promise<Head> => {
  const [sent] = await log.append([commit])
  const result = sent?.is === 'apart' ? await sent.result : sent
  if (result?.is !== 'appended' || !result.head) throw new Error(`the commit is ${result?.is}`)
  return result.head
}

/** A world as it is after all its commits. A log may return it as of an earlier one, with those that follow. */
export const readWorld = async (log: WorldLog, id: string) => {
  const found = await log.catchUp(id)
  if (!found?.world || !log.origin) return undefined
  const { head, world, created_at, entries, commits } = found
  const replay = new ReplayState(log.origin.base, world)
  for (const { entries, origin } of commits) {
    for (const entry of entries) expect(replay.apply(entry, origin)).toBeTypeOf('object')
  }
  const all = [...entries, ...commits.flatMap(({ entries }) => entries)]
  return { head, world: replay.state, created_at, entries: all }
}
