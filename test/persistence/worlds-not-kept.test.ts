import { describe, expect, test } from 'vitest'
import { ownId } from '../support/fixture-ids.js'
import { type MemoryDisk, noSpace } from '../support/memory-disk.js'
import { type PersistentSandbox, retry, stateOf } from '../support/persistent-sandbox.js'
import { findLiveWorld, openWorlds, pay, settle, USERS } from '../support/persistent-worlds.js'
import { payoutRequest } from '../support/requests.js'
import { worldId, worldKey } from '../support/worlds.js'

// Worlds are opened, deleted and evicted while the journal cannot be written.

const turns = async (): Promise<void> => {
  for (let turn = 0; turn < 200; turn++) await new Promise(setImmediate)
}

/** A payout at a world, whose body comes when the test lets it. */
const slowPay = (api: PersistentSandbox, name: string, id: string) => {
  const text = JSON.stringify({ ...payoutRequest(), customer_payout_id: id })
  let send = () => {}
  const body = new ReadableStream({
    start: (stream) => {
      send = () => {
        stream.enqueue(new TextEncoder().encode(text))
        stream.close()
      }
    },
  })
  const headers = { 'x-api-key': worldKey(name), 'content-type': 'application/json' }
  const init: RequestInit & { duplex: 'half' } = { method: 'POST', headers, body, duplex: 'half' }
  return { answer: api.fetch('/payment/api/v1/payout', init), send: () => send() }
}

const isJournal = (operation: string, name: string): boolean =>
  operation === 'write' && name === 'state.json.journal'

/** The disk of the journal is full now. */
const fill = (disk: MemoryDisk): void => {
  disk.meanwhile = (operation, name) => {
    if (isJournal(operation, name)) noSpace()
  }
}

/** The next write of the journal waits until it is let fail. */
const heldWrite = (disk: MemoryDisk) => {
  let fail: (() => void) | undefined
  disk.meanwhile = (operation, name) =>
    isJournal(operation, name)
      ? new Promise((_, reject) => {
          fail = () => reject(new Error('ENOSPC: no space left on device, write'))
        })
      : undefined
  return () => fail?.()
}

/** The renames to this name wait until they are let go on. */
const heldRename = (disk: MemoryDisk, to: string) => {
  let goOn = () => {}
  disk.meanwhile = (operation, name) =>
    operation === 'rename' && name === to
      ? new Promise<void>((resolve) => {
          goOn = resolve
        })
      : undefined
  return () => goOn()
}

const heal = async (api: PersistentSandbox, disk: MemoryDisk): Promise<void> => {
  disk.meanwhile = () => {}
  await retry(api)
}

/** A snapshot that is missing is written again at the next retry. */
const compactTwice = async (api: PersistentSandbox, disk: MemoryDisk): Promise<void> => {
  for (let round = 0; round < 2; round++) {
    for (const path of [...disk.files.keys()])
      if (path.endsWith('state.json')) disk.files.delete(path)
    await retry(api)
  }
}

const paid = async (api: PersistentSandbox, name: string, id: string): Promise<number> =>
  (await findLiveWorld(api, worldKey(name))).world.tables.payouts.count('customer_id', id)

describe('a request that is still at a world', () => {
  test('enters its world when its body has arrived, so a full disk before that does not matter', async () => {
    const { api, disk, again, crash } = await openWorlds()
    await pay(api, 'first')
    fill(disk)
    const slow = slowPay(api, 'n', ownId(77))
    await turns()
    await heal(api, disk)
    slow.send()
    const { status } = await slow.answer
    expect(status).toBe(200)
    expect((await pay(api, 'n', ownId(78))).status).toBe(200)
    await settle(api)
    await crash()
    const later = await again()
    expect([await paid(later, 'n', ownId(77)), await paid(later, 'n', ownId(78))]).toEqual([1, 1])
  })

  test('leaves nothing behind when the world was to be deleted, and could not be', async () => {
    const { api, disk, again, crash } = await openWorlds()
    await pay(api, 'a')
    await api.call('DELETE', '/_sandbox/worlds/none')
    const before = stateOf(await findLiveWorld(api, worldKey('a')))
    const slow = slowPay(api, 'a', ownId(77))
    await turns()
    const fail = heldWrite(disk)
    const deleted = api.call('DELETE', `/_sandbox/worlds/${worldId(worldKey('a'))}`)
    await turns()
    slow.send()
    await turns()
    fail()
    expect([(await deleted).status, (await slow.answer).status]).toEqual([503, 503])
    await heal(api, disk)
    expect(stateOf(await findLiveWorld(api, worldKey('a')))).toEqual(before)
    expect((await pay(api, 'a', ownId(78))).status).toBe(200)
    await settle(api)
    await crash()
    const later = await again()
    expect([await paid(later, 'a', ownId(77)), await paid(later, 'a', ownId(78))]).toEqual([0, 1])
  })
})

test('a world that is deleted while its file is written stays deleted through compactions and a crash', async () => {
  const { api, disk, again, crash, visit } = await openWorlds({ worldLimit: 1 })
  await pay(api, 'a')
  const id = worldId(worldKey('a'))
  const goOn = heldRename(disk, `${id}.json`)
  await visit('b')
  expect((await api.call('DELETE', `/_sandbox/worlds/${id}`)).status).toBe(200)
  const compacted = compactTwice(api, disk)
  await turns()
  goOn()
  await compacted
  await settle(api)
  await crash()
  expect(await paid(await again(), 'a', payoutRequest().customer_payout_id)).toBe(0)
})

test('a world that is deleted while its file is written stays deleted when the next of its key could not be kept', async () => {
  const { api, disk, again, crash, visit } = await openWorlds({ worldLimit: 1 })
  await pay(api, 'a')
  const id = worldId(worldKey('a'))
  const goOn = heldRename(disk, `${id}.json`)
  await visit('b')
  expect((await api.call('DELETE', `/_sandbox/worlds/${id}`)).status).toBe(200)
  const fail = heldWrite(disk)
  const next = pay(api, 'a', ownId(77))
  await turns()
  goOn()
  await turns()
  fail()
  expect((await next).status).toBe(503)
  await heal(api, disk)
  expect((await pay(api, 'a', ownId(78))).status).toBe(200)
  await settle(api)
  await crash()
  const later = await again()
  const { customer_payout_id } = payoutRequest()
  const ids = [customer_payout_id, ownId(77), ownId(78)]
  const all = await Promise.all(ids.map((it) => paid(later, 'a', it)))
  expect(all).toEqual([0, 0, 1])
})

test('a world that was evicted and deleted stays deleted when the next of its key is deleted, and neither could be kept', async () => {
  const { api, disk, again, asideOf, visit } = await openWorlds({ worldLimit: 1 })
  await pay(api, 'a')
  const id = worldId(worldKey('a'))
  await visit('b')
  expect([...disk.files.keys()]).toContain(asideOf(id))
  const remove = () => api.call('DELETE', `/_sandbox/worlds/${id}`)
  expect((await remove()).status).toBe(200)
  const fail = heldWrite(disk)
  const next = pay(api, 'a', ownId(77))
  await turns()
  const removed = remove()
  await turns()
  fail()
  expect([(await next).status, (await removed).status]).toEqual([503, 503])
  await heal(api, disk)
  expect((await pay(api, 'c')).status).toBe(200)
  await api.sandbox.close()
  expect([...disk.files.keys()]).not.toContain(asideOf(id))
  expect(await paid(await again(), 'a', payoutRequest().customer_payout_id)).toBe(0)
})

test('a world that comes back when a deletion fails is not half evicted', async () => {
  const { api, disk, again, crash, visit, rest } = await openWorlds({ worldLimit: 1 })
  await pay(api, 'a')
  await visit('b')
  await api.call('GET', USERS, undefined, worldKey('a'))
  await settle(api)
  rest()
  fill(disk)
  const deleted = await api.call('DELETE', `/_sandbox/worlds/${worldId(worldKey('b'))}`)
  expect(deleted.status).toBe(503)
  await settle(api)
  await heal(api, disk)
  expect((await pay(api, 'a', ownId(78))).status).toBe(200)
  await settle(api)
  await crash()
  expect(await paid(await again(), 'a', ownId(78))).toBe(1)
})
