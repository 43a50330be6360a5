import { describe, expect, test } from 'vitest'
import { type Client, expectRefusal } from '../support/client.js'
import { transferId, users } from '../support/fixture-ids.js'
import type { LoggedExchange } from '../support/logged.js'
import { type OpenOptions, openOwnSandbox, transports } from '../support/open-sandbox.js'
import { payoutRequest } from '../support/requests.js'
import { openOn } from '../support/shared-sandbox.js'
import { type StreamEvent, StreamReader } from '../support/stream-reader.js'
import { OPERATOR, openTenants, Partner } from '../support/tenants.js'
import type { List } from '../support/wire.js'
import { Inhabitant, worldId, worldKey } from '../support/worlds.js'

const STATUS = `/payment/api/v1/fx-audit/status/${transferId(1)}`
const AUDIT = `/payment/api/v1/fx-audit/${users.ada}`
const PAYOUT = '/payment/api/v1/payout'

type OfWorld = LoggedExchange & { readonly world?: string }

/** Two worlds and the default one, whose requests arrive a second apart. */
const openWorlds = async (options: OpenOptions = {}) => {
  let now = Date.parse('2027-01-01T00:00:00.000Z')
  const api = await openOwnSandbox({ machineClock: () => now, ...options })
  const [a, b] = [new Inhabitant(api, worldKey('a')), new Inhabitant(api, worldKey('b'))]
  const call = async (by: Client | Inhabitant, path: string) => {
    now += 1_000
    return by.get(path)
  }
  return { api, a, b, call }
}

describe('listRequests with world=all', () => {
  const talk = async () => {
    const { api, a, b, call } = await openWorlds()
    await call(a, STATUS)
    await call(b, STATUS)
    await call(api, AUDIT)
    await call(b, '/payment/elsewhere')
    await call(a, AUDIT)
    const list = (query = '') => api.read<List<OfWorld>>(`/_sandbox/requests?world=all${query}`)
    return { api, a, b, list }
  }

  test('lists the requests of all worlds with their world, newest first', async () => {
    const { a, b, list } = await talk()
    const { items, pagination } = await list()
    expect(items.map(({ world, path }) => [world, path])).toEqual([
      [a.id, AUDIT],
      [b.id, '/payment/elsewhere'],
      ['default', AUDIT],
      [b.id, STATUS],
      [a.id, STATUS],
    ])
    expect(pagination).toEqual({ page: 0, size: 50, total_pages: 1, total_elements: 5 })
  })

  test.each([
    ['&status=4xx', ['/payment/elsewhere']],
    ['&operation=getTransferStatus', [STATUS, STATUS]],
    [`&record=${transferId(1)}`, [STATUS, STATUS]],
    ['&size=2', [AUDIT, '/payment/elsewhere']],
    ['&size=2&page=1', [AUDIT, STATUS]],
    ['&size=2&page=3', []],
  ])('applies %s over all worlds', async (query, paths) => {
    const { list } = await talk()
    expect((await list(query)).items.map(({ path }) => path)).toEqual(paths)
  })

  test('is refused with the key of a world, and by other calls', async () => {
    const { api, a } = await talk()
    expectRefusal(await a.get('/_sandbox/requests?world=all'), 400, '4000', 'all with an x-api-key')
    expectRefusal(await api.get('/_sandbox/journal?world=all'), 404, '4040', 'world')
  })
})

const watch = async (carry: Client['carry'], query = '', headers: Record<string, string> = {}) => {
  const response = await carry(`/_sandbox/requests/stream${query}`, { headers })
  expect(response.status).toBe(200)
  const stream = new StreamReader(response)
  expect(await stream.block()).toEqual({ retry: '1000' })
  return stream
}

const shown = (event: StreamEvent | undefined) => JSON.parse(event?.data ?? '') as OfWorld

describe.each(transports)('the requests of a world as a stream, over %s', (over) => {
  test('shows each request once it has ended, as the list has it', async () => {
    const { api, a, call } = await openWorlds({ over })
    const stream = await watch(api.carry)
    await call(api, STATUS)
    await call(a, STATUS)
    await api.post(PAYOUT, { ...payoutRequest(), amount: 'x' })
    const events = await stream.events(2)
    expect(events.map(({ event, id }) => [event, id])).toEqual([
      ['request', '1'],
      ['request', '2'],
    ])
    const { items } = await api.read<List<LoggedExchange>>('/_sandbox/requests')
    expect(events.map(shown)).toEqual(items.toReversed())
  })
})

describe('the requests as a stream', () => {
  test('of a world named in the query, and of its key', async () => {
    const { api, a, call } = await openWorlds()
    await call(a, STATUS)
    const streams = [
      await watch(api.carry, `?world=${a.id}`),
      await watch(api.carry, '', { 'x-api-key': a.key }),
    ]
    await call(api, STATUS)
    await call(a, AUDIT)
    for (const stream of streams) expect(shown(await stream.event())).toMatchObject({ path: AUDIT })
  })

  test('of all worlds names the world of each request', async () => {
    const { api, a, b, call } = await openWorlds()
    const stream = await watch(api.carry, '?world=all')
    await call(a, STATUS)
    await call(api, STATUS)
    await call(b, STATUS)
    const events = await stream.events(3)
    expect(events.map((event) => [event.id, shown(event).world])).toEqual([
      [undefined, a.id],
      [undefined, 'default'],
      [undefined, b.id],
    ])
  })

  test.each([
    '?status=4xx',
    '?operation=createPayout&world=all',
    `?record=${users.ben}`,
    `?user_id=${users.ben}`,
  ])('applies %s', async (query) => {
    const { api, call } = await openWorlds()
    const stream = await watch(api.carry, query)
    await call(api, AUDIT)
    await api.post(PAYOUT, { ...payoutRequest(), user_id: users.ben, amount: 'x' })
    expect(shown(await stream.event())).toMatchObject({ n: 2, status: 400 })
  })

  test.each(['', '?world=all'])(
    '%s ends with its reason when the sandbox closes',
    async (query) => {
      const { api } = await openWorlds()
      const stream = await watch(api.carry, query)
      await api.sandbox.close()
      const end = { event: 'end', data: '{"reason":"the sandbox is closing"}' }
      expect(await stream.rest()).toEqual([end])
    },
  )

  test('drops a reader behind which more than 1,000 requests wait', async () => {
    const { api } = await openWorlds()
    const stream = await watch(api.carry)
    for (let i = 0; i < 1_200; i++) await api.carry('/payment/elsewhere', {})
    const rest = await stream.rest()
    expect(rest.at(-1)).toMatchObject({ event: 'dropped' })
    expect(rest.length).toBeLessThan(200)
  })
})

describe('world=all with tenants', () => {
  const [acme, globex] = [new Partner('acme'), new Partner('globex')]

  test.each([
    ['a tenant', acme.token, 1],
    ['the operator', OPERATOR, 2],
  ])('shows %s the worlds that it sees', async (_, token, count) => {
    const { log, time } = openTenants(acme, globex)
    const machineClock = () => time.now
    const given = { machineClock, controlToken: OPERATOR }
    const { fetch, call } = await openOn(log, given, { tenantsClock: machineClock })
    const ids = [acme, globex].map((partner) => worldId(partner.key('w')))
    const talk = async () => {
      for (const partner of [globex, acme]) await call('GET', STATUS, undefined, partner.key('w'))
    }
    await talk()
    const authorization = `Bearer ${token}`
    const list = await fetch('/_sandbox/requests?world=all', { headers: { authorization } })
    const { items } = (await list.json()) as List<OfWorld>
    expect(items.map(({ world }) => world).sort()).toEqual(ids.slice(0, count).sort())
    const stream = await watch(async (path, init) => fetch(path, init), '?world=all', {
      authorization,
    })
    await talk()
    const events = await stream.events(count)
    expect(events.map((event) => shown(event).world)).toEqual(ids.slice(0, count).toReversed())
  })
})
