import { describe, expect, test } from 'vitest'
import { users } from '../support/fixture-ids.js'
import { noSpace } from '../support/memory-disk.js'
import { type PersistentSandbox, retry, stateOf } from '../support/persistent-sandbox.js'
import { worldId, worldKey } from '../support/worlds.js'
import { findLiveWorld, openWorlds, pay, settle, USERS } from './persistent-worlds.js'

const idsOf = async (api: PersistentSandbox): Promise<string[]> =>
  (await api.call('GET', '/_sandbox/worlds')).body.items.map(({ id }: { id: string }) => id)

const creationsOf = async (api: PersistentSandbox): Promise<object> =>
  Object.fromEntries(
    (await api.call('GET', '/_sandbox/worlds')).body.items.map(
      (it: { id: string; created_at: string }) => [it.id, it.created_at],
    ),
  )

describe('all worlds', () => {
  test.each(['closed', 'crashed'] as const)(
    'keep their created_at after it was %s',
    async (how) => {
      const { api, again, crash, rest } = await openWorlds()
      rest()
      await pay(api, 'a')
      await api.call('POST', '/_sandbox/snapshots', { name: 'paid' }, worldKey('a'))
      const before = await creationsOf(api)
      for (const path of ['snapshots/paid/restore', 'reset', 'undo']) {
        rest()
        await api.call('POST', `/_sandbox/${path}`, undefined, worldKey('a'))
        await api.call('POST', '/_sandbox/reset')
      }
      await (how === 'crashed' ? crash() : api.sandbox.close())
      rest()
      const later = await again()
      expect(await creationsOf(later)).toEqual(before)
      // That start has stored them as a whole.
      await later.sandbox.close()
      expect(await creationsOf(await again())).toEqual(before)
      const times = {
        default: '1970-01-01T00:00:00.000Z',
        [worldId(worldKey('a'))]: '1970-01-01T00:05:00.000Z',
      }
      expect(before).toEqual(times)
    },
  )
})

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
    const readings = ['payout.repeat=conflict', 'user.gate=refused']
    const { api, again } = await openWorlds({ readings })
    await api.sandbox.close()
    const later = await again({ readings: [] })
    const made = await pay(later, 'new')
    const get = (path: string) => later.call('GET', path, undefined, worldKey('new'))
    const { items } = (await get('/_sandbox/journal?after=0')).body
    const numbers = items.map(({ seq }: { seq: number }) => seq)
    expect(numbers).toEqual(numbers.map((_: number, i: number) => numbers[0] + i))
    const why = (await get(`/_sandbox/records/${made.body.id}/why`)).body
    expect(why).toMatchObject({ complete: true, entries: [{ command: 'payout.create' }] })
  })

  test('that are evicted are gone after a crash, and start again with the next use of their key', async () => {
    const { api, again, crash, visit } = await openWorlds({ worldLimit: 1 })
    await pay(api, 'a')
    const body = { name: 'inner', permissions: 'full' }
    const { secret } = (await api.call('POST', '/_sandbox/api-keys', body, worldKey('a'))).body
    await visit('b')
    const ids = await idsOf(api)
    expect(ids).toHaveLength(2)
    expect((await api.call('GET', USERS, undefined, secret)).status).toBe(401)
    await visit('a')
    const { items } = (await api.call('GET', '/_sandbox/worlds')).body
    expect(items[0]).toMatchObject({ id: worldId(worldKey('a')), started_anew: true })
    expect((await findLiveWorld(api, worldKey('a'))).world.tables.payouts.size).toBe(3)
    await visit('b')
    await crash()
    const later = await again({ worldLimit: 2 })
    expect((await idsOf(later)).sort()).toEqual(ids.sort())
    expect((await findLiveWorld(later, worldKey('a'))).world.tables.payouts.size).toBe(3)
  })

  test('that are stored are all there after a start with a lower limit, and a new one is refused', async () => {
    const { api, again, rest } = await openWorlds()
    for (const name of ['a', 'b', 'c']) await pay(api, name)
    const ids = await idsOf(api)
    await api.sandbox.close()
    const later = await again({ worldLimit: 1 })
    expect((await idsOf(later)).sort()).toEqual(ids.sort())
    expect((await pay(later, 'b')).status).toBe(200)
    const refused = await pay(later, 'd')
    expect(refused).toMatchObject({ status: 503, body: { code: '5030' } })
    expect(refused.body.message).toContain('the limit of 1 world is reached')
    rest()
    expect((await pay(later, 'd')).status).toBe(200)
    expect(await idsOf(later)).toHaveLength(ids.length)
  })

  test.each(['evicted', 'deleted'])(
    'that are forked and then %s leave the fork as it was after a crash',
    async (what) => {
      const { api, again, crash, rest, visit } = await openWorlds({ worldLimit: 2 })
      await pay(api, 'a')
      await api.call('POST', '/_sandbox/snapshots', { name: 'kept' }, worldKey('a'))
      const fork = '/_sandbox/snapshots/kept/fork'
      const { key } = (await api.call('POST', fork, undefined, worldKey('a'))).body
      const state = stateOf(await findLiveWorld(api, key))
      const id = worldId(worldKey('a'))
      if (what === 'deleted') await api.call('DELETE', `/_sandbox/worlds/${id}`)
      else {
        rest()
        await findLiveWorld(api, key)
        await visit('b')
      }
      expect(await idsOf(api)).not.toContain(id)
      await settle(api)
      await crash()
      expect(stateOf(await findLiveWorld(await again(), key))).toEqual(state)
    },
  )

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
})

describe('while nothing can be kept', () => {
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
