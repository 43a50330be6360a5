import { beforeEach, describe, expect, test, vi } from 'vitest'
import { deriveWorldId, hashSecret, lastFour } from '../lib/secrets.js'
import { resolveDependencies } from './build-sandbox.js'
import type { LiveWorld } from './live-world.js'
import { Sandbox } from './sandbox.js'
import type { WorldArchive, WorldHandle } from './world-registry.js'

let now = 0
const warn = vi.fn<(sentence: string) => void>()

beforeEach(() => {
  now = 0
  warn.mockClear()
})

const openSandbox = async (worldLimit: number, archive?: WorldArchive) => {
  const options = { clock: 'manual', seed: 'tests', worldLimit, machineClock: () => now }
  return Sandbox.start({
    ...(await resolveDependencies(options)),
    archive: archive,
    warn,
  })
}

const secretOf = (name: string) => `SandboxWorld${name.padStart(20, '0')}`
const keyOf = (name: string) => {
  const secret = secretOf(name)
  return { hash: hashSecret(secret), last_four: lastFour(secret) }
}
const idOf = (name: string) => deriveWorldId(keyOf(name).hash)

/** Opens worlds one after another, so long after each other. */
const openAll = ({ worlds }: Sandbox, names: string, apart_ms: number): WorldHandle[] =>
  [...names].map((name) => {
    now += apart_ms
    return worlds.open(keyOf(name))
  })

/** Which of these worlds are open. */
const openOf = ({ worlds }: Sandbox, names: string): string => {
  const open = new Set(worlds.list().map(({ live }) => live.id))
  return [...names].filter((name) => open.has(idOf(name))).join('')
}

const MINUTE = 60_000

describe('past the limit', () => {
  test('the least recently used make room, in the order of their last use', async () => {
    const sandbox = await openSandbox(3)
    const [a] = openAll(sandbox, 'abc', MINUTE) as [WorldHandle]
    sandbox.worlds.use(a)
    openAll(sandbox, 'd', MINUTE)
    expect(openOf(sandbox, 'abcd')).toBe('acd')
    openAll(sandbox, 'ef', MINUTE)
    expect(openOf(sandbox, 'abcdef')).toBe('def')
    expect(sandbox.worlds.size).toBe(4)
  })

  test('the least recently used goes, however lately it was used', async () => {
    const sandbox = await openSandbox(2)
    openAll(sandbox, 'abcd', 0)
    expect(openOf(sandbox, 'abcd')).toBe('cd')
    expect(sandbox.worlds.size).toBe(3)
  })

  test('one that a request is at stays, and counts as used when the request ends', async () => {
    const sandbox = await openSandbox(2)
    const [a] = openAll(sandbox, 'a', 0) as [WorldHandle]
    const release = sandbox.worlds.hold(a)
    openAll(sandbox, 'bc', 0)
    expect(openOf(sandbox, 'abc')).toBe('ac')
    release?.()
    openAll(sandbox, 'd', 0)
    expect(openOf(sandbox, 'acd')).toBe('ad')
    openAll(sandbox, 'e', 0)
    expect(openOf(sandbox, 'ade')).toBe('de')
  })

  test('one with an open stream stays', async () => {
    const sandbox = await openSandbox(2)
    const [a] = openAll(sandbox, 'a', 0) as [WorldHandle]
    const stream = a.live.subscriptions.open(0)
    openAll(sandbox, 'bc', 0)
    expect(openOf(sandbox, 'abc')).toBe('ac')
    expect(sandbox.worlds.streams).toBe(1)
    await stream.cancel()
    expect(sandbox.worlds.streams).toBe(0)
    openAll(sandbox, 'd', 0)
    expect(openOf(sandbox, 'acd')).toBe('cd')
  })

  test('no world is opened while all others are in use', async () => {
    const sandbox = await openSandbox(2)
    const releases = openAll(sandbox, 'ab', 0).map((it) => sandbox.worlds.hold(it))
    expect(() => openAll(sandbox, 'c', 0)).toThrow(
      '2 worlds by key are in use, and no other can be opened now. Retry.',
    )
    expect(openOf(sandbox, 'abc')).toBe('ab')
    releases[1]?.()
    openAll(sandbox, 'c', 0)
    expect(openOf(sandbox, 'abc')).toBe('ac')
  })

  test('the default world stays, however long nobody has used it', async () => {
    const sandbox = await openSandbox(1)
    openAll(sandbox, 'abcdef', MINUTE)
    expect(sandbox.worlds.find('default')).toBe(sandbox.worlds.main)
    expect(sandbox.worlds.hold(sandbox.worlds.main)).toBeUndefined()
  })
})

describe('a world that had to make room', () => {
  test('starts again, and says so once', async () => {
    const sandbox = await openSandbox(1)
    const [first] = openAll(sandbox, 'ab', MINUTE) as [WorldHandle]
    expect(warn).not.toHaveBeenCalled()
    const [again] = openAll(sandbox, 'a', MINUTE) as [WorldHandle]
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
    expect(sandbox.worlds.open(keyOf('a'))).toBe(again)
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
      const sandbox = await openSandbox(1, archive)
      const [first] = openAll(sandbox, 'ab', MINUTE) as [WorldHandle]
      expect(openOf(sandbox, 'ab')).toBe('ab')
      await written()
      expect(openOf(sandbox, 'ab')).toBe('b')
      expect([...put.keys()]).toEqual([idOf('a')])
      await sandbox.worlds.load(idOf('a'))
      const found = sandbox.worlds.find(idOf('a'))
      expect(found).toMatchObject({ isRestarted: false, key: keyOf('a') })
      expect(found?.live.world).toBe(first.live.world)
      expect(warn).not.toHaveBeenCalled()
    })

    test('is read once for all who wait for it', async () => {
      const sandbox = await openSandbox(1, archive)
      openAll(sandbox, 'ab', MINUTE)
      await written()
      const first = sandbox.worlds.load(idOf('a'))
      expect(sandbox.worlds.load(idOf('a'))).toBe(first)
      await first
      expect(sandbox.worlds.load(idOf('a'))).toBeUndefined()
      expect(openOf(sandbox, 'a')).toBe('a')
    })

    test('stays when it is used, or somebody is at it, while it is written', async () => {
      for (const busy of ['use', 'hold'] as const) {
        const sandbox = await openSandbox(1, archive)
        const [first] = openAll(sandbox, 'ab', MINUTE) as [WorldHandle]
        now += 1
        sandbox.worlds[busy](first)
        await written()
        expect(openOf(sandbox, 'ab')).toBe('ab')
        expect(put.size).toBe(0)
      }
    })

    test('is one at a time: others do not go in its place', async () => {
      const sandbox = await openSandbox(2, archive)
      openAll(sandbox, 'abc', MINUTE)
      now += 2 * MINUTE
      sandbox.worlds.open(keyOf('c'))
      await written()
      expect(openOf(sandbox, 'abc')).toBe('bc')
    })

    test('is one of few that are written at a time: beyond these no world is opened', async () => {
      const sandbox = await openSandbox(1, archive)
      for (let n = 0; n < 251; n++) sandbox.worlds.open(keyOf(`more${n}`))
      expect(() => openAll(sandbox, 'a', 0)).toThrow('no other can be opened now. Retry.')
      await written()
      openAll(sandbox, 'a', 0)
      expect(openOf(sandbox, 'a')).toBe('a')
    })

    test('can be deleted there', async () => {
      const sandbox = await openSandbox(1, archive)
      openAll(sandbox, 'ab', MINUTE)
      await written()
      await sandbox.worlds.load(idOf('a'))
      const back = sandbox.worlds.find(idOf('a'))
      if (back) sandbox.worlds.delete(back, 'no more')
      await sandbox.worlds.load(idOf('a'))
      expect(sandbox.worlds.find(idOf('a'))).toBeUndefined()
    })
  })
})

describe('a world that was deleted', () => {
  test('is another one at its key’s next use, which is no news', async () => {
    const sandbox = await openSandbox(5)
    const [first] = openAll(sandbox, 'a', 0) as [WorldHandle]
    sandbox.worlds.delete(first, 'no more')
    expect(sandbox.worlds.find(idOf('a'))).toBeUndefined()
    const [next] = openAll(sandbox, 'a', 0) as [WorldHandle]
    expect(next).not.toBe(first)
    expect(next.isRestarted).toBe(false)
    expect(warn).not.toHaveBeenCalled()
  })

  test('does not come back when a request that was at it ends', async () => {
    const sandbox = await openSandbox(5)
    const [first] = openAll(sandbox, 'a', 0) as [WorldHandle]
    const release = sandbox.worlds.hold(first)
    sandbox.worlds.delete(first, 'no more')
    release?.()
    expect(sandbox.worlds.find(idOf('a'))).toBeUndefined()
    expect(sandbox.worlds.size).toBe(1)
  })

  test('lets a later world of its key have its own keys', async () => {
    const sandbox = await openSandbox(5)
    const [old] = openAll(sandbox, 'a', 0) as [WorldHandle]
    sandbox.worlds.delete(old, 'no more')
    const [next] = openAll(sandbox, 'a', 0) as [WorldHandle]
    const secret = 'KeyOfTheOldWorld0000000000000001'
    const key = { name: 'late', hash: hashSecret(secret), last_four: '0001' }
    const input = { ...key, permissions: 'full', expires_at: null } as const
    old.live.world.run('api_key.create', input, { kind: 'library' })
    expect(sandbox.worlds.findByKey(secret)).toBeUndefined()
    next.live.world.run('api_key.create', input, { kind: 'library' })
    expect(sandbox.worlds.findByKey(secret)).toBe(next)
  })
})

test('lists the most recently used first', async () => {
  const sandbox = await openSandbox(5)
  const [a, b] = openAll(sandbox, 'abc', 10) as [WorldHandle, WorldHandle]
  now += 10
  sandbox.worlds.use(a)
  now += 10
  sandbox.worlds.use(sandbox.worlds.main)
  now += 10
  sandbox.worlds.use(b)
  const ids = sandbox.worlds.list().map(({ live }) => live.id)
  expect(ids).toEqual([idOf('b'), 'default', idOf('a'), idOf('c')])
})

test('remembers many worlds later who had to make room', async () => {
  const sandbox = await openSandbox(1)
  openAll(sandbox, 'a', MINUTE)
  const many = 200
  for (let i = 0; i < many; i++) {
    now += MINUTE
    sandbox.worlds.open(keyOf(`x${i}`))
  }
  expect(sandbox.worlds.size).toBe(2)
  expect(openAll(sandbox, 'a', MINUTE)[0]?.isRestarted).toBe(true)
})
