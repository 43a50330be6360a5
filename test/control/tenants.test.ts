import { beforeAll, describe, expect, test, vi } from 'vitest'
import { allOperations, type OperationCase } from '../support/all-operations.js'
import { keys } from '../support/fixture-ids.js'
import { maskAnswer, OPERATOR, openTenants, Partner, type Send } from '../support/tenants.js'
import { worldId, worldKey } from '../support/worlds.js'

const NO_WORLD_NEEDED = new Set([
  'createWorld',
  'deleteWorlds',
  'listAssumptions',
  'listScenarios',
  'listWorlds',
  'readAssumption',
  'readFixtures',
  'readScenario',
  'reportOpenQuestions',
])
const OPEN = new Set(['getHealth', 'getReady'])

const acme = new Partner('acme')
const globex = new Partner('globex')
const never = new Partner('never')
const USERS = '/onboarding/api/v1/users/all'
const STALE_MS = 5_000

/** Requests that fail later checks too: the order of the checks shows nothing either. */
const variants = ({ path, body }: OperationCase): (readonly [path: string, body: unknown])[] => [
  [path, body],
  [`${path}${path.includes('?') ? '&' : '?'}nonsense=1`, body],
  [path, body === undefined ? undefined : '{"broken":'],
]

test('a damaged world of another tenant is as unknown as one that never was', async () => {
  const { log, start } = openTenants(acme, globex)
  const send = await start()
  const key = acme.key('damaged')
  await send('GET', USERS, { key })
  const id = worldId(key)
  const { catchUp } = log
  log.catchUp = async (...asked) => {
    if (asked[0] === id) throw new Error('its commit is not JSON')
    return catchUp.apply(log, asked)
  }
  vi.spyOn(console, 'error').mockImplementation(() => {})
  const ask = async (path: string, { token }: Partner, named: string) =>
    maskAnswer(await send('GET', path.replace(':id', named), { token }), named)
  for (const path of ['/_sandbox/journal?world=:id', '/_sandbox/worlds/compare?a=:id&b=:id']) {
    const never = await ask(path, globex, 'ab'.repeat(16))
    expect(never.status).toBeOneOf([400, 404])
    expect(await ask(path, globex, id)).toEqual(never)
    expect((await ask(path, acme, id)).status).toBe(503)
  }
})

test('U+0000 in ids, names and filters is refused, and no id that no world has reaches the log', async () => {
  const { log, start } = openTenants(acme)
  const send = await start()
  const asked = vi.spyOn(log, 'catchUp')
  const { token } = acme
  const statusOf = async (...sent: Parameters<Send>) => (await send(...sent)).status
  for (const id of ['%00', 'abc', 'AB'.repeat(16)]) {
    expect(await statusOf('GET', `/_sandbox/users?world=${id}`, { token })).toBe(404)
    expect(await statusOf('DELETE', `/_sandbox/worlds/${id}`, { token })).toBeOneOf([400, 404])
  }
  expect(asked).not.toHaveBeenCalled()
  const named = await send('POST', '/_sandbox/worlds', { token, body: { name: 'a\0b' } })
  expect([named.status, named.body.message]).toEqual([
    400,
    expect.stringContaining('Invalid name: got a text with U+0000. Expected text without'),
  ])
  expect(await statusOf('GET', '/_sandbox/worlds?name=%00', { token })).toBe(400)
})

describe('with tenants', () => {
  let send: Send
  const other = acme.key('shared')
  const otherId = worldId(other)
  const unknownId = 'ab'.repeat(16)
  let madeKey: string
  let time: { now: number }

  beforeAll(async () => {
    const opened = openTenants(acme, globex)
    time = opened.time
    send = await opened.start()
    for (const key of [other, globex.key('own')]) await send('GET', USERS, { key })
    const sent = { key: other, token: acme.token, body: { name: 'made' } }
    madeKey = (await send('POST', '/_sandbox/api-keys', sent)).body.secret
    await send('POST', '/_sandbox/snapshots', { ...sent, body: { name: 'kept' } })
  })

  const isService = ({ path }: OperationCase) => !path.startsWith('/_sandbox')
  const control = allOperations.filter((it) => !isService(it) && !OPEN.has(it.id))

  test.each(allOperations.filter(isService))('$id accepts only keys of a tenant', async (it) => {
    const ask = async (key: string) => send(it.method, it.path, { key, body: it.body })
    expect([401, 403]).not.toContain((await ask(acme.key(it.id))).status)
    const refused = maskAnswer(await ask(never.key(it.id)))
    expect(refused).toMatchObject({ status: 401 })
    expect(refused.text).toContain('"4101"')
    for (const key of [worldKey(1), keys.full, keys.expired]) {
      expect(maskAnswer(await ask(key))).toEqual(refused)
    }
  })

  test.each(control)('$id needs a token', async ({ method, path, body }) => {
    for (const token of [undefined, 'wrong', never.token, acme.prefix]) {
      const answer = await send(method, path, { token, body, key: other })
      expect(answer).toMatchObject({ status: 401, body: { code: '4011' } })
    }
  })

  test.each(control)('$id answers a tenant about its own world', async (it) => {
    const key = globex.key(it.id)
    const { token } = globex
    await send('POST', '/_sandbox/snapshots', { key, token, body: { name: 'kept' } })
    const user = it.path.replaceAll(':world', worldId(globex.key('own')))
    const answer = await send(it.method, user, { key, token, body: it.body })
    if (answer.status === 404) {
      // The record is not there, as it is for the operator.
      const again = await send(it.method, user, { key, token: OPERATOR, body: it.body })
      expect(maskAnswer(answer)).toEqual(maskAnswer(again))
      expect(answer.body.message).not.toContain('GET /_sandbox/worlds')
    } else expect(answer.status).toBeLessThan(410)
    expect(answer.status).not.toBe(401)
  })

  test.each(control)(
    '$id answers about the world of another as about one that never was',
    async (it) => {
      const { token } = globex
      const listed = async () => (await send('GET', '/_sandbox/worlds', { token: acme.token })).body
      const before = await listed()
      time.now += 1_000
      for (const [path, body] of variants(it)) {
        const { method } = it
        const ask = (id: string, key?: string) => {
          const inPath = path.replaceAll(':world', id)
          return send(method, inPath, { token, body, key })
        }
        const byKey = await ask(unknownId, never.key(1))
        expect(byKey).toMatchObject({ status: 401, body: { code: '4101' } })
        for (const key of [other, madeKey, acme.key('new')]) {
          expect(maskAnswer(await ask(unknownId, key))).toEqual(maskAnswer(byKey))
        }
        if (path.includes(':world')) {
          expect(maskAnswer(await ask(otherId), otherId)).toEqual(
            maskAnswer(await ask(unknownId), unknownId),
          )
        }
        const inQuery = (id: string) =>
          send(method, `${path}${path.includes('?') ? '&' : '?'}world=${id}`, { token, body })
        const unknown = maskAnswer(await inQuery(unknownId), unknownId)
        expect(unknown.status).toBe(404)
        expect(maskAnswer(await inQuery(otherId), otherId)).toEqual(unknown)
        expect(maskAnswer(await inQuery('default'), '\\"default\\"').text).toBe(
          unknown.text.replaceAll('\\":id\\"', ':id'),
        )
      }
      expect(await listed()).toEqual(before)
    },
  )

  test.each(control)('$id without a world names one to send, if it needs any', async (it) => {
    const path = it.path.replaceAll(':world', worldId(globex.key('own2')))
    const { status, body } = await send(it.method, path, { token: globex.token, body: it.body })
    if (NO_WORLD_NEEDED.has(it.id)) expect(status).toBeLessThan(300)
    else if (/^(rename|delete|compare)Worlds?$/.test(it.id))
      expect(body.message).toMatch(/^Invalid (id|a)/)
    else {
      expect(status).toBe(400)
      expect(body.message).toBe(
        'Missing world. Expected the key of a world as x-api-key, or its id as ?world=. ' +
          'GET /_sandbox/worlds lists the ids.',
      )
    }
  })
})

test.each(['', '?of=contract'])(
  'the document of the service%s opens no world of another',
  async (query) => {
    const send = await openTenants(acme, globex).start()
    const key = acme.key('document')
    await send('GET', USERS, { key })
    const read = async (id: string) => {
      const address = `/openapi.json${query}${query ? '&' : '?'}world=${id}`
      const { status, text } = await send('GET', address, { token: globex.token })
      return { status, text: text.replace(id, ':id').replace(/"requestId":"[^"]+"/, '') }
    }
    expect(await read(worldId(key))).toEqual(await read('ab'.repeat(16)))
    const byKey = query === '' ? 401 : 200
    expect((await send('GET', `/openapi.json${query}`, { key: never.key(1) })).status).toBe(byKey)
  },
)

describe('a tenant', () => {
  const listed = async (send: Send, token: string) => {
    const { body } = await send('GET', '/_sandbox/worlds', { token })
    return body.items.map(({ id }: { id: string }) => id).sort()
  }

  test('lists its own worlds, the operator those of all tenants, and nobody a default world', async () => {
    const send = await openTenants(acme, globex).start()
    const [one, two] = [acme.key(1), globex.key(2)]
    for (const key of [one, two]) await send('GET', USERS, { key })
    expect(await listed(send, acme.token)).toEqual([worldId(one)])
    expect(await listed(send, globex.token)).toEqual([worldId(two)])
    expect(await listed(send, OPERATOR)).toEqual([worldId(one), worldId(two)].sort())
    const { items } = (await send('GET', '/_sandbox/worlds', { token: OPERATOR })).body
    expect(items.map(({ tenant }: { tenant: string }) => tenant).sort()).toEqual(['acme', 'globex'])
  })

  test('deletes only its own worlds, and the operator those of all tenants', async () => {
    const { start, time } = openTenants(acme, globex)
    const send = await start()
    const [one, two] = [acme.key(1), globex.key(2)]
    for (const key of [one, two]) await send('GET', USERS, { key })
    time.now += 3 * 3_600_000
    const remove = async (token: string) =>
      (await send('DELETE', '/_sandbox/worlds?idle=1h', { token })).body
    expect(await remove(acme.token)).toEqual({ deleted: 1 })
    expect(await listed(send, OPERATOR)).toEqual([worldId(two)])
    expect(await remove(OPERATOR)).toEqual({ deleted: 1 })
    expect(await listed(send, OPERATOR)).toEqual([])
  })

  test('creates and forks worlds with its prefix', async () => {
    const send = await openTenants(acme).start()
    const { token } = acme
    const { key, id } = (await send('POST', '/_sandbox/worlds', { token })).body
    expect(key.slice(0, 22)).toBe(acme.prefix)
    await send('POST', '/_sandbox/snapshots', { token, key, body: { name: 'kept' } })
    const fork = (await send('POST', '/_sandbox/snapshots/kept/fork', { token, key })).body
    expect(fork.key.slice(0, 22)).toBe(acme.prefix)
    expect((await send('GET', USERS, { key: fork.key })).status).toBe(200)
    expect(await listed(send, token)).toEqual([id, fork.id].sort())
  })

  test('is needed to create a world: the operator does not know its prefix', async () => {
    const send = await openTenants(acme).start()
    const { status, body } = await send('POST', '/_sandbox/worlds', { token: OPERATOR })
    expect([status, body.message]).toEqual([
      400,
      'Only the control token of a tenant creates worlds.',
    ])
  })

  test('has refused requests in the log of the world that they name beside its token', async () => {
    const { start } = openTenants(acme, globex)
    const send = await start()
    const { id, key } = (await send('POST', '/_sandbox/worlds', { token: acme.token })).body
    const headers = { 'x-sandbox-world': id }
    for (const token of [acme.token, globex.token, OPERATOR, undefined])
      await send('GET', USERS, { key: 'wrong', token, headers })
    await send('POST', '/payments/api/v1/payout', { token: acme.token, headers })
    const { items } = (await send('GET', '/_sandbox/requests', { key, token: acme.token })).body
    expect(items.map(({ status }: { status: number }) => status)).toEqual([404, 403])
  })

  test('counts the assumptions of its own worlds', async () => {
    const send = await openTenants(acme, globex).start()
    await send('GET', USERS, { key: acme.key(1) })
    await send('GET', USERS, { key: globex.key(1) })
    const hits = async (token: string, query = '?worlds=all') => {
      const { body } = await send('GET', `/_sandbox/assumptions${query}&size=500`, { token })
      const all: { hits: number }[] = body.items
      return all.reduce((sum, it) => sum + it.hits, 0)
    }
    const [one, all] = [await hits(acme.token), await hits(OPERATOR)]
    expect(one).toBeGreaterThan(0)
    expect(all).toBe(one + (await hits(globex.token)))
    expect(await hits(acme.token, '?page=0')).toBe(0)
  })

  test('has the worlds that another replica opened, and the keys created in them', async () => {
    const { start } = openTenants(acme, globex)
    const [first, second] = [await start(), await start()]
    const key = acme.key('elsewhere')
    const sent = { key, token: acme.token, body: { name: 'made' } }
    const { secret } = (await first('POST', '/_sandbox/api-keys', sent)).body
    expect((await second('GET', USERS, { key: secret })).status).toBe(200)
    const clock = `/_sandbox/clock?world=${worldId(key)}`
    expect((await second('GET', clock, { token: acme.token })).status).toBe(200)
    expect((await second('GET', clock, { token: globex.token })).status).toBe(404)
  })

  test('opens no world beyond its limit until one is deleted', async () => {
    const small = new Partner('small', { max_worlds: 1 })
    const { start, time } = openTenants(small)
    const send = await start()
    const { token } = small
    expect((await send('GET', USERS, { key: small.key(1) })).status).toBe(200)
    const attempts = [
      await send('GET', USERS, { key: small.key(2) }),
      await send('GET', '/_sandbox/clock', { key: small.key(2), token }),
      await send('POST', '/_sandbox/worlds', { token }),
    ]
    for (const { status, body } of attempts) {
      expect([status, body.message]).toEqual([
        503,
        'No world was opened: tenant small is at its limit of 1 world. Delete one.',
      ])
    }
    expect((await send('GET', USERS, { key: small.key(1) })).status).toBe(200)
    await send('DELETE', `/_sandbox/worlds/${worldId(small.key(1))}`, { token })
    time.now += STALE_MS
    expect((await send('GET', USERS, { key: small.key(2) })).status).toBe(200)
  })

  test('shares its rate limit between its keys, and with no other tenant', async () => {
    const slow = new Partner('slow', { rate: '2/1m' })
    const send = await openTenants(slow, acme).start({ rateLimit: '10/1m' })
    const remaining = async (key: string) =>
      (await send('GET', USERS, { key })).headers['ratelimit-remaining']
    expect(await remaining(slow.key(1))).toBe('1')
    expect(await remaining(slow.key(2))).toBe('0')
    const { status, headers, body } = await send('GET', USERS, { key: slow.key(3) })
    expect([status, headers['retry-after'], body.message]).toEqual([
      429,
      '60',
      'This tenant sent more than 2 requests in 1m. Wait 60 s.',
    ])
    expect(await remaining(acme.key(1))).toBe('9')
  })

  test('has the same rate for control calls, of which dear ones count as ten', async () => {
    const slow = new Partner('slow', { rate: '12/1m' })
    const send = await openTenants(slow, acme).start()
    const remaining = async (path: string, { token }: Partner) => {
      const { status, headers } = await send('GET', path, { token })
      return status === 429 ? 429 : headers['ratelimit-remaining']
    }
    expect(await remaining('/_sandbox/scenarios', slow)).toBe('11')
    expect(await remaining('/_sandbox/worlds', slow)).toBe('1')
    expect(await remaining('/_sandbox/worlds', slow)).toBe(429)
    expect(await remaining('/_sandbox/scenarios', slow)).toBe('0')
    expect(await remaining('/_sandbox/worlds', acme)).toBe(undefined)
  })

  test('that is added or removed is so at all replicas within 5 s', async () => {
    const late = new Partner('late')
    const { log, time, start } = openTenants(acme)
    const send = await start()
    const status = async (partner: Partner) => [
      (await send('GET', USERS, { key: partner.key(1) })).status,
      (await send('GET', '/_sandbox/worlds', { token: partner.token })).status,
    ]
    expect([await status(acme), await status(late)]).toEqual([
      [200, 200],
      [401, 401],
    ])
    log.tenants.splice(0, 1, late.tenant)
    time.now += STALE_MS
    expect([await status(acme), await status(late)]).toEqual([
      [401, 401],
      [200, 200],
    ])
    const { body } = await send('GET', '/_sandbox/worlds', { token: OPERATOR })
    expect(body.items.map(({ id }: { id: string }) => id)).toEqual([worldId(late.key(1))])
  })
})

test('two calls about many worlds of a tenant run at once, the next one waits, and other tenants do not', async () => {
  const [acme, bmart] = [new Partner('acme'), new Partner('bmart')]
  const { log, start } = openTenants(acme, bmart)
  const send = await start()
  const list = ({ token }: Partner) => send('GET', '/_sandbox/worlds', { token })
  await Promise.all([list(acme), list(bmart)])
  const asked: string[] = []
  const answer: (() => void)[] = []
  const listWorlds = log.listWorlds.bind(log)
  vi.spyOn(log, 'listWorlds').mockImplementation(async (query) => {
    asked.push(String(query.tenants))
    await new Promise<void>((resolve) => answer.push(resolve))
    return listWorlds(query)
  })
  const lists = [list(acme), list(acme), list(acme), list(bmart)]
  await vi.waitFor(() => expect(asked).toEqual(['acme', 'acme', 'bmart']))
  answer[0]?.()
  await vi.waitFor(() => expect(asked).toHaveLength(4))
  for (const it of answer) it()
  expect((await Promise.all(lists)).map(({ status }) => status)).toEqual([200, 200, 200, 200])
})
