import { beforeEach, describe, expect, test, vi } from 'vitest'
import { deriveWorldId, hashSecret, lastFour } from '../lib/secrets.js'
import { createBaseWorld } from './base-world.js'
import { resolveDependencies } from './build-sandbox.js'
import type { LiveWorld } from './live-world.js'
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

describe('past the limit', () => {
  test('the least recently used make room, in the order of their last use', async () => {
    const worlds = await openWorlds(3)
    const [a] = openAll(worlds, 'abc', MINUTE) as [WorldHandle]
    worlds.use(a)
    openAll(worlds, 'd', MINUTE)
    expect(openOf(worlds, 'abcd')).toBe('acd')
    openAll(worlds, 'ef', MINUTE)
    expect(openOf(worlds, 'abcdef')).toBe('def')
    expect(worlds.size).toBe(4)
  })

  test('the least recently used goes, however lately it was used', async () => {
    const worlds = await openWorlds(2)
    openAll(worlds, 'abcd', 0)
    expect(openOf(worlds, 'abcd')).toBe('cd')
    expect(worlds.size).toBe(3)
  })

  test('one that a request is at stays, and counts as used when the request ends', async () => {
    const worlds = await openWorlds(2)
    const [a] = openAll(worlds, 'a', 0) as [WorldHandle]
    const release = worlds.hold(a)
    openAll(worlds, 'bc', 0)
    expect(openOf(worlds, 'abc')).toBe('ac')
    release?.()
    openAll(worlds, 'd', 0)
    expect(openOf(worlds, 'acd')).toBe('ad')
    openAll(worlds, 'e', 0)
    expect(openOf(worlds, 'ade')).toBe('de')
  })

  test('one with an open stream stays', async () => {
    const worlds = await openWorlds(2)
    const [a] = openAll(worlds, 'a', 0) as [WorldHandle]
    const stream = a.live.subscriptions.open(0)
    openAll(worlds, 'bc', 0)
    expect(openOf(worlds, 'abc')).toBe('ac')
    expect(worlds.streams).toBe(1)
    await stream.cancel()
    expect(worlds.streams).toBe(0)
    openAll(worlds, 'd', 0)
    expect(openOf(worlds, 'acd')).toBe('cd')
  })

  test('no world is opened while all others are in use', async () => {
    const worlds = await openWorlds(2)
    const releases = openAll(worlds, 'ab', 0).map((it) => worlds.hold(it))
    expect(() => openAll(worlds, 'c', 0)).toThrow(
      '2 worlds by key are in use, and no other can be opened now. Retry.',
    )
    expect(openOf(worlds, 'abc')).toBe('ab')
    releases[1]?.()
    openAll(worlds, 'c', 0)
    expect(openOf(worlds, 'abc')).toBe('ac')
  })

  test('the default world stays, however long nobody has used it', async () => {
    const worlds = await openWorlds(1)
    openAll(worlds, 'abcdef', MINUTE)
    expect(worlds.find('default')).toBe(worlds.main)
    expect(worlds.hold(worlds.main)).toBeUndefined()
  })
})

describe('a world that had to make room', () => {
  test('starts again, and says so once', async () => {
    const worlds = await openWorlds(1)
    const [first] = openAll(worlds, 'ab', MINUTE) as [WorldHandle]
    expect(warn).not.toHaveBeenCalled()
    const [again] = openAll(worlds, 'a', MINUTE) as [WorldHandle]
    expect(again.isRestarted).toBe(true)
    expect(again.live).not.toBe(first.live)
    const sentence = `world ${idOf('a')} (key …000a) starts again: it was evicted as the least recently used`
    expect(warn.mock.calls).toEqual([[expect.stringContaining(sentence)]])
    const [begun] = again.live.journal.oldestAfter(again.live.beginning.at(-1)?.seq ?? 0, 1)
    expect(begun).toMatchObject({
      command: 'world.begin',
      input: { again: true },
      events: [{ type: 'world.begun', again: true }],
    })
    expect(worlds.open(keyOf('a'))).toBe(again)
    expect(warn).toHaveBeenCalledOnce()
  })

  describe('that is evicted to an archive', () => {
    const put = new Map<string, LiveWorld>()
    /** Ends the running write. */
    let write: (() => boolean) | undefined
    const archive: WorldArchive = {
      evict: async (live, leave) => {
        await new Promise<void>((resolve) => {
          write = () => {
            resolve()
            return true
          }
        })
        if (!leave()) return false
        put.set(live.id, live)
        return true
      },
      isShared: false,
      catchUp: () => undefined,
      find: async (id) => {
        const live = put.get(id)
        put.delete(id)
        return live && { key: keyOf('a'), create: () => live.world }
      },
      delete: ({ id }) => void put.delete(id),
    }
    const written = async () => {
      write?.()
      await new Promise((resolve) => setImmediate(resolve))
    }
    beforeEach(() => put.clear())

    test('goes once it is written, and comes back as it was', async () => {
      const worlds = await openWorlds(1, archive)
      const [first] = openAll(worlds, 'ab', MINUTE) as [WorldHandle]
      expect(openOf(worlds, 'ab')).toBe('ab')
      await written()
      expect(openOf(worlds, 'ab')).toBe('b')
      expect([...put.keys()]).toEqual([idOf('a')])
      await worlds.load(idOf('a'))
      const found = worlds.find(idOf('a'))
      expect(found).toMatchObject({ isRestarted: false, key: keyOf('a') })
      expect(found?.live.world).toBe(first.live.world)
      expect(warn).not.toHaveBeenCalled()
    })

    test('is read once for all who wait for it', async () => {
      const worlds = await openWorlds(1, archive)
      openAll(worlds, 'ab', MINUTE)
      await written()
      const first = worlds.load(idOf('a'))
      expect(worlds.load(idOf('a'))).toBe(first)
      await first
      expect(worlds.load(idOf('a'))).toBeUndefined()
      expect(openOf(worlds, 'a')).toBe('a')
    })

    test('stays when it is used, or somebody is at it, while it is written', async () => {
      for (const busy of ['use', 'hold'] as const) {
        const worlds = await openWorlds(1, archive)
        const [first] = openAll(worlds, 'ab', MINUTE) as [WorldHandle]
        now += 1
        worlds[busy](first)
        await written()
        expect(openOf(worlds, 'ab')).toBe('ab')
        expect(put.size).toBe(0)
      }
    })

    test('is one at a time: others do not go in its place', async () => {
      const worlds = await openWorlds(2, archive)
      openAll(worlds, 'abc', MINUTE)
      now += 2 * MINUTE
      worlds.open(keyOf('c'))
      await written()
      expect(openOf(worlds, 'abc')).toBe('bc')
    })

    test('is one of few that are written at a time: beyond these no world is opened', async () => {
      const worlds = await openWorlds(1, archive)
      for (let n = 0; n < 251; n++) worlds.open(keyOf(`more${n}`))
      expect(() => openAll(worlds, 'a', 0)).toThrow('no other can be opened now. Retry.')
      await written()
      openAll(worlds, 'a', 0)
      expect(openOf(worlds, 'a')).toBe('a')
    })

    test('can be deleted there', async () => {
      const worlds = await openWorlds(1, archive)
      openAll(worlds, 'ab', MINUTE)
      await written()
      await worlds.load(idOf('a'))
      const back = worlds.find(idOf('a'))
      if (back) worlds.delete(back, 'no more')
      await worlds.load(idOf('a'))
      expect(worlds.find(idOf('a'))).toBeUndefined()
    })
  })
})

describe('a world that was deleted', () => {
  test('is another one at its key’s next use, which is no news', async () => {
    const worlds = await openWorlds(5)
    const [first] = openAll(worlds, 'a', 0) as [WorldHandle]
    worlds.delete(first, 'no more')
    expect(worlds.find(idOf('a'))).toBeUndefined()
    const [next] = openAll(worlds, 'a', 0) as [WorldHandle]
    expect(next).not.toBe(first)
    expect(next.isRestarted).toBe(false)
    expect(warn).not.toHaveBeenCalled()
  })

  test('does not come back when a request that was at it ends', async () => {
    const worlds = await openWorlds(5)
    const [first] = openAll(worlds, 'a', 0) as [WorldHandle]
    const release = worlds.hold(first)
    worlds.delete(first, 'no more')
    release?.()
    expect(worlds.find(idOf('a'))).toBeUndefined()
    expect(worlds.size).toBe(1)
  })
})

test('lists the most recently used first', async () => {
  const worlds = await openWorlds(5)
  const [a, b] = openAll(worlds, 'abc', 10) as [WorldHandle, WorldHandle]
  now += 10
  worlds.use(a)
  now += 10
  worlds.use(worlds.main)
  now += 10
  worlds.use(b)
  const ids = worlds.list().map(({ live }) => live.id)
  expect(ids).toEqual([idOf('b'), 'default', idOf('a'), idOf('c')])
})
