import { beforeEach, describe, expect, it, vi } from 'vitest'
import { partsOf } from './parts.js'
import { Sandbox } from './sandbox.js'
import { hashSecret, lastFour, worldIdOf } from './secrets.js'
import type { Timeline } from './timeline.js'
import type { OpenWorld, Shelf } from './worlds.js'

let now = 0
let isShort = false
const warn = vi.fn<(sentence: string) => void>()

beforeEach(() => {
  now = 0
  isShort = false
  warn.mockClear()
})

const openSandbox = async (worldLimit: number, shelf?: Shelf) => {
  const options = { clock: 'manual', seed: 'tests', worldLimit, machineClock: () => now }
  const isMemoryShort = () => isShort
  return new Sandbox({ ...(await partsOf(options)), isMemoryShort, shelf, warn })
}

const secretOf = (name: string) => `SandboxWorld${name.padStart(20, '0')}`
const keyOf = (name: string) => {
  const secret = secretOf(name)
  return { hash: hashSecret(secret), last_four: lastFour(secret) }
}
const idOf = (name: string) => worldIdOf(keyOf(name).hash)

/** Opens worlds one after another, so long after each other. */
const openAll = ({ worlds }: Sandbox, names: string, apart_ms: number): OpenWorld[] =>
  [...names].map((name) => {
    now += apart_ms
    return worlds.open(keyOf(name))
  })

/** Which of these worlds are open. */
const openOf = ({ worlds }: Sandbox, names: string): string => {
  const open = new Set(worlds.list().map(({ line }) => line.id))
  return [...names].filter((name) => open.has(idOf(name))).join('')
}

const MINUTE = 60_000

describe('past the limit', () => {
  it('the least recently used make room, in the order of their last use', async () => {
    const sandbox = await openSandbox(3)
    const [a] = openAll(sandbox, 'abc', MINUTE) as [OpenWorld]
    sandbox.worlds.use(a)
    openAll(sandbox, 'd', MINUTE)
    expect(openOf(sandbox, 'abcd')).toBe('acd')
    openAll(sandbox, 'ef', MINUTE)
    expect(openOf(sandbox, 'abcdef')).toBe('def')
    expect(sandbox.worlds.size).toBe(4)
  })

  it('the least recently used goes, however lately it was used', async () => {
    const sandbox = await openSandbox(2)
    openAll(sandbox, 'abcd', 0)
    expect(openOf(sandbox, 'abcd')).toBe('cd')
    expect(sandbox.worlds.size).toBe(3)
  })

  it('one that a request is at stays, and counts as used when the request ends', async () => {
    const sandbox = await openSandbox(2)
    const [a] = openAll(sandbox, 'a', 0) as [OpenWorld]
    const release = sandbox.worlds.hold(a)
    openAll(sandbox, 'bc', 0)
    expect(openOf(sandbox, 'abc')).toBe('ac')
    release?.()
    openAll(sandbox, 'd', 0)
    expect(openOf(sandbox, 'acd')).toBe('ad')
    openAll(sandbox, 'e', 0)
    expect(openOf(sandbox, 'ade')).toBe('de')
  })

  it('one with an open stream stays', async () => {
    const sandbox = await openSandbox(2)
    const [a] = openAll(sandbox, 'a', 0) as [OpenWorld]
    const stream = a.line.feed.open(0)
    openAll(sandbox, 'bc', 0)
    expect(openOf(sandbox, 'abc')).toBe('ac')
    expect(sandbox.streams).toBe(1)
    await stream.cancel()
    expect(sandbox.streams).toBe(0)
    openAll(sandbox, 'd', 0)
    expect(openOf(sandbox, 'acd')).toBe('cd')
  })

  it('no world is opened while all others are in use', async () => {
    const sandbox = await openSandbox(2)
    const releases = openAll(sandbox, 'ab', 0).map((it) => sandbox.worlds.hold(it))
    expect(() => openAll(sandbox, 'c', 0)).toThrow(
      '2 worlds by key are in use, and no other can be opened now; retry',
    )
    expect(openOf(sandbox, 'abc')).toBe('ab')
    releases[1]?.()
    openAll(sandbox, 'c', 0)
    expect(openOf(sandbox, 'abc')).toBe('ac')
  })

  it('the default world stays, however long nobody has used it', async () => {
    const sandbox = await openSandbox(1)
    openAll(sandbox, 'abcdef', MINUTE)
    expect(sandbox.worlds.find('default')).toBe(sandbox.worlds.main)
    expect(sandbox.worlds.hold(sandbox.worlds.main)).toBeUndefined()
  })
})

describe('when memory is short', () => {
  const names = 'abcdefghijklmnopqrst'

  it('a tenth of the worlds make room, the least recently used, and that is told', async () => {
    const sandbox = await openSandbox(100)
    openAll(sandbox, names, MINUTE)
    expect(openOf(sandbox, names)).toBe(names)
    isShort = true
    openAll(sandbox, 'u', MINUTE)
    expect(openOf(sandbox, names)).toBe('cdefghijklmnopqrst')
    const words = 'memory is short: the least recently used worlds by key make room, 2 of them'
    expect(warn.mock.calls).toEqual([[words]])
    isShort = false
    openAll(sandbox, 'v', MINUTE)
    expect(openOf(sandbox, names)).toBe('cdefghijklmnopqrst')
  })

  it('it is looked again after a while, since what went has to be collected first', async () => {
    const sandbox = await openSandbox(100)
    openAll(sandbox, names, MINUTE)
    isShort = true
    openAll(sandbox, 'u', MINUTE)
    expect(sandbox.worlds.size).toBe(1 + 21 - 2)
    openAll(sandbox, 'vwx', 1_000)
    expect(sandbox.worlds.size).toBe(1 + 19 + 3)
    openAll(sandbox, 'y', 2_000)
    expect(sandbox.worlds.size).toBe(1 + 23 - 2)
  })

  it('where they are opened fast it is looked again after some', async () => {
    const sandbox = await openSandbox(1_000)
    openAll(sandbox, names, MINUTE)
    isShort = true
    openAll(sandbox, 'u', MINUTE)
    for (let n = 1; n < 250; n++) sandbox.worlds.open(keyOf(`more${n}`))
    expect(openOf(sandbox, names)).toBe('cdefghijklmnopqrst')
    sandbox.worlds.open(keyOf('more250'))
    expect(openOf(sandbox, names)).toBe('')
  })

  it('those that are in use stay', async () => {
    const sandbox = await openSandbox(100)
    const [a] = openAll(sandbox, names, 1_000) as [OpenWorld]
    const release = sandbox.worlds.hold(a)
    isShort = true
    openAll(sandbox, 'u', 5_000)
    expect(openOf(sandbox, names)).toBe('adefghijklmnopqrst')
    release?.()
  })

  it('a few stay: it is not they that take it', async () => {
    const sandbox = await openSandbox(100)
    isShort = true
    openAll(sandbox, 'abcdefghi', MINUTE)
    expect(openOf(sandbox, 'abcdefghi')).toBe('abcdefghi')
  })
})

describe('a world that had to make room', () => {
  it('starts anew, and says so once', async () => {
    const sandbox = await openSandbox(1)
    const [first] = openAll(sandbox, 'ab', MINUTE) as [OpenWorld]
    expect(warn).not.toHaveBeenCalled()
    const [again] = openAll(sandbox, 'a', MINUTE) as [OpenWorld]
    expect(again.again).toBe(true)
    expect(again.line).not.toBe(first.line)
    const sentence = `world ${idOf('a')} (key …000a) starts anew: it was the least recently used when `
    expect(warn.mock.calls).toEqual([[expect.stringContaining(sentence)]])
    const [begun] = again.line.journal.after(again.line.beginning.at(-1)?.seq ?? 0)
    expect(begun).toMatchObject({
      command: 'world.begin',
      input: { again: true },
      events: [{ type: 'world.begun', again: true }],
    })
    expect(sandbox.worlds.open(keyOf('a'))).toBe(again)
    expect(warn).toHaveBeenCalledOnce()
  })

  describe('that is put on a shelf', () => {
    const put = new Map<string, Timeline>()
    /** What the shelf is still writing. */
    let write: (() => boolean) | undefined
    const shelf: Shelf = {
      putAside: async (line, leave) => {
        await new Promise<void>((resolve) => {
          write = () => {
            resolve()
            return true
          }
        })
        if (!leave()) return false
        put.set(line.id, line)
        return true
      },
      open: (id) => {
        const line = put.get(id)
        put.delete(id)
        return line && { key: keyOf('a'), make: () => line.world }
      },
      drop: (id) => put.delete(id),
    }
    const written = async () => {
      write?.()
      await new Promise((resolve) => setImmediate(resolve))
    }
    beforeEach(() => put.clear())

    it('goes once it is written, and comes back as it was', async () => {
      const sandbox = await openSandbox(1, shelf)
      const [first] = openAll(sandbox, 'ab', MINUTE) as [OpenWorld]
      expect(openOf(sandbox, 'ab')).toBe('ab')
      await written()
      expect(openOf(sandbox, 'ab')).toBe('b')
      expect([...put.keys()]).toEqual([idOf('a')])
      const found = sandbox.worlds.find(idOf('a'))
      expect(found).toMatchObject({ again: false, key: keyOf('a') })
      expect(found?.line.world).toBe(first.line.world)
      expect(warn).not.toHaveBeenCalled()
    })

    it('stays when it is used, or somebody is at it, while it is written', async () => {
      for (const busy of ['use', 'hold'] as const) {
        const sandbox = await openSandbox(1, shelf)
        const [first] = openAll(sandbox, 'ab', MINUTE) as [OpenWorld]
        now += 1
        sandbox.worlds[busy](first)
        await written()
        expect(openOf(sandbox, 'ab')).toBe('ab')
        expect(put.size).toBe(0)
      }
    })

    it('is one at a time: others do not go in its place', async () => {
      const sandbox = await openSandbox(2, shelf)
      openAll(sandbox, 'abc', MINUTE)
      now += 2 * MINUTE
      sandbox.worlds.open(keyOf('c'))
      await written()
      expect(openOf(sandbox, 'abc')).toBe('bc')
    })

    it('is one of few that are written at a time: beyond these no world is opened', async () => {
      const sandbox = await openSandbox(1, shelf)
      for (let n = 0; n < 251; n++) sandbox.worlds.open(keyOf(`more${n}`))
      expect(() => openAll(sandbox, 'a', 0)).toThrow('no other can be opened now; retry')
      await written()
      openAll(sandbox, 'a', 0)
      expect(openOf(sandbox, 'a')).toBe('a')
    })

    it('can be deleted there', async () => {
      const sandbox = await openSandbox(1, shelf)
      openAll(sandbox, 'ab', MINUTE)
      await written()
      const back = sandbox.worlds.find(idOf('a'))
      if (back) sandbox.worlds.delete(back, 'no more')
      expect(sandbox.worlds.find(idOf('a'))).toBeUndefined()
    })
  })
})

describe('a world that was deleted', () => {
  it('is another one at its key’s next use, which is no news', async () => {
    const sandbox = await openSandbox(5)
    const [first] = openAll(sandbox, 'a', 0) as [OpenWorld]
    sandbox.worlds.delete(first, 'no more')
    expect(sandbox.worlds.find(idOf('a'))).toBeUndefined()
    const [next] = openAll(sandbox, 'a', 0) as [OpenWorld]
    expect(next).not.toBe(first)
    expect(next.again).toBe(false)
    expect(warn).not.toHaveBeenCalled()
  })

  it('does not come back when a request that was at it ends', async () => {
    const sandbox = await openSandbox(5)
    const [first] = openAll(sandbox, 'a', 0) as [OpenWorld]
    const release = sandbox.worlds.hold(first)
    sandbox.worlds.delete(first, 'no more')
    release?.()
    expect(sandbox.worlds.find(idOf('a'))).toBeUndefined()
    expect(sandbox.worlds.size).toBe(1)
  })

  it('lets a later world of its key have its own keys', async () => {
    const sandbox = await openSandbox(5)
    const [old] = openAll(sandbox, 'a', 0) as [OpenWorld]
    sandbox.worlds.delete(old, 'no more')
    const [next] = openAll(sandbox, 'a', 0) as [OpenWorld]
    const secret = 'KeyOfTheOldWorld0000000000000001'
    const key = { name: 'late', hash: hashSecret(secret), last_four: '0001' }
    const input = { ...key, permissions: 'full', expires_at: null } as const
    old.line.world.run('api_key.create', input, { kind: 'library' })
    expect(sandbox.findKey(secret)).toBeUndefined()
    next.line.world.run('api_key.create', input, { kind: 'library' })
    expect(sandbox.findKey(secret)?.opened).toBe(next)
  })
})

it('lists the most recently used first', async () => {
  const sandbox = await openSandbox(5)
  const [a, b] = openAll(sandbox, 'abc', 10) as [OpenWorld, OpenWorld]
  now += 10
  sandbox.worlds.use(a)
  now += 10
  sandbox.worlds.use(sandbox.worlds.main)
  now += 10
  sandbox.worlds.use(b)
  const ids = sandbox.worlds.list().map(({ line }) => line.id)
  expect(ids).toEqual([idOf('b'), 'default', idOf('a'), idOf('c')])
})

it('remembers many worlds later who had to make room', async () => {
  const sandbox = await openSandbox(1)
  openAll(sandbox, 'a', MINUTE)
  const many = 200
  for (let i = 0; i < many; i++) {
    now += MINUTE
    sandbox.worlds.open(keyOf(`x${i}`))
  }
  expect(sandbox.worlds.size).toBe(2)
  expect(openAll(sandbox, 'a', MINUTE)[0]?.again).toBe(true)
})
