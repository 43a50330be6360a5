import { describe, expect, test } from 'vitest'
import { GroupCommit } from './group-commit.js'

/** A group whose writes end when the test says so. */
const open = () => {
  const written: number[][] = []
  const taken: number[][] = []
  const ends: { resolve: () => void; reject: (why: Error) => void }[] = []
  const soon: (() => void)[] = []
  const group = new GroupCommit<number>({
    write: (items) => {
      written.push([...items])
      return new Promise((resolve, reject) => ends.push({ resolve, reject }))
    },
    failed: (_why, items) => {
      taken.push([...items])
      return new Error('taken back')
    },
    soon: (run) => soon.push(run),
  })
  const turn = () => new Promise(setImmediate)
  const begin = () => {
    soon.shift()?.()
    return turn()
  }
  return { group, written, taken, ends, begin, turn }
}

describe('a group', () => {
  test('has nothing to wait for while nothing came in', () => {
    expect(open().group.pending).toBeUndefined()
  })

  test('writes at once what came in at the same time, and then what came in meanwhile', async () => {
    const { group, written, ends, begin, turn } = open()
    for (const n of [1, 2, 3]) group.add(n)
    const first = group.pending
    await begin()
    expect(written).toEqual([[1, 2, 3]])
    for (const n of [4, 5]) group.add(n)
    const order: string[] = []
    void first?.then(() => order.push('first'))
    void group.pending?.then(() => order.push('second'))
    ends[0]?.resolve()
    await turn()
    expect(written).toEqual([
      [1, 2, 3],
      [4, 5],
    ])
    expect(order).toEqual(['first'])
    ends[1]?.resolve()
    await turn()
    expect(order).toEqual(['first', 'second'])
    expect(group.pending).toBeUndefined()
  })

  test('has the next on its way to the disk when it tells those who waited', async () => {
    const { group, written, ends, begin, turn } = open()
    group.add(1)
    const begun = group.pending?.then(() => written.length)
    await begin()
    group.add(2)
    ends[0]?.resolve()
    expect(await begun).toBe(2)
    const last = group.pending?.then(() => written.length)
    ends[1]?.resolve()
    expect(await last).toBe(2)
    await turn()
    expect(group.pending).toBeUndefined()
  })

  test('lets those wait for what is being written who came after it', async () => {
    const { group, ends, begin, turn } = open()
    group.add(1)
    await begin()
    let isDone = false
    void group.pending?.then(() => {
      isDone = true
    })
    await turn()
    expect(isDone).toBe(false)
    ends[0]?.resolve()
    await turn()
    expect(isDone).toBe(true)
  })

  test('gives back all that was not written when a write fails, and tells all who wait', async () => {
    const { group, taken, ends, begin, turn, written } = open()
    group.add(1)
    const first = group.pending
    await begin()
    group.add(2)
    const second = group.pending
    ends[0]?.reject(new Error('full'))
    await expect(first).rejects.toThrow('taken back')
    await expect(second).rejects.toThrow('taken back')
    await turn()
    expect(taken).toEqual([[1, 2]])
    expect(group.pending).toBeUndefined()
    group.add(3)
    await begin()
    expect(written.at(-1)).toEqual([3])
  })

  test('runs other things between two writes only', async () => {
    const { group, written, ends, begin, turn } = open()
    group.add(1)
    await begin()
    group.add(2)
    let writtenThen = 0
    const between = group.exclusive(async () => {
      writtenThen = written.length
    })
    ends[0]?.resolve()
    await between
    expect(writtenThen).toBe(1)
    await turn()
    expect(written).toHaveLength(2)
    ends[1]?.resolve()
    await turn()
    const failing = group.exclusive(() => Promise.reject(new Error('no')))
    const refused = expect(failing).rejects.toThrow('no')
    await begin()
    await refused
  })

  test('rejects nobody who does not listen', async () => {
    const unhandled: unknown[] = []
    const hear = (why: unknown) => void unhandled.push(why)
    process.on('unhandledRejection', hear)
    const { group, ends, begin, turn } = open()
    group.add(1)
    const asked = group.pending
    await begin()
    ends[0]?.reject(new Error('full'))
    await turn()
    await turn()
    process.off('unhandledRejection', hear)
    expect(unhandled).toEqual([])
    await expect(asked).rejects.toThrow('taken back')
  })
})
