import { describe, expect, test } from 'vitest'
import { type MemoryDisk, noSpace } from '../support/memory-disk.js'
import { findLiveWorld, openWorlds, pay, settle } from '../support/persistent-worlds.js'
import { worldKey } from '../support/worlds.js'

/** Worlds of which one with a payout was evicted by later ones. */
const withOneAside = async () => {
  const worlds = await openWorlds({ worldLimit: 1 })
  const { api, disk, asideOf, again, visit } = worlds
  await pay(api, 'a')
  const { id } = await findLiveWorld(api, worldKey('a'))
  const path = asideOf(id)
  const leave = async () => {
    for (const other of ['b', 'c']) await visit(other)
    expect([...disk.files.keys()]).toContain(path)
  }
  await leave()
  return {
    ...worlds,
    path,
    leave,
    remove: async () =>
      expect((await api.call('DELETE', `/_sandbox/worlds/${id}`)).status).toBe(200),
    /** How many payouts the world has after another start. */
    payoutsThen: async (): Promise<number> => {
      const later = await again()
      const { size } = (await findLiveWorld(later, worldKey('a'))).world.tables.payouts
      await later.sandbox.close()
      return size
    },
  }
}

const AT_FIRST = 3

describe('a world that was evicted and deleted', () => {
  test('stays away wherever a crash comes in the compaction after it', async () => {
    const { disk, api, path, remove, payoutsThen } = await withOneAside()
    await remove()
    const crashes: { readonly at: string; readonly left: MemoryDisk }[] = []
    disk.meanwhile = (operation, name) => {
      if (operation !== 'rename' && operation !== 'settle') return
      crashes.push({ at: `before ${operation} ${name}`, left: disk.copy() })
    }
    await api.sandbox.close()
    disk.meanwhile = () => {}
    expect(crashes.map(({ at }) => at)).toContain('before rename state.json.journal')
    expect(disk.files.has(path)).toBe(false)
    for (const { at, left } of crashes) {
      disk.become(left)
      expect([at, await payoutsThen()]).toEqual([at, AT_FIRST])
      expect([at, disk.files.has(path)]).toEqual([at, false])
    }
  })

  test('stays away when its file could not be removed, which is tried again', async () => {
    const { disk, api, path, remove, payoutsThen } = await withOneAside()
    await remove()
    const { remove: really } = disk
    disk.remove = async (it) => (it === path ? noSpace() : really.call(disk, it))
    await api.sandbox.close()
    expect(disk.files.has(path)).toBe(true)
    expect(await payoutsThen()).toBe(AT_FIRST)
    expect(disk.files.has(path)).toBe(true)
    disk.remove = really
    expect(await payoutsThen()).toBe(AT_FIRST)
    expect(disk.files.has(path)).toBe(false)
    disk.done.length = 0
    expect(await payoutsThen()).toBe(AT_FIRST)
    expect(disk.done).not.toContain('rename state.json')
  })

  test('that was created and evicted again is there after a crash', async () => {
    const { disk, api, leave, remove, payoutsThen } = await withOneAside()
    await remove()
    await settle(api)
    await pay(api, 'a')
    await pay(api, 'a', crypto.randomUUID())
    await settle(api)
    await leave()
    const crashes: MemoryDisk[] = [disk.copy()]
    disk.meanwhile = () => void crashes.push(disk.copy())
    await api.sandbox.close()
    disk.meanwhile = () => {}
    for (const left of [...crashes, disk.copy()]) {
      disk.become(left)
      expect(await payoutsThen()).toBe(AT_FIRST + 2)
    }
  })

  test('that was created again stays in memory while its old file is being removed, and is there after a crash', async () => {
    const { disk, api, path, leave, remove, payoutsThen } = await withOneAside()
    const { remove: really } = disk
    let goOn = () => {}
    const removing = new Promise<void>((begun) => {
      disk.remove = async (it) => {
        if (it === path) {
          begun()
          await new Promise<void>((resolve) => {
            goOn = resolve
          })
        }
        await really.call(disk, it)
      }
    })
    await remove()
    // A file that is missing is written again at the next check, by a compaction.
    for (const it of [...disk.files.keys()]) if (it.endsWith('state.json')) disk.files.delete(it)
    api.timers.fire(1_000)
    await removing
    await pay(api, 'a')
    await leave()
    disk.remove = really
    goOn()
    await settle(api)
    const left = disk.copy()
    await api.sandbox.close()
    disk.become(left)
    expect(await payoutsThen()).toBe(AT_FIRST + 1)
  })
})
