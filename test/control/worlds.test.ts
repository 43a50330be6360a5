import { beforeEach, describe, expect, test, vi } from 'vitest'
import { controlOperations } from '../../src/api/control/index.js'
import { type Client, expectRefusal } from '../support/client.js'
import type { Entry } from '../support/control.js'
import { BEGINNING, keys, transferId, users } from '../support/fixture-ids.js'
import { expected, got, invalid, inWords } from '../support/invalid.js'
import { openOwnSandbox, openSandbox } from '../support/open-sandbox.js'
import { payoutRequest } from '../support/requests.js'
import { StreamReader } from '../support/stream-reader.js'
import type { List } from '../support/wire.js'
import { Inhabitant, type World, worldId, worldKey } from '../support/worlds.js'

const WORLDS = '/_sandbox/worlds'
const STATUS = `/payment/api/v1/fx-audit/status/${transferId(1)}`

let api: Client
let a: Inhabitant
let b: Inhabitant

beforeEach(async () => {
  api = await openOwnSandbox()
  a = new Inhabitant(api, worldKey('a'))
  b = new Inhabitant(api, worldKey('b'))
})

describe('GET /_sandbox/worlds', () => {
  test('lists the default world and those by key, the most recently used first', async () => {
    let now = Date.parse('2026-01-01T00:00:00.000Z')
    const api = await openOwnSandbox({ machineClock: () => now })
    const [a, b] = [new Inhabitant(api, worldKey('a')), new Inhabitant(api, worldKey('b'))]
    now += 1_000
    await a.get('/_sandbox/clock')
    now += 1_000
    await b.make('/_sandbox/clock/advance', { by: '1h' })
    now += 1_000
    const { items, pagination } = await api.read<List<World>>(WORLDS)
    const common = {
      problems: [],
      name: null,
      open_streams: 0,
      snapshots: 0,
      started_anew: false,
    }
    expect(items).toEqual([
      {
        ...common,
        id: 'default',
        kind: 'default',
        last_four: null,
        seed: 'tests',
        now: BEGINNING,
        entries: 4,
        created_at: '2026-01-01T00:00:00.000Z',
        last_used_at: '2026-01-01T00:00:03.000Z',
      },
      {
        ...common,
        id: b.id,
        kind: 'key',
        last_four: '000b',
        seed: `tests/${b.id}`,
        now: '2026-06-15T10:00:00.000Z',
        entries: 6,
        created_at: '2026-01-01T00:00:02.000Z',
        last_used_at: '2026-01-01T00:00:02.000Z',
      },
      {
        ...common,
        id: a.id,
        kind: 'key',
        last_four: '000a',
        seed: `tests/${a.id}`,
        now: BEGINNING,
        entries: 5,
        created_at: '2026-01-01T00:00:01.000Z',
        last_used_at: '2026-01-01T00:00:01.000Z',
      },
    ])
    expect(pagination).toMatchObject({ page: 0, size: 50, total_elements: 3 })
  })

  test('lists open streams and snapshots, and no key', async () => {
    const stream = await api.carry('/_sandbox/requests/stream', { headers: { 'x-api-key': a.key } })
    const watch = new StreamReader(stream)
    const listed = await api.read<List<World>>(WORLDS)
    expect(listed.items.find(({ id }) => id === a.id)).toMatchObject({ open_streams: 1 })
    expect(JSON.stringify(listed)).not.toContain(a.key)
    await watch.close()
    const after = await api.read<List<World>>(WORLDS)
    expect(after.items.find(({ id }) => id === a.id)).toMatchObject({ open_streams: 0 })
  })
})

describe('POST /_sandbox/worlds', () => {
  test('opens a world and shows its key once', async () => {
    const made = await api.post<World & { key: string }>(WORLDS)
    expect(made.status).toBe(201)
    const { key, ...world } = made.body
    expect(key).toMatch(/^SandboxWorld[A-Za-z0-9]{20}$/)
    expect(world).toMatchObject({ id: worldId(key), kind: 'key', last_four: key.slice(-4) })
    const { items } = await api.read<List<World>>(WORLDS)
    expect(items.find(({ id }) => id === world.id)).toMatchObject(world)
    const it = new Inhabitant(api, key)
    expect(await it.read('/onboarding/api/v1/users/all')).toHaveLength(8)
    const seen = [await it.read('/_sandbox/journal'), await it.read('/_sandbox/api-keys')]
    expect(JSON.stringify(seen)).not.toContain(key)
  })

  test('opens a world with a clock of its own, which a reset keeps', async () => {
    const api = await openOwnSandbox({ clock: 'real' })
    const key_prefix = 'SandboxWorldAbcdefghij'
    const made = await api.post<World & { key: string }>(WORLDS, { clock: 'manual', key_prefix })
    expect(made.body.key).toMatch(key_prefix)
    const it = new Inhabitant(api, made.body.key)
    await it.call('PUT', '/_sandbox/clock', { body: { mode: 'real' } })
    await it.make('/_sandbox/reset')
    expect(await it.read('/_sandbox/clock')).toMatchObject({ mode: 'manual', now: BEGINNING })
    const wrong = await api.post(WORLDS, { clock: 'noon' })
    expectRefusal(wrong, 400, '4000', 'Invalid clock: got "noon"')
  })
})

describe('DELETE /_sandbox/worlds/{id}', () => {
  test('closes a world for good: the key opens a new one', async () => {
    await a.make('/payment/api/v1/payout', payoutRequest())
    const listed = await api.read<List<World>>(WORLDS)
    const deleted = await api.call<World>('DELETE', `${WORLDS}/${a.id}`)
    expect(deleted.status).toBe(200)
    expect(listed.items.find(({ id }) => id === a.id)).toMatchObject(deleted.body)
    expectRefusal(await api.get(`/_sandbox/clock?world=${a.id}`), 404, '4040')
    expectRefusal(await api.call('DELETE', `${WORLDS}/${a.id}`), 404, '4040', 'the id of a world')
    await a.get('/_sandbox/clock')
    const { items } = await api.read<List<World>>(WORLDS)
    expect(items.find(({ id }) => id === a.id)).toMatchObject({ entries: 5 })
  })

  test('ends its streams with a reason; others continue', async () => {
    const watch = async (key: string) =>
      new StreamReader(
        await api.carry('/_sandbox/requests/stream', { headers: { 'x-api-key': key } }),
      )
    const [a, b] = [await watch(worldKey('a')), await watch(worldKey('b'))]
    await api.call('DELETE', `${WORLDS}/${worldId(worldKey('a'))}`)
    const [end] = await a.rest()
    expect(end).toMatchObject({ event: 'end', data: '{"reason":"the world was deleted"}' })
    await new Inhabitant(api, worldKey('b')).get(STATUS)
    expect(await b.event()).toMatchObject({ event: 'request' })
  })

  test('is refused for the default world, and for ids that no world has', async () => {
    const main = await api.call('DELETE', `${WORLDS}/default`)
    expectRefusal(main, 409, '4090', 'default', 'worlds by key can')
    const other = await api.call('DELETE', `${WORLDS}/nowhere`)
    const words = [invalid('id', 'nowhere', 'the id of a world'), 'POST /_sandbox/worlds']
    expectRefusal(other, 404, '4040', ...words)
    const secret = await api.call('DELETE', `${WORLDS}/${worldKey('secret')}`)
    expectRefusal(secret, 404, '4040', got(inWords('an API key')))
    expect(secret.body).not.toHaveProperty('message', expect.stringContaining(worldKey('secret')))
  })
})

describe('DELETE /_sandbox/worlds', () => {
  test('deletes the worlds of a name, unused ones, or those of both, never the default one', async () => {
    let now = 0
    const api = await openOwnSandbox({ machineClock: () => now })
    const open = async (name: string) =>
      (await api.make<World & { key: string }>(WORLDS, { name })).key
    const listed = async () =>
      (await api.read<List<World & { name: string }>>(WORLDS)).items.map(({ name }) => name)
    const remove = async (query: string) => (await api.call('DELETE', `${WORLDS}?${query}`)).body
    for (const name of ['old', 'old', 'other']) await open(name)
    const stream = await api.carry('/_sandbox/requests/stream', {
      headers: { 'x-api-key': await open('watched') },
    })
    now += 3_600_000
    await open('old')
    expect(await remove('name=old&idle=1h')).toEqual({ deleted: 2 })
    expect(await listed()).toEqual(['old', null, 'watched', 'other'])
    expect(await remove('name=old')).toEqual({ deleted: 1 })
    expect(await remove('idle=PT1H')).toEqual({ deleted: 1 })
    expect(await listed()).toEqual([null, 'watched'])
    await new StreamReader(stream).close()
    expect(await remove('idle=0s')).toEqual({ deleted: 1 })
    expect(await listed()).toEqual([null])
  })

  test('needs a name or a duration', async () => {
    const nothing = 'Missing name. Expected the name of the worlds, idle, or both'
    expectRefusal(await api.call('DELETE', WORLDS), 400, '4000', nothing)
    const answer = await api.call('DELETE', `${WORLDS}?idle=soon`)
    expectRefusal(answer, 400, '4000', 'Invalid idle: got "soon"')
  })
})

describe('?world=', () => {
  const READS = controlOperations
    .filter(({ method, id }) => method === 'get' && !['getHealth', 'getReady'].includes(id))
    .map(({ id, path }) => ({ id, path }))

  /** Something that each noun has in the fixtures; the log has what the test has asked for. */
  const pathOf = (path: string, request: string): string =>
    path
      .replace(/\/users\/\{id\}/, `/users/${users.ada}`)
      .replace(/\/transfers\/\{id\}/, `/transfers/${transferId(9)}`)
      .replace(/\/requests\/\{id\}/, `/requests/${request}`)
      .replace(/\/\{name\}/, '/happy-path')

  test.each(READS)('names the world that $id reads', async ({ path }) => {
    await a.make('/_sandbox/clock/advance', { by: '1h' })
    const { headers } = await a.get('/onboarding/api/v1/users/all')
    const concrete = pathOf(path, headers.get('x-request-id') ?? '')
    const answer = await api.get(`${concrete}?world=${a.id}`)
    const sent = await a.get(concrete)
    // A record of the fixtures is there; one of another noun is not, in either world.
    expect(answer.status).toBe(sent.status)
    expectRefusal(await api.get(`${concrete}?world=nowhere`), 404, '4040', 'the id of a world')
    expectRefusal(await api.get(`${concrete}?world=${a.id}`, { key: keys.full }), 400, '4000')
    const both = await a.get(`${concrete}?world=${a.id}`)
    expect(both.status).toBe(sent.status)
  })

  test('reads that world, and the default one by its name', async () => {
    await a.make('/_sandbox/clock/advance', { by: '1h' })
    const nowIn = async (query: string) =>
      (await api.read<{ now: string }>(`/_sandbox/clock${query}`)).now
    expect(await nowIn(`?world=${a.id}`)).toBe('2026-06-15T10:00:00.000Z')
    expect(await nowIn('?world=default')).toBe(BEGINNING)
    expect(await nowIn('')).toBe(BEGINNING)
    const har = await api.carry(`/_sandbox/requests.har?world=${a.id}`, {})
    expect(har.headers.get('content-disposition')).toContain('attachment')
  })

  test.each([
    ['POST', '/_sandbox/clock/advance', { by: '1h' }],
    ['PUT', '/_sandbox/clock', { mode: '60x' }],
    ['PATCH', '/_sandbox/assumptions/payout.fee', { reading: 'deducted' }],
    ['DELETE', '/_sandbox/next', undefined],
  ])('names the world that %s changes', async (method, path, body) => {
    await a.make('/_sandbox/next', { then: { drop: 'before' } })
    const entriesOf = async (id: string) =>
      (await api.read<{ next: number }>(`/_sandbox/journal?world=${id}`)).next
    const [own, main] = [await entriesOf(a.id), await entriesOf('default')]
    expect((await api.call(method, `${path}?world=${a.id}`, { body })).status).toBe(200)
    expectRefusal(await api.call(method, `${path}?world=nowhere`, { body }), 404, '4040')
    expect(await entriesOf(a.id)).toBe(own + 1)
    expect(await entriesOf('default')).toBe(main)
  })

  test('is refused with the key of another world, whichever was named', async () => {
    await a.get('/_sandbox/clock')
    const words = ['world: ', expected('one of them')]
    expectRefusal(await b.get(`/_sandbox/clock?world=${a.id}`), 400, '4000', ...words, a.id, b.id)
    expectRefusal(await a.get('/_sandbox/clock?world=default'), 400, '4000', ...words)
    const main = await api.get('/_sandbox/clock?world=default', { key: keys.expired })
    expect(main.status).toBe(200)
  })

  test('is refused twice, empty, as a key, and of great length', async () => {
    const twice = await api.get('/_sandbox/clock?world=default&world=default')
    expectRefusal(twice, 400, '4000', 'world was sent 2 times. Expected once')
    expectRefusal(
      await api.get('/_sandbox/clock?world='),
      404,
      '4040',
      invalid('world', '', 'the id of a world'),
    )
    const key = worldKey('secret')
    const secret = await api.get(`/_sandbox/clock?world=${key}`)
    expectRefusal(secret, 404, '4040', got(inWords('an API key')), 'x-api-key')
    expect((secret.body as { message: string }).message).not.toContain(key)
    const long = await api.get(`/_sandbox/clock?world=${'x'.repeat(5_000)}`)
    expectRefusal(long, 404, '4040')
    expect((long.body as { message: string }).message.length).toBeLessThan(400)
    for (const id of ['__proto__', 'constructor', 'DEFAULT', '../default', '%00']) {
      expectRefusal(await api.get(`/_sandbox/clock?world=${id}`), 404, '4040')
    }
  })

  test('comes after the door: the token first', async () => {
    const api = await openSandbox({ controlToken: 'token' })
    expectRefusal(await api.get('/_sandbox/clock?world=nowhere'), 401, '4011')
  })
})

test('a key of a world of its own opens it by a control call too, a read or a change', async () => {
  expect(await a.read('/_sandbox/clock')).toMatchObject({ now: BEGINNING })
  await b.make(`/_sandbox/users/${users.ada}/balances`, { currency: 'JPY', amount: 7 })
  const balancesIn = async (it: { read: Inhabitant['read'] }) =>
    JSON.stringify(await it.read(`/_sandbox/users/${users.ada}/balances`))
  expect(await balancesIn(b)).toContain('JPY')
  expect(await balancesIn(a)).not.toContain('JPY')
  expect(await balancesIn(api)).not.toContain('JPY')
  expect(await api.read('/_sandbox/health')).toMatchObject({ worlds: 3 })
})

test('at the limit a new world evicts the one unused for longest that nobody watches', async () => {
  let now = 0
  const api = await openOwnSandbox({ worldLimit: 2, machineClock: () => now })
  const warned = vi.spyOn(console, 'error').mockImplementation(() => {})
  const inhabit = (name: string) => new Inhabitant(api, worldKey(name))
  const [a, b, c, d] = [inhabit('a'), inhabit('b'), inhabit('c'), inhabit('d')]
  const use = async (...all: Inhabitant[]) => {
    for (const it of all) {
      now += 5 * 60_000
      await it.get('/_sandbox/clock')
    }
    now += 1
    return (await api.read<List<World>>(WORLDS)).items.map(({ id }) => id)
  }
  expect(await use(a, b, a, c)).toEqual(['default', c.id, a.id])
  const headers = { 'x-api-key': a.key }
  const stream = await api.carry('/_sandbox/requests/stream', { headers })
  expect(await use(c, d)).toEqual(['default', d.id, a.id])
  await new StreamReader(stream).close()
  expect(await use(c)).toEqual(['default', c.id, d.id])
  warned.mockRestore()
})

test('an evicted world reports that it starts again', async () => {
  const warned = vi.spyOn(console, 'error').mockImplementation(() => {})
  let now = 0
  const api = await openOwnSandbox({ worldLimit: 1, machineClock: () => now })
  const [a, b] = [new Inhabitant(api, worldKey('a')), new Inhabitant(api, worldKey('b'))]
  await a.get('/_sandbox/clock')
  now += 5 * 60_000
  await b.get('/_sandbox/clock')
  expectRefusal(await api.get(`/_sandbox/clock?world=${a.id}`), 404, '4040')
  now += 5 * 60_000
  expect(warned).not.toHaveBeenCalled()
  const { items } = await a.read<{ items: Entry[] }>('/_sandbox/journal?after=2')
  expect(items[0]).toMatchObject({ command: 'world.begin', events: [{ again: true }] })
  expect(warned.mock.calls).toEqual([[expect.stringContaining(`world ${a.id} (key …000a)`)]])
  now += 1
  const listed = (await api.read<List<World>>(WORLDS)).items
  expect(listed.map(({ id, started_anew }) => [id, started_anew])).toEqual([
    ['default', false],
    [a.id, true],
  ])
  await a.make('/_sandbox/reset')
  const again = await a.read<{ items: Entry[] }>('/_sandbox/journal?after=5')
  expect(again.items[1]).toMatchObject({
    command: 'world.begin',
    events: [{ type: 'world.begun' }],
  })
  expect(again.items[0]?.events[0]).not.toHaveProperty('again')
  warned.mockRestore()
})

test.each([0, 1.5, 1_000_001, '5'])('a worldLimit of %s is refused', async (worldLimit) => {
  await expect(openOwnSandbox({ worldLimit } as never)).rejects.toThrow(
    expected('a whole number from 1 to 1000000'),
  )
})

test('a key of a world of its own is no --api-key', async () => {
  await expect(openOwnSandbox({ apiKey: worldKey('a') })).rejects.toThrow(
    'Invalid apiKey: got a key that begins with SandboxWorld',
  )
})
