import { describe, expect, test } from 'vitest'
import { dataFile } from '../support/data-folder.js'
import { users } from '../support/fixture-ids.js'
import { MemoryDisk, noSpace } from '../support/memory-disk.js'
import {
  openPersistent,
  type PersistentSandbox,
  retry,
  stateOf,
} from '../support/persistent-sandbox.js'
import { findLiveWorld, openWorlds, pay, settle, USERS } from '../support/persistent-worlds.js'
import { payoutRequest } from '../support/requests.js'
import { worldKey } from '../support/worlds.js'

type Opened = Awaited<ReturnType<typeof openWorlds>>

const turns = async (): Promise<void> => {
  for (let turn = 0; turn < 50; turn++) await new Promise(setImmediate)
}

/** A world that was evicted, is in no snapshot any more, and is used again. */
const leftAndBack = async ({ api, visit }: Opened, name: string) => {
  const { id } = await findLiveWorld(api, worldKey(name))
  await visit('other')
  await visit('more')
  expect(await idsOf(api)).not.toContain(id)
  return findLiveWorld(api, worldKey(name))
}

const idsOf = async (api: PersistentSandbox): Promise<string[]> =>
  (await api.call('GET', '/_sandbox/worlds')).body.items.map(({ id }: { id: string }) => id)

describe('worlds by key', () => {
  test.each(['closed', 'crashed'] as const)('are there again after it was %s', async (how) => {
    const { api, again, crash } = await openWorlds({ seed: 'tests' })
    const made = await pay(api, 'a')
    await api.call('POST', '/_sandbox/snapshots', { name: 'paid' }, worldKey('a'))
    const forked = await api.call('POST', '/_sandbox/snapshots/paid/fork', undefined, worldKey('a'))
    await pay(api, 'b')
    await api.call('POST', '/_sandbox/reset', undefined, worldKey('b'))
    const secrets = [worldKey('a'), worldKey('b'), forked.body.key]
    const states = await Promise.all(
      secrets.map(async (key) => stateOf(await findLiveWorld(api, key))),
    )
    const ids = await idsOf(api)
    await (how === 'crashed' ? crash() : api.sandbox.close())

    // The seed is that of the file, which this start does not give.
    const later = await again({})
    expect((await idsOf(later)).sort()).toEqual(ids.sort())
    expect(
      await Promise.all(secrets.map(async (key) => stateOf(await findLiveWorld(later, key)))),
    ).toEqual(states)
    const repeat = await pay(later, 'a')
    expect(repeat.body).toEqual(made.body)
    expect(later.warnings).toEqual([])
    // A world that nobody has opened takes its seed from the one that is kept.
    expect((await findLiveWorld(later, worldKey('c'))).world.seed).toMatch(/^tests\//)
  })

  test('that begin on a file of other readings show their whole history', async () => {
    const readings = ['payout.repeat=conflict', 'user.age=eighteen']
    const { api, again } = await openWorlds({ readings })
    await api.sandbox.close()
    const later = await again({ readings: [] })
    const made = await pay(later, 'new')
    const get = (path: string) => later.call('GET', path, undefined, worldKey('new'))
    const { items } = (await get('/_sandbox/journal?after=0')).body
    const numbers = items.map(({ seq }: { seq: number }) => seq)
    expect(numbers).toEqual(numbers.map((_: number, i: number) => numbers[0] + i))
    const why = (await get(`/_sandbox/payouts/${made.body.id}/why`)).body
    expect(why).toMatchObject({ complete: true, entries: [{ command: 'payout.create' }] })
  })

  test('that make room lie in files of their own, and come back as they were', async () => {
    const { api, disk, asideOf, visit } = await openWorlds({ worldLimit: 1 })
    await pay(api, 'a')
    const before = stateOf(await findLiveWorld(api, worldKey('a')))
    const { id } = await findLiveWorld(api, worldKey('a'))
    await visit('b')
    expect(await idsOf(api)).not.toContain(id)
    expect(disk.text(asideOf(id))).toContain(payoutRequest().customer_payout_id)

    const back = await pay(api, 'a')
    expect(back.status).toBe(200)
    expect(stateOf(await findLiveWorld(api, worldKey('a'))).records).toEqual(before.records)
    const worlds = await api.call('GET', '/_sandbox/worlds')
    expect(worlds.body.items).toContainEqual(expect.objectContaining({ id, started_anew: false }))
  })

  test('that were evicted can be read while nothing can be stored', async () => {
    const { api, disk, visit } = await openWorlds({ worldLimit: 1 })
    await pay(api, 'a')
    await visit('b')
    disk.meanwhile = (operation, name) => {
      if (operation === 'write' && name === 'state.json.journal') noSpace()
    }
    expect((await pay(api, 'b')).status).toBe(503)
    const read = await api.call('GET', '/_sandbox/payouts', undefined, worldKey('a'))
    expect(read.status).toBe(200)
    const { customer_payout_id } = payoutRequest()
    expect(read.body.items).toContainEqual(expect.objectContaining({ customer_payout_id }))
    expect((await api.call('GET', '/_sandbox/payouts', undefined, worldKey('c'))).status).toBe(503)
    disk.meanwhile = () => {}
    await retry(api)
    expect((await pay(api, 'c')).status).toBe(200)
  })

  test('that were evicted come back after a crash, with later changes', async () => {
    const { api, again, crash, visit } = await openWorlds({ worldLimit: 1 })
    const credit = (amount: number) =>
      api.call(
        'POST',
        `/_sandbox/users/${users.ada}/balances`,
        { currency: 'JPY', amount },
        worldKey('a'),
      )
    await credit(1)
    await visit('b')
    await credit(2)
    await visit('c')
    await credit(4)
    const state = stateOf(await findLiveWorld(api, worldKey('a')))
    await crash()
    const later = await again()
    expect(stateOf(await findLiveWorld(later, worldKey('a')))).toEqual(state)
  })

  test('that a crash kept from being evicted leave no file behind', async () => {
    const { api, disk, asideOf, again, crash, visit } = await openWorlds({ worldLimit: 1 })
    await pay(api, 'a')
    const { id } = await findLiveWorld(api, worldKey('a'))
    disk.meanwhile = (operation, name) =>
      operation === 'rename' && name === `${id}.json` ? new Promise(() => {}) : undefined
    await visit('b')
    const torn = `${asideOf(id)}.new`
    expect([...disk.files.keys()]).toContain(torn)
    disk.put(asideOf('notes'), 'somebody’s own')
    await crash()
    const later = await again()
    expect([...disk.files.keys()]).not.toContain(torn)
    expect(disk.text(asideOf('notes'))).toBe('somebody’s own')
    expect((await findLiveWorld(later, worldKey('a'))).world.tables.payouts.size).toBe(4)
  })

  test('that were evicted and then deleted do not matter after a crash', async () => {
    const worlds = await openWorlds({ worldLimit: 1 })
    const { api, disk, asideOf, again } = worlds
    const { id } = await leftAndBack(worlds, 'a')
    await pay(api, 'a')
    expect((await api.call('DELETE', `/_sandbox/worlds/${id}`)).status).toBe(200)
    await settle(api)
    const left = disk.copy()
    await api.sandbox.close()
    expect([...disk.files.keys()]).not.toContain(asideOf(id))
    disk.become(left)
    // The second start finds what the first one has left.
    for (const _ of ['first', 'second']) {
      const later = await again()
      expect(await idsOf(later)).not.toContain(id)
      const found = disk.copy()
      expect((await findLiveWorld(later, worldKey('a'))).world.tables.payouts.size).toBe(3)
      await later.sandbox.close()
      disk.become(found)
    }
  })

  test.each(['put aside', 'deleted'])(
    'that were forked and then %s leave the fork as it was after a crash',
    async (what) => {
      const worlds = await openWorlds({ worldLimit: 2 })
      const { api, again, crash, visit } = worlds
      await api.call('POST', '/_sandbox/snapshots', { name: 'kept' }, worldKey('a'))
      const { id } = await leftAndBack(worlds, 'a')
      await pay(api, 'a')
      const fork = '/_sandbox/snapshots/kept/fork'
      const { key } = (await api.call('POST', fork, undefined, worldKey('a'))).body
      const state = stateOf(await findLiveWorld(api, key))
      if (what === 'deleted') await api.call('DELETE', `/_sandbox/worlds/${id}`)
      else {
        await api.call('POST', '/_sandbox/snapshots', { name: 'kept' }, worldKey('a'))
        for (const name of ['x', 'y', 'z']) {
          await api.call('GET', USERS, undefined, key)
          await visit(name)
        }
      }
      await settle(api)
      await crash()
      const later = await again()
      expect(stateOf(await findLiveWorld(later, key))).toEqual(state)
    },
  )

  test('that were forked before one crash leave the fork as it was after another', async () => {
    const worlds = await openWorlds({ worldLimit: 2 })
    const { api, disk, again, crash, rest } = worlds
    await api.call('POST', '/_sandbox/snapshots', { name: 'kept' }, worldKey('a'))
    await leftAndBack(worlds, 'a')
    await pay(api, 'a')
    const fork = '/_sandbox/snapshots/kept/fork'
    const { key } = (await api.call('POST', fork, undefined, worldKey('a'))).body
    const state = stateOf(await findLiveWorld(api, key))
    await settle(api)
    await crash()
    const later = await again()
    await later.call('POST', '/_sandbox/snapshots', { name: 'kept' }, worldKey('a'))
    for (const name of ['x', 'y', 'z']) {
      for (const one of [key, worldKey(name)]) {
        rest()
        await later.call('GET', USERS, undefined, one)
        await settle(later)
      }
    }
    const left = disk.copy()
    await later.sandbox.close()
    disk.become(left)
    expect(stateOf(await findLiveWorld(await again(), key))).toEqual(state)
  })

  test('that are deleted during a request do not matter after a crash', async () => {
    const { api, again, crash } = await openWorlds()
    await pay(api, 'a')
    const live = await findLiveWorld(api, worldKey('a'))
    const credit = (amount: string) =>
      live.world.run(
        'balance.credit',
        { user_id: users.ada, currency: 'JPY', amount },
        { kind: 'library' },
      )
    await api.call('DELETE', `/_sandbox/worlds/${live.id}`)
    credit('1')
    await pay(api, 'a')
    credit('2')
    await settle(api)
    const state = stateOf(await findLiveWorld(api, worldKey('a')))
    await crash()
    const later = await again()
    expect(stateOf(await findLiveWorld(later, worldKey('a')))).toEqual(state)
  })

  test('that are used on their way out stay, with what was done', async () => {
    const { api, disk, visit } = await openWorlds({ worldLimit: 1 })
    await pay(api, 'a')
    const live = await findLiveWorld(api, worldKey('a'))
    let rename = () => {}
    disk.meanwhile = (operation, name) =>
      operation === 'rename' && name === `${live.id}.json`
        ? new Promise<void>((resolve) => {
            rename = resolve
          })
        : undefined
    await visit('b')
    const cause = { kind: 'library' } as const
    live.world.run('balance.credit', { user_id: users.ada, currency: 'JPY', amount: '1' }, cause)
    const state = stateOf(live)
    rename()
    await settle(api)
    expect(stateOf(await findLiveWorld(api, worldKey('a')))).toEqual(state)
  })

  test('that are deleted on their way out stay away', async () => {
    const { api, disk, asideOf, visit } = await openWorlds({ worldLimit: 1 })
    await pay(api, 'a')
    const { id } = await findLiveWorld(api, worldKey('a'))
    let rename = () => {}
    disk.meanwhile = (operation, name) =>
      operation === 'rename' && name === `${id}.json`
        ? new Promise<void>((resolve) => {
            rename = resolve
          })
        : undefined
    await visit('b')
    expect((await api.call('DELETE', `/_sandbox/worlds/${id}`)).status).toBe(200)
    rename()
    await settle(api)
    expect((await findLiveWorld(api, worldKey('a'))).world.tables.payouts.size).toBe(3)
    await api.sandbox.close()
    expect([...disk.files.keys()]).not.toContain(asideOf(id))
  })

  test('with a missing file that the journal needs are reported after a crash', async () => {
    const { api, disk, asideOf, again, crash, visit } = await openWorlds({ worldLimit: 1 })
    await pay(api, 'a')
    const { id } = await findLiveWorld(api, worldKey('a'))
    await visit('b')
    // A snapshot that is missing is written again, and the journal with it.
    for (const path of [...disk.files.keys()])
      if (path.endsWith('state.json')) disk.files.delete(path)
    await retry(api)
    await pay(api, 'a', crypto.randomUUID())
    await crash()
    disk.files.delete(asideOf(id))
    await expect(again()).rejects.toThrow(
      `it goes on from state.json.worlds/${id}.json, which is not there; bring that back, or`,
    )
  })

  test('are opened by keys that were created in them, evicted or not', async () => {
    const { api, visit } = await openWorlds({ worldLimit: 1 })
    const body = { name: 'inner', permissions: 'full' }
    const { secret } = (await api.call('POST', '/_sandbox/api-keys', body, worldKey('a'))).body
    const { id } = await findLiveWorld(api, worldKey('a'))
    await visit('b')
    expect(await idsOf(api)).not.toContain(id)
    const users = await api.call('GET', USERS, undefined, secret)
    expect(users.status).toBe(200)
    expect(await idsOf(api)).toContain(id)
  })

  test('that make room are in no file before the journal holds all that they are', async () => {
    const { api, disk, asideOf, rest } = await openWorlds({ worldLimit: 1 })
    await pay(api, 'a')
    const live = await findLiveWorld(api, worldKey('a'))
    rest()
    // The entry that makes room is on its way, and so is one of the world that has to go.
    let flush = () => {}
    disk.meanwhile = (operation, name) =>
      operation === 'flush' && name === 'state.json.journal'
        ? new Promise<void>((resolve) => {
            flush = resolve
          })
        : undefined
    const newcomer = api.call('GET', USERS, undefined, worldKey('b'))
    await turns()
    const cause = { kind: 'library' } as const
    live.world.run('balance.credit', { user_id: users.ada, currency: 'JPY', amount: '1' }, cause)
    flush()
    await turns()
    // That may still fail: then it has never been.
    expect(disk.text(asideOf(live.id))).not.toContain('"credit:')
    disk.meanwhile = () => {}
    flush()
    await newcomer
  })

  test('with a damaged file are reported, and start again once it is removed', async () => {
    const { api, disk, asideOf, visit } = await openWorlds({ worldLimit: 1 })
    await pay(api, 'a')
    const { id } = await findLiveWorld(api, worldKey('a'))
    await visit('b')
    const path = asideOf(id)
    disk.put(path, disk.text(path).slice(0, 500))
    for (const [url, key] of [
      [USERS, worldKey('a')],
      ['/_sandbox/clock', worldKey('a')],
      [`/_sandbox/clock?world=${id}`, undefined],
    ] as const) {
      const answer = await api.call('GET', url, undefined, key)
      expect(answer).toMatchObject({ status: 503, body: { code: '5030' } })
      expect(answer.body.message).toMatch(
        new RegExp(
          `^state\\.json\\.worlds/${id}\\.json: not well-formed JSON: .* Repair the file, or remove`,
        ),
      )
    }
    disk.files.delete(path)
    expect((await pay(api, 'a')).status).toBe(200)
  })

  test('with a file that cannot be read for a moment answer with a retry, and nothing else', async () => {
    const { api, disk, visit } = await openWorlds({ worldLimit: 1 })
    await pay(api, 'a')
    const { id } = await findLiveWorld(api, worldKey('a'))
    await visit('b')
    const { read: readFile } = disk
    disk.read = async () => {
      throw Object.assign(new Error('EMFILE: too many open files'), { code: 'EMFILE' })
    }
    const read = () => api.call('GET', '/_sandbox/payouts', undefined, worldKey('a'))
    const refused = await read()
    expect(refused.headers.get('retry-after')).toBe('1')
    expect(refused).toMatchObject({
      status: 503,
      body: {
        code: '5030',
        message: `state.json.worlds/${id}.json cannot be read (EMFILE: too many open files). Retry.`,
      },
    })
    const page = await api.fetch(`/payouts?world=${id}`)
    expect(page.status).toBe(503)
    expect(await page.text()).toContain('cannot be read')
    disk.read = readFile
    const { customer_payout_id } = payoutRequest()
    const paid = expect.objectContaining({ customer_payout_id })
    expect((await read()).body.items).toContainEqual(paid)
  })

  test('that lie beside no data file go with it, and nothing else does', async () => {
    const file = dataFile()
    const disk = new MemoryDisk()
    const [own, other] = [`${'a'.repeat(32)}.json`, 'notes.json'].map(
      (it) => `${file}.worlds/${it}`,
    )
    for (const path of [own, other]) if (path) disk.put(path, '{}')
    await openPersistent(file, disk)
    expect([...disk.files.keys()].filter((path) => path.includes('.worlds/'))).toEqual([other])
  })

  test('that were deleted stay away', async () => {
    const { api, again, crash } = await openWorlds()
    await pay(api, 'a')
    const { id } = await findLiveWorld(api, worldKey('a'))
    expect((await api.call('DELETE', `/_sandbox/worlds/${id}`)).status).toBe(200)
    await crash()
    const later = await again()
    expect(await idsOf(later)).toEqual(['default'])
    expect((await findLiveWorld(later, worldKey('a'))).world.tables.payouts.size).toBe(3)
  })
})

describe('while nothing can be kept', () => {
  test('no world is opened, forked or deleted, and those that are there can be read', async () => {
    const { api, disk } = await openWorlds()
    await api.call('POST', '/_sandbox/snapshots', { name: 'before' }, worldKey('a'))
    const { id } = await findLiveWorld(api, worldKey('a'))
    disk.meanwhile = (operation) => void (operation === 'write' && noSpace())
    for (const key of [worldKey('b'), worldKey('c')]) {
      const users = await api.call('GET', USERS, undefined, key)
      expect(users).toMatchObject({ status: 503, body: { code: '5030' } })
    }
    const fork = '/_sandbox/snapshots/before/fork'
    expect((await api.call('POST', fork, undefined, worldKey('a'))).status).toBe(503)
    expect((await api.call('DELETE', `/_sandbox/worlds/${id}`)).status).toBe(503)
    expect((await idsOf(api)).sort()).toEqual([id, 'default'].sort())
    const read = await api.call('GET', USERS, undefined, worldKey('a'))
    expect(read.status).toBe(200)

    disk.meanwhile = () => {}
    await retry(api)
    expect((await api.call('POST', fork, undefined, worldKey('a'))).status).toBe(201)
    const opened = await pay(api, 'b')
    expect(opened.status).toBe(200)
    expect((await api.call('DELETE', `/_sandbox/worlds/${id}`)).status).toBe(200)
  })

  test('a world that could not be deleted is there again, with its key, and kept', async () => {
    const { api, disk, again, crash } = await openWorlds()
    await pay(api, 'a')
    const { id } = await findLiveWorld(api, worldKey('a'))
    const state = stateOf(await findLiveWorld(api, worldKey('a')))
    disk.meanwhile = (operation) => void (operation === 'write' && noSpace())
    expect((await api.call('DELETE', `/_sandbox/worlds/${id}`)).status).toBe(503)
    expect(stateOf(await findLiveWorld(api, worldKey('a')))).toEqual(state)
    disk.meanwhile = () => {}
    await retry(api)
    await pay(api, 'a', crypto.randomUUID())
    const paid = stateOf(await findLiveWorld(api, worldKey('a')))
    await crash()
    expect(stateOf(await findLiveWorld(await again(), worldKey('a')))).toEqual(paid)
  })
})
