import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { expectRefusal } from '../support/client.js'
import type { Entry } from '../support/control.js'
import { ownId, users } from '../support/fixture-ids.js'
import { openOwnSandbox, openSandbox, transports } from '../support/open-sandbox.js'
import {
  consentRequest,
  offrampRequest,
  payoutRequest,
  userRequest,
  walletRequest,
} from '../support/requests.js'
import type { List } from '../support/wire.js'
import { Inhabitant, worldId, worldKey } from '../support/worlds.js'

const PAYOUT = '/payment/api/v1/payout'
const USERS = '/onboarding/api/v1/users'
const TOTALS = '/payment/api/v1/custody-wallet/total-balances'

interface Made {
  readonly id: string
}

/** Something of everything; answers what was answered, ids included. */
const live = async (it: Inhabitant): Promise<unknown[]> => [
  await it.make('/onboarding/api/v1/tnc', consentRequest()),
  await it.make(USERS, userRequest()),
  await it.make(PAYOUT, payoutRequest()),
  await it.make('/payment/api/v1/custody-wallet', walletRequest()),
  await it.make('/payment/api/v1/offramp', offrampRequest()),
  (await it.make<{ now: string }>('/_sandbox/clock/advance', { by: '3s' })).now,
  await it.read(`${USERS}/all`),
]

describe.each(transports)('a key of a world of its own, over %s', (over) => {
  test('is logged with the id of its world', async () => {
    const worlds: unknown[] = []
    const api = await openOwnSandbox({ over, log: ({ world }) => worlds.push(world) })
    await api.get(`${USERS}/all`, { key: worldKey('logged') })
    await api.get(`${USERS}/all`)
    expect(worlds).toEqual([worldId(worldKey('logged')), 'default'])
  })

  test('opens it on first use, by GET and by POST, from the fixtures', async () => {
    const api = await openOwnSandbox({ over })
    const reader = await api.get<unknown[]>(`${USERS}/all`, { key: worldKey('reader') })
    expect(reader.status).toBe(200)
    expect(reader.body).toHaveLength(8)
    const payer = await api.post<Made>(PAYOUT, payoutRequest(), { key: worldKey('payer') })
    expect(payer.status).toBe(200)
    expect(await api.read('/_sandbox/health')).toMatchObject({ worlds: 3 })
  })

  test('opens it whatever the call comes to, once the key has its form', async () => {
    const api = await openOwnSandbox({ over })
    const missing = await api.get('/payment/api/v1/nowhere', { key: worldKey(1) })
    expectRefusal(missing, 404, '4040')
    expectRefusal(await api.post(PAYOUT, {}, { key: worldKey(2) }), 400, '4000')
    expect(await api.read('/_sandbox/health')).toMatchObject({ worlds: 3 })
  })
})

describe('the form of the key', () => {
  test.each([
    ['SandboxWorld0000000000000000000', 403, '4100'],
    ['SandboxWorld000000000000000000001', 403, '4100'],
    ['sandboxworld00000000000000000001', 401, '4101'],
    ['SandboxWorl000000000000000000001', 401, '4101'],
  ])('%s opens nothing', async (key, status, code) => {
    const api = await openOwnSandbox()
    expectRefusal(await api.get(TOTALS, { key }), status, code)
    expectRefusal(await api.get('/_sandbox/clock', { key }), 401, '4101')
    expect(await api.read('/_sandbox/health')).toMatchObject({ worlds: 1 })
  })
})

describe('a world by key', () => {
  test('has its own key alone, as a hash and four characters', async () => {
    const api = await openOwnSandbox({ apiKey: 'MyOwnKey000000000000000000000001' })
    const a = new Inhabitant(api, worldKey('abcd'))
    const { items } = await a.read<List<Record<string, unknown>>>('/_sandbox/api-keys')
    expect(items).toEqual([
      expect.objectContaining({ last_four: 'abcd', permissions: 'full', status: 'active' }),
    ])
    const entries = JSON.stringify(await a.read('/_sandbox/journal?after=0'))
    expect(entries).not.toContain(a.key)
    const main = await api.read<List<unknown>>('/_sandbox/api-keys')
    expect(main.pagination.total_elements).toBe(6)
  })

  test('starts the same at each reset of a sandbox without a seed, while the default world gets a new seed', async () => {
    const api = await openOwnSandbox({ seed: undefined } as never)
    const a = new Inhabitant(api, worldKey('a'))
    const first = await live(a)
    const before = await api.make<{ seed: string }>('/_sandbox/reset')
    expect((await api.make<{ seed: string }>('/_sandbox/reset')).seed).not.toBe(before.seed)
    await a.make('/_sandbox/reset')
    expect(await live(a)).toEqual(first)
    await api.call('DELETE', `/_sandbox/worlds/${a.id}`)
    expect(await live(a)).toEqual(first)
  })

  test('same key, same seed: same ids in two sandboxes; another key or seed: others', async () => {
    const idsOf = async (seed: string, key: string) =>
      live(new Inhabitant(await openOwnSandbox({ seed }), worldKey(key)))
    const first = await idsOf('one', 'a')
    expect(await idsOf('one', 'a')).toEqual(first)
    expect((await idsOf('one', 'b'))[0]).not.toBe(first[0])
    expect((await idsOf('two', 'a'))[0]).not.toBe(first[0])
  })

  test('has its own clock, scenarios and random numbers, which start like those of the default world', async () => {
    const api = await openOwnSandbox({ scenarios: ['bank-rejects'], clock: '60x' })
    const a = new Inhabitant(api, worldKey('a'))
    expect(await a.read('/_sandbox/clock')).toMatchObject({ mode: 'speed', speed: 60 })
    const activeIn = async (it: { read: Inhabitant['read'] }) => {
      const { items } =
        await it.read<List<{ name: string; active: boolean }>>('/_sandbox/scenarios')
      return items.filter(({ active }) => active).map(({ name }) => name)
    }
    expect(await activeIn(a)).toEqual(await activeIn(api))
    await a.call('PUT', '/_sandbox/scenarios/active', { body: { names: [] } })
    await a.call('PUT', '/_sandbox/clock', { body: { mode: 'manual' } })
    expect(await activeIn(a)).not.toEqual(await activeIn(api))
    expect(await api.read('/_sandbox/clock')).toMatchObject({ mode: 'speed' })
  })

  test('has requests and a journal of its own', async () => {
    const api = await openOwnSandbox()
    const [a, b] = [new Inhabitant(api, worldKey('a')), new Inhabitant(api, worldKey('b'))]
    await a.make(PAYOUT, payoutRequest())
    await a.get(TOTALS)
    const countIn = async (it: { read: Inhabitant['read'] }) =>
      (await it.read<List<unknown>>('/_sandbox/requests')).pagination.total_elements
    expect(await Promise.all([a, b, api].map(countIn))).toEqual([2, 0, 0])
    const commandsIn = async (it: { read: Inhabitant['read'] }) =>
      (await it.read<{ items: Entry[] }>('/_sandbox/journal')).items.map(({ command }) => command)
    expect(await commandsIn(a)).toContain('payout.create')
    const opening = ['fixtures.load', 'scenarios.activate', 'world.begin', 'clock.set']
    expect(await commandsIn(b)).toEqual([...opening, 'api_key.create'])
    expect(await commandsIn(api)).toEqual(opening)
    await a.call('DELETE', '/_sandbox/requests')
    await api.get(TOTALS)
    expect(await Promise.all([a, b, api].map(countIn))).toEqual([0, 0, 1])
  })

  test('heeds x-sandbox-scenario, a name posted to this world alone', async () => {
    const api = await openOwnSandbox()
    const [a, b] = [new Inhabitant(api, worldKey('a')), new Inhabitant(api, worldKey('b'))]
    const respond = { respond: { status: 503, code: '5030' } }
    const rules = [{ when: 'request', if: { operation: 'createPayout' }, then: [respond] }]
    await a.make('/_sandbox/scenarios', { name: 'own', title: 'Own', rules })
    const headers = { 'x-sandbox-scenario': 'own' }
    const body = payoutRequest()
    expect((await a.call('POST', PAYOUT, { body, headers })).status).toBe(503)
    expectRefusal(await b.call('POST', PAYOUT, { body, headers }), 400, '4000', 'own')
  })

  test('checks the state of its key in the service API, and not in the control API', async () => {
    const api = await openOwnSandbox()
    const a = new Inhabitant(api, worldKey('a'))
    const { items } = await a.read<List<Made>>('/_sandbox/api-keys')
    const path = `/_sandbox/api-keys/${items[0]?.id}`
    await a.call('PATCH', path, { body: { status: 'suspended' } })
    expectRefusal(await a.get(TOTALS), 401, '4103')
    expect((await a.get('/_sandbox/clock')).status).toBe(200)
    await a.make('/_sandbox/reset')
    expect((await a.get(TOTALS)).status).toBe(200)
  })
})

describe('keys made inside a world by key', () => {
  const open = async () => {
    const api = await openOwnSandbox()
    const a = new Inhabitant(api, worldKey('a'))
    const make = async (permissions = 'full') =>
      a.make<{ id: string; secret: string }>('/_sandbox/api-keys', { name: 'more', permissions })
    return { api, a, make }
  }

  test('open that world, with their own permissions', async () => {
    const { api, a, make } = await open()
    const { secret } = await make()
    const reading = await make('read_only')
    const made = await api.post<Made>(USERS, userRequest(), { key: secret })
    expect(made.status).toBe(201)
    expect(JSON.stringify(await a.read(`${USERS}/all`))).toContain(made.body.id)
    expectRefusal(await api.post(PAYOUT, payoutRequest(), { key: reading.secret }), 403, '4300')
    const seen = await api.get(`${USERS}/all`, { key: reading.secret })
    expect(JSON.stringify(seen.body)).toContain(made.body.id)
    const clock = await api.get<{ now: string }>('/_sandbox/clock', { key: secret })
    expect(clock.status).toBe(200)
  })

  test('open nothing while a reset, a restore or an undo has taken them away', async () => {
    const { api, a, make } = await open()
    await a.make('/_sandbox/snapshots', { name: 'without' })
    const { secret } = await make()
    await a.make('/_sandbox/snapshots', { name: 'with' })
    for (const [path, status] of [
      ['reset', 401],
      ['undo', 200],
      ['snapshots/without/restore', 401],
      ['snapshots/with/restore', 200],
      ['undo', 401],
    ] as const) {
      await a.make(`/_sandbox/${path}`)
      expect((await api.get(TOTALS, { key: secret })).status, path).toBe(status)
    }
    const next = await make()
    await a.make('/_sandbox/undo')
    expectRefusal(await api.get(TOTALS, { key: next.secret }), 401, '4101')
  })

  test('open nothing once their world is deleted', async () => {
    const { api, a, make } = await open()
    const { secret } = await make()
    await api.call('DELETE', `/_sandbox/worlds/${a.id}`)
    expectRefusal(await api.get(TOTALS, { key: secret }), 401, '4101')
    expect((await a.get(TOTALS)).status).toBe(200)
    expectRefusal(await api.get(TOTALS, { key: secret }), 401, '4101')
  })
})

/** A sandbox in which a request of the world `a` waits until `wake` is called. */
const openWithWaiting = async (worldLimit: number) => {
  let wake = () => {}
  let now_ms = 0
  const api = await openOwnSandbox({
    worldLimit,
    machineClock: () => now_ms,
    sleep: () =>
      new Promise((resolve) => {
        wake = resolve
      }),
  })
  const a = new Inhabitant(api, worldKey('a'))
  const rules = [{ when: 'request', then: [{ delay_ms: 300_000 }] }]
  await a.make('/_sandbox/scenarios', { name: 'slow', title: 'Slow', rules })
  const headers = { 'x-sandbox-scenario': 'slow' }
  const answer = a.call<Made>('POST', PAYOUT, { body: payoutRequest(), headers })
  await new Promise((resolve) => setImmediate(resolve))
  const rest = () => {
    now_ms += 5 * 60_000
  }
  return { api, a, answer, wake: () => wake(), rest }
}

test('a request that waits holds its world, and is answered by it after others needed the room', async () => {
  const { api, a, answer, wake, rest } = await openWithWaiting(2)
  for (const name of ['b', 'c', 'd']) {
    rest()
    expect((await new Inhabitant(api, worldKey(name)).get(TOTALS)).status).toBe(200)
  }
  wake()
  expect((await answer).status).toBe(200)
  const payouts = JSON.stringify(await a.read('/_sandbox/payouts'))
  expect(payouts).toContain((await answer).body.id)
})

test('a key whose world has no room is refused with 503 and retry-after until another world is idle', async () => {
  const { api, answer, wake, rest } = await openWithWaiting(1)
  const key = worldKey('b')
  rest()
  for (const path of [TOTALS, '/_sandbox/clock']) {
    const refused = await api.carry(path, { headers: { 'x-api-key': key } })
    expect(refused.status).toBe(503)
    expect(refused.headers.get('retry-after')).toBe('1')
    expect(await refused.json()).toMatchObject({
      code: '5030',
      message:
        'No world was opened: the limit of 1 world is reached, and each is in use or was used within 5 minutes. ' +
        'Delete one, raise --worlds, or keep worlds in a database with --data postgres://….',
    })
  }
  wake()
  expect((await answer).status).toBe(200)
  expect((await api.carry(TOTALS, { headers: { 'x-api-key': key } })).status).toBe(503)
  rest()
  expect((await api.get(TOTALS, { key })).status).toBe(200)
})

/** Actions in a world. */
const acts = {
  pay: (it: Inhabitant, n: number) =>
    it.post(PAYOUT, { ...payoutRequest(), customer_payout_id: ownId(n) }),
  onboard: (it: Inhabitant, n: number) =>
    it.post(USERS, { ...userRequest(), email_address: `user${n}@example.com` }),
  wallet: (it: Inhabitant, n: number) =>
    it.post('/payment/api/v1/custody-wallet', {
      ...walletRequest(),
      customer_wallet_ref: ownId(n),
    }),
  credit: (it: Inhabitant, n: number) =>
    it.post(`/_sandbox/users/${users.ada}/balances`, { currency: 'KES', amount: n + 1 }),
  advance: (it: Inhabitant, n: number) => it.post('/_sandbox/clock/advance', { by: `${n}s` }),
  key: (it: Inhabitant, n: number) => it.post('/_sandbox/api-keys', { name: `key ${n}` }),
  reset: (it: Inhabitant) => it.post('/_sandbox/reset'),
}
const ACTS = Object.keys(acts) as (keyof typeof acts)[]

const without = (body: unknown): unknown =>
  JSON.parse(
    JSON.stringify(body, (name, value) =>
      ['requestId', 'secret', 'last_four'].includes(name) ? undefined : value,
    ) ?? 'null',
  )

test('actions in other worlds change nothing in one, in any order', async () => {
  const place = fc.integer({ min: 0, max: 2 })
  const act = fc.tuple(place, fc.constantFrom(...ACTS), fc.integer({ min: 0, max: 4 }))
  await fc.assert(
    fc.asyncProperty(fc.array(act, { maxLength: 14 }), async (all) => {
      const names = ['x', 'y', 'z']
      const play = async (only?: number) => {
        const api = await openSandbox({ seed: 'apart' })
        const reported: Record<number, unknown[]> = { 0: [], 1: [], 2: [] }
        for (const name of names)
          await api.call('DELETE', `/_sandbox/worlds/${worldId(worldKey(name))}`)
        for (const [at, what, n] of all) {
          if (only !== undefined && at !== only) continue
          const it = new Inhabitant(api, worldKey(names[at] ?? ''))
          reported[at]?.push(without((await acts[what](it, n)).body))
        }
        return reported
      }
      const together = await play()
      for (const at of [0, 1, 2]) expect(together[at]).toEqual((await play(at))[at])
    }),
    { numRuns: 12 },
  )
})
