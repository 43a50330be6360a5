import { expect, test } from 'vitest'
import { type Client, expectRefusal } from '../support/client.js'
import type { Entry } from '../support/control.js'
import { keys, ownId, users } from '../support/fixture-ids.js'
import { openOwnSandbox } from '../support/open-sandbox.js'
import { payoutRequest } from '../support/requests.js'
import type { List } from '../support/wire.js'
import { live } from './all-mutations.js'

interface Forked {
  readonly id: string
  readonly key: string
  readonly seed: string
  readonly now: string
}

const payout = '/payment/api/v1/payout'
const snapshots = '/_sandbox/snapshots'
const open = () => openOwnSandbox({ seed: 'forks', machineClock: () => 0 })

const fork = async (api: Client, name: string): Promise<Forked> => {
  const answer = await api.post<Forked>(`${snapshots}/${name}/fork`)
  expect(answer.status).toBe(201)
  return answer.body
}

/** The records of a world as its key sees them. */
const shown = async (api: Client, key: string | null): Promise<unknown> => {
  const read = async (path: string) => (await api.get(path, { key })).body
  return Promise.all([
    read('/_sandbox/users?size=1000'),
    read('/_sandbox/payouts?size=1000'),
    read('/_sandbox/transfers?size=1000'),
    read(`/_sandbox/users/${users.ada}/balances`),
    read('/_sandbox/clock'),
    read('/_sandbox/audit'),
  ])
}

test('starts from the snapshot and continues alone', async () => {
  const api = await open()
  await live(api)
  await api.call('PUT', '/_sandbox/clock', { body: { mode: 'manual' } })
  await api.make(snapshots, { name: 'lived' })
  const then = await shown(api, null)
  await api.make('/_sandbox/reset')

  const one = await fork(api, 'lived')
  const two = await fork(api, 'lived')
  expect(await shown(api, one.key)).toEqual(then)
  const request = { ...payoutRequest(), customer_payout_id: ownId(99) }
  const paid = await api.post(payout, request, { key: one.key })
  expect(paid.status).toBe(200)
  expect(await shown(api, one.key)).not.toEqual(then)
  expect(await shown(api, two.key)).toEqual(then)
  // From the same state the same call makes the same ids.
  expect((await api.post(payout, request, { key: two.key })).body).toEqual(paid.body)
  await api.make(`${snapshots}/lived/restore`)
  expect(await api.make(payout, request)).toEqual(paid.body)
})

test('is a world like others, with a key of its own alone', async () => {
  const api = await open()
  await api.make(snapshots, { name: 'start' })
  const forked = await api.post<Forked>(`${snapshots}/start/fork`)
  const { id, key, seed, now } = forked.body
  expect(key).toMatch(/^SandboxWorld[A-Za-z0-9]{20}$/)
  expect({ seed, now }).toEqual({ seed: 'forks', now: api.sandbox.now })
  const worlds = await api.read<{ items: { id: string }[] }>('/_sandbox/worlds')
  expect(worlds.items.map((world) => world.id)).toContain(id)
  const listed = await api.get<{ items: { name: string }[] }>('/_sandbox/api-keys', { key })
  expect(listed.body.items.map(({ name }) => name)).toEqual(['The key of this world'])
  expect((await api.get('/onboarding/api/v1/users/all', { key })).status).toBe(200)
  expect(JSON.stringify(api.sandbox.entries())).not.toContain(key)
  const { items } = (await api.get<List<Entry>>('/_sandbox/journal', { key })).body
  expect(JSON.stringify(items)).not.toContain(key)
  const entry = items.find(({ command }) => command === 'world.fork')
  expect(entry?.events).toContainEqual({ type: 'world.forked', id: 'start', from: 'default' })
  expect(entry?.cause).toEqual({
    kind: 'control',
    request: forked.headers.get('x-request-id'),
    operation: 'forkSnapshot',
  })
})

test('can be forked, undone and reset itself', async () => {
  const api = await open()
  await api.make(snapshots, { name: 'start' })
  const { key, id } = await fork(api, 'start')
  expectRefusal(await api.post('/_sandbox/undo', undefined, { key }), 409, '4090')
  await api.post(payout, payoutRequest(), { key })
  expect((await api.post('/_sandbox/undo', undefined, { key })).status).toBe(200)
  expect((await api.post(snapshots, { name: 'inner' }, { key })).status).toBe(201)
  const inner = await api.post<Forked>(`${snapshots}/inner/fork`, undefined, { key })
  expect(inner.status).toBe(201)
  expect(inner.body.id).not.toBe(id)
  const reset = await api.post<{ seed: string }>('/_sandbox/reset', undefined, { key })
  expect(reset.body.seed).toBe(`forks/${id}`)
  expect((await api.get('/onboarding/api/v1/users/all', { key })).status).toBe(200)
})

test('of an unknown snapshot is refused', async () => {
  const api = await open()
  expectRefusal(await api.post(`${snapshots}/nothing/fork`), 404, '4040', 'This world has none.')
  // Snapshots are a world's own.
  await api.make(snapshots, { name: 'mine' })
  const key = `SandboxWorld${'x'.repeat(20)}`
  expectRefusal(await api.post(`${snapshots}/mine/fork`, undefined, { key }), 404, '4040')
  expectRefusal(
    await api.post(`${snapshots}/mine/fork`, undefined, { key: keys.unknown }),
    401,
    '4101',
  )
})
