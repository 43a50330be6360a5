import { describe, expect, test } from 'vitest'
import { hashSecret } from '../../src/lib/secrets.js'
import { type Client, expectRefusal } from '../support/client.js'
import { BEGINNING, keys, users } from '../support/fixture-ids.js'
import { got, inWords } from '../support/invalid.js'
import { openCore, openOwnSandbox, openSandbox, transports } from '../support/open-sandbox.js'
import { consentRequest } from '../support/requests.js'
import type { List } from '../support/wire.js'
import { worldKey } from '../support/worlds.js'

interface ApiKey {
  readonly id: string
  readonly name: string
  readonly permissions: string
  readonly status: string
  readonly expires_at: string | null
  readonly expired: boolean
  readonly last_four: string
  readonly created_at: string
}
type CreatedKey = ApiKey & { readonly secret: string }

const path = '/_sandbox/api-keys'
const READS = '/onboarding/api/v1/users/all'
const CHANGES = '/onboarding/api/v1/tnc'

const fixtureKey = (n: number) => `aaaaaaaa-aaaa-4aaa-8aaa-00000000000${n}`

const create = (api: Client, more: object = {}) =>
  api.make<CreatedKey>(path, { name: 'Nightly tests', ...more })
const patch = (api: Client, id: string, body: object) =>
  api.call<ApiKey>('PATCH', `${path}/${id}`, { body })
const list = async (api: Client) => (await api.read<List<ApiKey>>(path)).items
const read = (api: Client, key: string) => api.get(READS, { key })
const change = (api: Client, key: string) => api.post(CHANGES, consentRequest(), { key })

describe('listApiKeys', () => {
  test('lists all, the newest first, with four characters of their secrets', async () => {
    const api = await openSandbox()
    const all = await api.read<List<ApiKey>>(path)
    expect(all.pagination).toEqual({ page: 0, size: 50, total_pages: 1, total_elements: 5 })
    expect(all.items.map(({ id }) => id)).toEqual([5, 4, 3, 2, 1].map(fixtureKey))
    expect(all.items.map((it) => [it.status, it.permissions, it.expired])).toEqual([
      ['deactivated', 'full', false],
      ['suspended', 'full', false],
      ['active', 'full', true],
      ['active', 'read_only', false],
      ['active', 'full', false],
    ])
    expect(all.items.at(-1)).toEqual({
      id: fixtureKey(1),
      name: 'Full access',
      permissions: 'full',
      status: 'active',
      expires_at: null,
      expired: false,
      last_four: keys.full.slice(-4),
      created_at: '2025-11-03T08:00:00.000Z',
    })
  })
})

test('a page of records that are too long together is refused with a hint at size', async () => {
  const api = await openCore()
  const { world } = api.sandbox.main
  for (const hash of ['a', 'b']) {
    const name = 'x'.repeat(17_000_000)
    const rest = { hash, last_four: hash, permissions: 'full', expires_at: null } as const
    world.run('api_key.create', { name, ...rest }, { kind: 'library' })
  }
  const words = 'Invalid size: got 2 items of more than 33554432 characters together.'
  expectRefusal(await api.get(`${path}?size=2`), 400, '4000', words, 'Ask for a smaller size.')
  expect((await api.read<List<ApiKey>>(`${path}?size=1`)).items).toHaveLength(1)
})

describe('createApiKey', () => {
  test('answers the key with its secret, which opens the service', async () => {
    const api = await openSandbox()
    const { secret, ...key } = await create(api)
    expect(key).toEqual({
      id: expect.any(String),
      name: 'Nightly tests',
      permissions: 'full',
      status: 'active',
      expires_at: null,
      expired: false,
      last_four: secret.slice(-4),
      created_at: BEGINNING,
    })
    expect(secret).toMatch(/^[A-Za-z0-9]{32}$/)
    expect((await list(api))[0]).toEqual(key)
    expect((await read(api, secret)).status).toBe(200)
    expect((await change(api, secret)).status).toBe(200)
  })
})

describe('setApiKey', () => {
  const [id = ''] = [fixtureKey(1)]
  test('one of both must come', async () => {
    const api = await openSandbox()
    const words = got(inWords('no field'), 'status, expires_at or both')
    expectRefusal(await patch(api, id, {}), 400, '4000', words)
  })

  test('changes what is named and answers the key after it', async () => {
    const api = await openSandbox()
    const [before] = (await list(api)).slice(-1)
    const expires_at = '2026-06-15T12:00:00+02:00'
    const both = await patch(api, id, { status: 'suspended', expires_at })
    const after = { ...before, status: 'suspended', expires_at: '2026-06-15T10:00:00.000Z' }
    expect(both.body).toEqual(after)
    expect((await patch(api, id, { status: 'suspended' })).body).toEqual(after)
    expect((await patch(api, id, { status: 'active' })).body).toEqual({
      ...after,
      status: 'active',
    })
    expect((await patch(api, id, { expires_at: null })).body).toEqual(before)
    expect((await list(api)).at(-1)).toEqual(before)
  })
})

describe.each(transports)('the gate over %s', (way) => {
  test('a read-only key learns that it is closed before what it may not do', async () => {
    const api = await openSandbox({ over: way })
    const { id, secret } = await create(api, { permissions: 'read_only' })
    await patch(api, id, { expires_at: '2026-06-15T08:00:00Z' })
    expectRefusal(await change(api, secret), 401, '4102')
    await patch(api, id, { expires_at: null, status: 'suspended' })
    expectRefusal(await change(api, secret), 401, '4103')
  })

  test('a reset forgets the keys that were made, and what was done to the others', async () => {
    const api = await openSandbox({ over: way })
    const { secret } = await create(api)
    await patch(api, fixtureKey(1), { status: 'deactivated' })
    await api.make('/_sandbox/reset')
    expectRefusal(await read(api, secret), 401, '4101')
    expect((await read(api, keys.full)).status).toBe(200)
    expect(await list(api)).toHaveLength(5)
  })
})

test('a step that would bring a deactivated key back is refused and journalled', async () => {
  const api = await openOwnSandbox()
  const text = `name: comes-back
title: A key comes back
rules:
  - when: consent.created
    then: [{ set_key: { status: deactivated } }, { after: 1m, set_key: { status: active } }]`
  const headers = { 'content-type': 'application/yaml' }
  const posted = '/_sandbox/scenarios?activate=true'
  expect((await api.call('POST', posted, { raw: text, headers })).status).toBe(201)
  const { id, secret } = await create(api)
  expect((await change(api, secret)).status).toBe(200)
  api.sandbox.advance('1m')
  expectRefusal(await read(api, secret), 401, '4103')
  const { items } = await api.read<List<{ refused?: object }>>('/_sandbox/journal')
  expect(items.flatMap(({ refused }) => refused ?? [])).toEqual([
    {
      code: 'illegal',
      message: `API key ${id} is deactivated and cannot become active; deactivated is final.`,
    },
  ])
})

test.each(transports)('the secret is in one answer and nowhere else, over %s', async (way) => {
  const lines: unknown[] = []
  const api = await openOwnSandbox({ over: way, log: (line) => lines.push(line) })
  const { id, secret } = await create(api)
  const reported: unknown[] = []
  await change(api, secret)
  for (const body of [{ status: 'suspended' }, { status: 'deactivated' }, { status: 'active' }]) {
    reported.push((await patch(api, id, body)).body, (await read(api, secret)).body)
  }
  reported.push((await read(api, `${secret}0`)).body)
  await api.get(`/payment/${worldKey('strayed')}?key=${worldKey('strayed')}`)
  const asked = { key: secret, body: { status: 'no such' } }
  reported.push((await api.call('PATCH', `${path}/${id}`, asked)).body)
  const lists = ['api-keys', 'journal?size=1000', 'requests', 'requests.har', 'clock', 'scenarios']
  for (const name of [...lists, 'users', `records/${users.ada}/why`]) {
    reported.push(await api.read(`/_sandbox/${name}`))
  }
  const records = Object.values(api.sandbox.tables).map((table) => 'all' in table && table.all())
  const text = JSON.stringify([reported, records, lines])
  expect(text).not.toContain(secret)
  expect(text).not.toContain(secret.slice(0, -4))
  expect(text).not.toContain(worldKey('strayed'))
  expect(text).toContain(`…${secret.slice(-4)}`)
  expect(text).toContain(hashSecret(secret))
})
