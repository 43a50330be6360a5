import { createHmac } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import { controlOperations } from '../../src/api/control/index.js'
import { PAGE_PATHS } from '../../src/console/paths.js'
import { signSession } from '../../src/lib/session-keys.js'
import { userId } from '../support/fixture-ids.js'
import { maskAnswer, OPERATOR, openTenants, Partner, type Send } from '../support/tenants.js'
import { worldId } from '../support/worlds.js'

const acme = new Partner('acme')
const globex = new Partner('globex')
const USERS = '/onboarding/api/v1/users/all'
const UNKNOWN = 'ab'.repeat(16)
const STALE_MS = 5_000

/** A browser that signed in with a token. */
const signIn = async (send: Send, token: string) => {
  const form = { 'content-type': 'application/x-www-form-urlencoded' }
  const signedIn = await send('POST', '/console/token', { body: `token=${token}`, headers: form })
  const cookie = signedIn.headers['set-cookie']?.split(';')[0] ?? ''
  return {
    cookie,
    get: (path: string) => send('GET', path, { headers: { cookie } }),
    post: (path: string, body = '') => send('POST', path, { body, headers: { cookie, ...form } }),
  }
}

const fill = (path: string) => path.replace(/:\w+/, userId(1))

const actions = controlOperations.filter(({ method }) => method !== 'get').map(({ id }) => id)

describe('the console with tenants', () => {
  const own = globex.key('own')
  const otherId = worldId(acme.key('other'))
  let send: Send
  let browser: Awaited<ReturnType<typeof signIn>>

  beforeAll(async () => {
    send = await openTenants(acme, globex).start()
    for (const key of [own, acme.key('other')]) await send('GET', USERS, { key })
    browser = await signIn(send, globex.token)
  })

  test.each([...PAGE_PATHS, '/console/live', '/console/nowhere'])(
    'GET %s shows the world of another tenant as one that never was',
    async (template) => {
      const show = async (id: string) =>
        maskAnswer(await browser.get(`${fill(template)}?world=${id}`), id, id.slice(-6))
      expect(await show(otherId)).toEqual(await show(UNKNOWN))
      const inOwn = (id: string) =>
        browser.get(`${fill(template)}?world=${worldId(own)}&a=${id}&b=${worldId(own)}`)
      const [one, two] = [await inOwn(otherId), await inOwn(UNKNOWN)]
      expect(maskAnswer(one, otherId).status).toEqual(maskAnswer(two, UNKNOWN).status)
    },
  )

  test('refuses wrong tokens one after the other, at a distance', async () => {
    const waits: number[] = []
    const sleep = async (ms: number) => void waits.push(ms)
    const other = await openTenants(acme).start({}, { sleep })
    for (const token of ['wrong', 'token', acme.token]) await signIn(other, token)
    expect(waits).toEqual([20, 20])
  })

  test.each([
    ['U+0000', '%00', 'a text with U+0000'],
    ['more than 500 characters', 'x'.repeat(501), '501 characters'],
  ])('refuses a filter with %s', async (_, text, received) => {
    const { status, text: page } = await browser.get(`/worlds?text=${text}`)
    expect(status).toBe(400)
    expect(page).toContain(`Invalid text: got ${received}.`)
  })

  test.each(actions)('%s in the world of another tenant changes nothing', async (operation) => {
    const listed = async () => (await send('GET', '/_sandbox/worlds', { token: acme.token })).body
    const before = await listed()
    const post = async (id: string) =>
      maskAnswer(
        await browser.post(`/console/do/${operation}?world=${id}`, `id=${id}`),
        id,
        id.slice(-6),
      )
    expect(await post(otherId)).toEqual(await post(UNKNOWN))
    expect(await listed()).toEqual(before)
  })

  test.each([...PAGE_PATHS.filter((path) => !path.startsWith('/worlds')), '/console/live'])(
    'GET %s without a world leads to the list of worlds',
    async (template) => {
      const { status, headers } = await browser.get(fill(template))
      expect([status, headers.location]).toEqual([303, '/worlds'])
    },
  )

  test('lists the worlds of the tenant alone, in the list and in the picker', async () => {
    for (const path of ['/worlds', `/?world=${worldId(own)}`]) {
      const { status, text } = await browser.get(path)
      expect(status).toBe(200)
      expect(text).toContain(worldId(own))
      expect(text).not.toContain(otherId)
      expect(text).not.toContain('Default world')
    }
  })

  test('deletes a world of the tenant, and none of another', async () => {
    const id = worldId(globex.key('deleted'))
    await send('GET', USERS, { key: globex.key('deleted') })
    for (const it of [id, otherId]) await browser.post('/console/do/deleteWorld', `id=${it}`)
    expect((await browser.get(`/?world=${id}`)).status).toBe(404)
    const clock = `/_sandbox/clock?world=${otherId}`
    expect((await send('GET', clock, { token: acme.token })).status).toBe(200)
  })

  test('creates a world with the prefix of the tenant', async () => {
    await browser.post('/console/do/createWorld')
    const { body } = await send('GET', '/_sandbox/worlds', { token: globex.token })
    expect(body.items.length).toBeGreaterThan(1)
  })

  test('shows all worlds to the operator', async () => {
    const { text } = await (await signIn(send, OPERATOR)).get('/worlds')
    for (const id of [worldId(own), otherId]) expect(text).toContain(id)
  })

  test('asks for a token, and accepts no key and no prefix', async () => {
    for (const token of ['wrong', own, globex.prefix]) {
      expect((await (await signIn(send, token)).get('/worlds')).status).toBe(401)
    }
  })

  test('signs a removed tenant out within 5 s', async () => {
    const { log, time, start } = openTenants(acme)
    const { get } = await signIn(await start(), acme.token)
    expect((await get('/worlds')).status).toBe(200)
    log.tenants.length = 0
    time.now += STALE_MS
    expect((await get('/worlds')).status).toBe(401)
  })
})

test('a session follows from the token of a tenant, and from nothing that is stored', async () => {
  const { log, time, start } = openTenants(new Partner('late'))
  const [one, two] = [await start(), await start()]
  const { token, prefix } = new Partner('late')
  const { cookie } = await signIn(one, token)
  time.now += STALE_MS
  const statusOf = async (value: string) =>
    (await two('GET', '/worlds', { headers: { cookie: value } })).status
  expect(await statusOf(cookie)).toBe(200)
  const name = cookie.split('=')[0]
  const signed = `${time.now + STALE_MS}.${prefix}`
  for (const stored of [log.tenants[0]?.token_hash, log.tenants[0]?.session_key]) {
    const signature = createHmac('sha256', String(stored)).update(signed).digest('base64url')
    expect(await statusOf(`${name}=${signed}.${signature}`)).toBe(401)
  }
  const year = `${time.now + 365 * 24 * 3_600_000}.${prefix}`
  expect(await statusOf(`${name}=${year}.${signSession(token, year)}`)).toBe(401)
})
