import { describe, expect, test } from 'vitest'
import { ownId } from '../support/fixture-ids.js'
import { type MemoryDisk, noSpace } from '../support/memory-disk.js'
import { type PersistentSandbox, retry, stateOf } from '../support/persistent-sandbox.js'
import { payoutRequest } from '../support/requests.js'
import { worldId, worldKey } from '../support/worlds.js'
import { findLiveWorld, openWorlds, pay, settle, USERS } from './persistent-worlds.js'

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

const heal = async (api: PersistentSandbox, disk: MemoryDisk): Promise<void> => {
  disk.meanwhile = () => {}
  await retry(api)
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

test('a world whose eviction cannot be stored is as it was, also after a crash', async () => {
  const { api, disk, again, crash, rest } = await openWorlds({ worldLimit: 1 })
  await pay(api, 'a', ownId(77))
  const before = stateOf(await findLiveWorld(api, worldKey('a')))
  rest()
  const fail = heldWrite(disk)
  const newcomer = pay(api, 'b')
  await turns()
  expect(api.sandbox.worlds.find(worldId(worldKey('a')))).toBeUndefined()
  fail()
  expect((await newcomer).status).toBe(503)
  await heal(api, disk)
  expect(stateOf(await findLiveWorld(api, worldKey('a')))).toEqual(before)
  expect((await pay(api, 'a', ownId(78))).status).toBe(200)
  await settle(api)
  await crash()
  const later = await again()
  expect([await paid(later, 'a', ownId(77)), await paid(later, 'a', ownId(78))]).toEqual([1, 1])
})

test('an idle world stays while nothing can be stored, and no new one takes its place', async () => {
  const { api, disk, rest } = await openWorlds({ worldLimit: 1 })
  await pay(api, 'a')
  fill(disk)
  expect((await pay(api, 'a', ownId(77))).status).toBe(503)
  rest()
  const refused = await pay(api, 'b')
  expect(refused).toMatchObject({ status: 503, body: { code: '5030' } })
  expect(refused.body.message).toContain('the world was not opened')
  expect((await api.call('GET', USERS, undefined, worldKey('a'))).status).toBe(200)
  rest()
  await heal(api, disk)
  expect((await pay(api, 'b')).status).toBe(200)
  expect(api.sandbox.worlds.find(worldId(worldKey('a')))).toBeUndefined()
})
