import { beforeEach, describe, expect, test, vi } from 'vitest'
import { deriveWorldId, hashSecret, lastFour } from '../lib/secrets.js'
import { createBaseWorld } from './base-world.js'
import { resolveDependencies } from './build-sandbox.js'
import { LiveWorldFactory } from './world-factory.js'
import { type WorldArchive, type WorldHandle, WorldRegistry } from './world-registry.js'

let now = 0
const warn = vi.fn<(sentence: string) => void>()

beforeEach(() => {
  now = 0
  warn.mockClear()
})

const openWorlds = async (limit: number, archive?: WorldArchive): Promise<WorldRegistry> => {
  const parts = await resolveDependencies({ clock: 'manual', machineClock: () => now })
  const factory = new LiveWorldFactory({
    ...parts,
    baseWorld: createBaseWorld(parts),
    seed: 'tests',
    seedAfterReset: () => 'tests',
    persistence: undefined,
  })
  const worlds: WorldRegistry = new WorldRegistry({
    main: factory.main(undefined),
    limit,
    machineClock: parts.machineClock,
    schedule: parts.schedule,
    start: (key, how) => factory.byKey(key, how, worlds),
    archive,
    warn,
  })
  return worlds
}

const secretOf = (name: string) => `SandboxWorld${name.padStart(20, '0')}`
const keyOf = (name: string) => {
  const secret = secretOf(name)
  return { hash: hashSecret(secret), last_four: lastFour(secret) }
}
const idOf = (name: string) => deriveWorldId(keyOf(name).hash)

/** Opens worlds one after another, so long after each other. */
const openAll = (worlds: WorldRegistry, names: string, apart_ms: number): WorldHandle[] =>
  [...names].map((name) => {
    now += apart_ms
    return worlds.open(keyOf(name))
  })

/** Which of these worlds are open. */
const openOf = (worlds: WorldRegistry, names: string): string => {
  const open = new Set(worlds.list().map(({ live }) => live.id))
  return [...names].filter((name) => open.has(idOf(name))).join('')
}

const MINUTE = 60_000

describe('at the limit', () => {
  test('a new world evicts the one unused for longest', async () => {
    const worlds = await openWorlds(3)
    const [a] = openAll(worlds, 'abc', 4 * MINUTE) as [WorldHandle]
    worlds.use(a)
    openAll(worlds, 'd', 4 * MINUTE)
    expect(openOf(worlds, 'abcd')).toBe('acd')
    openAll(worlds, 'ef', 4 * MINUTE)
    expect(openOf(worlds, 'abcdef')).toBe('def')
    expect([worlds.size, worlds.lost]).toEqual([4, 3])
  })

  test('a world that a request holds stays, and counts as used when the request ends', async () => {
    const worlds = await openWorlds(2)
    const [a] = openAll(worlds, 'ab', 0) as [WorldHandle]
    const release = worlds.hold(a)
    openAll(worlds, 'c', 5 * MINUTE)
    expect(openOf(worlds, 'abc')).toBe('ac')
    now += 4 * MINUTE
    release?.()
    openAll(worlds, 'd', MINUTE)
    expect(openOf(worlds, 'acd')).toBe('ad')
    openAll(worlds, 'e', 4 * MINUTE)
    expect(openOf(worlds, 'ade')).toBe('de')
  })

  test('a world with an open stream stays', async () => {
    const worlds = await openWorlds(2)
    const [a] = openAll(worlds, 'ab', 0) as [WorldHandle]
    const stream = a.live.subscriptions.openRequests(() => '')
    openAll(worlds, 'c', 5 * MINUTE)
    expect(openOf(worlds, 'abc')).toBe('ac')
    expect(worlds.streams).toBe(1)
    await stream.cancel()
    expect(worlds.streams).toBe(0)
    openAll(worlds, 'd', 0)
    expect(openOf(worlds, 'acd')).toBe('cd')
  })

  test('the default world stays, however long nobody has used it', async () => {
    const worlds = await openWorlds(1)
    openAll(worlds, 'abcdef', 5 * MINUTE)
    expect(worlds.find('default')).toBe(worlds.main)
    expect(worlds.hold(worlds.main)).toBeUndefined()
  })
})

describe('with stored worlds', () => {
  const restores: (() => void)[] = []
  const archive = (): WorldArchive => ({
    isShared: false,
    isCrowded: () => false,
    catchUp: () => undefined,
    forget: () => true,
    find: async (id) => (id === idOf('a') ? { key: keyOf('a') } : undefined),
    delete: (_, restore) => void restores.push(restore),
  })

  test('a stored world is loaded beyond the limit, once for all who wait for it', async () => {
    const worlds = await openWorlds(1, archive())
    openAll(worlds, 'b', 0)
    const loading = worlds.load(idOf('a'))
    expect(worlds.load(idOf('a'))).toBe(loading)
    await loading
    expect(worlds.load(idOf('a'))).toBeUndefined()
    expect(openOf(worlds, 'ab')).toBe('ab')
  })

  test('an evicted world whose end could not be stored is there again, and does not start again', async () => {
    const worlds = await openWorlds(1, archive())
    const [a] = openAll(worlds, 'ab', 5 * MINUTE) as [WorldHandle]
    expect(openOf(worlds, 'ab')).toBe('b')
    restores.pop()?.()
    expect(worlds.open(keyOf('a'))).toBe(a)
    worlds.delete(a, 'no more')
    now += 5 * MINUTE
    expect(worlds.open(keyOf('a')).isRestarted).toBe(false)
  })
})
