import { describe, expect, it, onTestFinished } from 'vitest'
import { BOOT, bootWorld, groundFrom, layGround, reactionsOf } from '../../src/boot.js'
import { partsOf } from '../../src/options.js'
import { openStore } from '../../src/store/open-store.js'
import { Shelf } from '../../src/store/shelf.js'
import { type MakeWorld, type ReopenedLine, Timeline } from '../../src/timeline.js'
import { openWorld } from '../../src/world/world.js'
import { dataFile } from '../support/data-folder.js'
import { users } from '../support/fixture-ids.js'
import { MemoryDisk, noSpace } from '../support/memory-disk.js'
import { stateOf } from '../support/stored-sandbox.js'
import { Timers } from '../support/timers.js'

const keyOf = (id: string) => ({
  hash: id.repeat(64).slice(0, 64),
  last_four: 'abcd',
  created_at: '2030-01-01T00:00:00.000Z',
})

/** A store with a default world, a shelf, and worlds that keys have opened. */
const open = async (file: string, disk: MemoryDisk) => {
  const parts = await partsOf({ clock: 'manual' })
  const { later } = new Timers()
  const { store, found } = await openStore(file, { later, tell: () => {}, disk })
  const ground = found ? groundFrom(parts, found.base) : layGround(parts)
  const { base, beginning } = ground
  const lineOf = (id: string, make: MakeWorld, reopened?: ReopenedLine): Timeline => {
    const { machineClock } = parts
    const common = { id, beginning, machineClock, later, requestLog: 0, report: () => {} }
    const line = new Timeline({ ...common, keeping: store, reopened }, make)
    store.opened(line, id === 'default' ? undefined : keyOf(id))
    return line
  }
  const begin = (id: string): Timeline =>
    lineOf(id, (record) => {
      const opening =
        id === 'default' ? { seed: id } : { seed: id, key: { name: 'k', ...keyOf(id) } }
      return bootWorld(ground, opening, { record, seq: base.seq, cause: BOOT })
    })
  const shelf = new Shelf({ store, base, react: reactionsOf(ground) })
  /** A world by its id, from wherever it is. */
  const unshelve = (id: string): Timeline | undefined => {
    const world = shelf.open(id)
    return world && lineOf(id, world.make, world.reopened)
  }
  const lines = new Map<string, Timeline>()
  for (const [id, world] of found?.worlds ?? []) {
    const react = reactionsOf(ground)
    lines.set(
      id,
      lineOf(id, (record) => openWorld(world, { react, record }), world),
    )
  }
  if (!found) lines.set('default', begin('default'))
  const { seed = 'one', standing } = found ?? {}
  await store.begin({ seed, base, isNew: !found, lines: found?.lines ?? 0, standing })
  onTestFinished(() => store.close())
  return { store, shelf, lines, begin, unshelve, keys: found?.worlds }
}

const credit = (line: Timeline, amount: string) =>
  line.world.run('balance.credit', { user_id: users.ada, currency: 'NGN', amount }, BOOT)

const path = (file: string, id: string) => `${file}.worlds/${id}.json`

describe('a world that makes room', () => {
  it('is written into a file of its own, and comes back as it was', async () => {
    const file = dataFile()
    const disk = new MemoryDisk()
    const { shelf, begin, unshelve, store } = await open(file, disk)
    const line = begin('a1')
    credit(line, '5.00')
    line.takeSnapshot('s', BOOT)
    const before = stateOf(line)
    shelf.putAside({ line, key: keyOf('a1') })
    await shelf.settled
    await store.pending
    expect(disk.text(path(file, 'a1'))).toContain('"a1"')
    expect(disk.text(`${file}.journal`)).toContain('"world":"a1","is":"aside"')
    const back = unshelve('a1')
    expect(back && stateOf(back)).toEqual(before)
    expect(unshelve('b2')).toBeUndefined()
  })

  it('comes back from memory while it is being written, and is in no doubt then', async () => {
    const file = dataFile()
    const disk = new MemoryDisk()
    const { shelf, begin, unshelve, store } = await open(file, disk)
    const line = begin('a1')
    credit(line, '5.00')
    shelf.putAside({ line, key: keyOf('a1') })
    const back = unshelve('a1')
    if (!back) throw new Error('it is gone')
    credit(back, '6.00')
    await shelf.settled
    await store.pending
    const state = stateOf(back)
    expect(disk.text(`${file}.journal`)).not.toContain('aside')
    const left = disk.copy()
    await store.close()
    const again = await open(file, left)
    const found = again.lines.get('a1')
    expect(found && stateOf(found)).toEqual(state)
    expect(again.keys?.get('a1')?.key).toMatchObject({ hash: keyOf('a1').hash, last_four: 'abcd' })
  })

  it.each(['crashed', 'closed'])('is the same after the sandbox was %s', async (how) => {
    const file = dataFile()
    const disk = new MemoryDisk()
    const first = await open(file, disk)
    const states = new Map<string, unknown>()
    for (const id of ['a1', 'b2', 'c3']) {
      const line = first.begin(id)
      credit(line, '5.00')
      first.shelf.putAside({ line, key: keyOf(id) })
      await first.shelf.settled
      states.set(id, stateOf(line))
    }
    // One is used again, and has lines behind the one that tells that it was put aside.
    const back = first.unshelve('b2')
    if (!back) throw new Error('it is gone')
    credit(back, '7.00')
    states.set('b2', stateOf(back))
    await first.store.pending
    const left = disk.copy()
    await first.store.close()
    const next = await open(file, how === 'crashed' ? left : disk)
    expect([...next.lines.keys()].sort()).toEqual(['b2', 'default'])
    for (const id of ['a1', 'b2', 'c3']) {
      const line = next.lines.get(id) ?? next.unshelve(id)
      expect(line && stateOf(line), id).toEqual(states.get(id))
    }
  })

  it('stays in memory while the disk is full', async () => {
    const file = dataFile()
    const disk = new MemoryDisk()
    const { shelf, begin, unshelve, store } = await open(file, disk)
    const line = begin('a1')
    await store.pending
    disk.meanwhile = (operation, name) => {
      if (operation === 'write' && name === 'a1.json.new') noSpace()
    }
    shelf.putAside({ line, key: keyOf('a1') })
    await shelf.settled
    const back = unshelve('a1')
    expect(back && stateOf(back)).toEqual(stateOf(line))
  })
})

describe('a world that is deleted', () => {
  it.each(['crashed', 'closed'])('begins anew, also after the sandbox was %s', async (how) => {
    const file = dataFile()
    const disk = new MemoryDisk()
    const { shelf, begin, unshelve, store } = await open(file, disk)
    const line = begin('a1')
    credit(line, '5.00')
    shelf.putAside({ line, key: keyOf('a1') })
    await shelf.settled
    const dropped = shelf.drop('a1')
    expect(unshelve('a1')).toBeUndefined()
    await dropped
    expect(disk.files.has(path(file, 'a1'))).toBe(false)
    const anew = stateOf(begin('a1'))
    await store.pending
    const left = disk.copy()
    await store.close()
    const next = await open(file, how === 'crashed' ? left : disk)
    const again = next.lines.get('a1')
    expect(again && stateOf(again)).toEqual(anew)
  })
})
