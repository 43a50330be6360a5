import { describe, expect, it } from 'vitest'
import { dataFile } from '../support/data-folder.js'
import { MemoryDisk, noSpace } from '../support/memory-disk.js'
import { payoutRequest } from '../support/requests.js'
import { openStored, type StoredSandbox } from '../support/stored-sandbox.js'

const PAYOUT = '/payment/api/v1/payout'
const USERS = '/onboarding/api/v1/users/all'
const MINUTE = 60_000
const keyOf = (name: string) => `SandboxWorld${name.padStart(20, '0')}`

const settle = async ({ sandbox }: StoredSandbox): Promise<void> => {
  for (let turn = 0; turn < 50; turn++) {
    await sandbox.flushed()
    await new Promise(setImmediate)
  }
}

/** A sandbox in which a world with a payout was put aside, by others that came after it. */
const withOneAside = async () => {
  const file = dataFile()
  const disk = new MemoryDisk()
  let ms = 0
  const options = { worldLimit: 1, machineClock: () => ms }
  const api = await openStored(file, disk, options)
  await api.call('POST', PAYOUT, payoutRequest(), keyOf('a'))
  const id = api.sandbox.findKey(keyOf('a'))?.opened.line?.id ?? ''
  const path = `${file}.worlds/${id}.json`
  const leave = async () => {
    for (const other of ['b', 'c']) {
      ms += 2 * MINUTE
      await api.call('GET', USERS, undefined, keyOf(other))
      await settle(api)
    }
  }
  const remove = async () =>
    expect((await api.call('DELETE', `/_sandbox/worlds/${id}`)).status).toBe(200)
  await leave()
  expect([...disk.files.keys()]).toContain(path)
  return { file, disk, options, api, path, leave, remove }
}

/** How many payouts the world of that key has, after another start on these files. */
const payoutsIn = async (file: string, disk: MemoryDisk, options: object): Promise<number> => {
  const { sandbox } = await openStored(file, disk, options)
  const payouts = sandbox.findKey(keyOf('a'))?.opened.line?.world.tables.payouts.size
  await sandbox.close()
  return payouts ?? 0
}

const AT_FIRST = 3

describe('a world that was put aside and deleted', () => {
  it('stays away wherever a crash comes in the fold behind it', async () => {
    const { file, disk, options, api, path, remove } = await withOneAside()
    await remove()
    const crashes: { readonly at: string; readonly left: MemoryDisk }[] = []
    disk.meanwhile = (operation, name) => {
      if (operation !== 'rename' && operation !== 'settle') return
      crashes.push({ at: `before ${operation} ${name}`, left: disk.copy() })
    }
    await api.sandbox.close()
    expect(crashes.map(({ at }) => at)).toContain('before rename state.json.journal')
    expect(disk.files.has(path)).toBe(false)
    for (const { at, left } of crashes) {
      expect([at, await payoutsIn(file, left, options)]).toEqual([at, AT_FIRST])
      expect([at, left.files.has(path)]).toEqual([at, false])
    }
  })

  it('stays away when its file could not be removed, which is tried again', async () => {
    const { file, disk, options, api, path, remove } = await withOneAside()
    await remove()
    const { remove: really } = disk
    disk.remove = async (it) => (it === path ? noSpace() : really.call(disk, it))
    await api.sandbox.close()
    expect(disk.files.has(path)).toBe(true)
    expect(await payoutsIn(file, disk, options)).toBe(AT_FIRST)
    expect(disk.files.has(path)).toBe(true)
    disk.remove = really
    expect(await payoutsIn(file, disk, options)).toBe(AT_FIRST)
    expect(disk.files.has(path)).toBe(false)
    const { crc } = JSON.parse(disk.text(`${file}.journal`).split('\n')[0] ?? '').snapshot
    await payoutsIn(file, disk, options)
    const { snapshot, gone } = JSON.parse(disk.text(`${file}.journal`).split('\n')[0] ?? '')
    expect([snapshot.crc, gone ?? []]).toEqual([crc, []])
  })

  it('that came anew and was put aside again is there after a crash', async () => {
    const { file, disk, options, api, leave, remove } = await withOneAside()
    await remove()
    await settle(api)
    await api.call('POST', PAYOUT, payoutRequest(), keyOf('a'))
    await api.call(
      'POST',
      PAYOUT,
      { ...payoutRequest(), customer_payout_id: crypto.randomUUID() },
      keyOf('a'),
    )
    await settle(api)
    await leave()
    const crashes: MemoryDisk[] = [disk.copy()]
    disk.meanwhile = () => void crashes.push(disk.copy())
    await api.sandbox.close()
    for (const left of [...crashes, disk]) {
      expect(await payoutsIn(file, left, options)).toBe(AT_FIRST + 2)
    }
  })
})
