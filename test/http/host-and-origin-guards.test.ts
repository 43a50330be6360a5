import { describe, expect, onTestFinished, test } from 'vitest'
import type { SandboxOptions } from '../../src/runtime/options.js'
import { Client, expectRefusal } from '../support/client.js'
import { keys } from '../support/fixture-ids.js'
import { createInner } from '../support/inner-sandbox.js'
import { expected } from '../support/invalid.js'
import { nodeFetch } from '../support/node-fetch.js'
import { openOwnSandbox, type Transport } from '../support/open-sandbox.js'

const USERS = '/onboarding/api/v1/users/all'
const TOKEN = 'correct-horse-battery-staple'
const EVIL = 'https://evil.example'
const BEARER = { authorization: `Bearer ${TOKEN}` }

/** A sandbox on a port whose log is seen; the Host header is the test's to write. */
const serveWith = async (options: SandboxOptions) => {
  const sandbox = await createInner({ clock: 'manual', seed: 'tests', ...options })
  onTestFinished(() => sandbox.close())
  const { url } = await sandbox.listen({ port: 0 })
  return new Client(sandbox, (path, init) => nodeFetch(new URL(path, url), init))
}

const FOREIGN: readonly Record<string, string>[] = [
  { origin: EVIL },
  { origin: 'null' },
  { origin: 'http://localhost' },
  { origin: 'http://localhost:3000' },
  { origin: 'http://localhost:4020.evil.example' },
  { origin: 'http://127.0.0.1:4020' },
  { origin: 'http://localhost:4020', 'sec-fetch-site': 'cross-site' },
  { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors', 'sec-fetch-dest': 'image' },
  { 'sec-fetch-site': 'same-site', 'sec-fetch-mode': 'no-cors' },
  { host: 'evil.example' },
  { host: 'evil.example:4020', origin: 'http://evil.example:4020' },
  { host: 'evil.example:4020', 'sec-fetch-site': 'same-origin' },
]

describe.each<Transport>(['fetch', 'http'])('a foreign request over %s', (over) => {
  const foreign = FOREIGN.filter(({ host, ...others }) => {
    return over === 'http' || host === undefined || Object.keys(others).length > 0
  })

  test.each(foreign)('%j is refused, and enters no log, count or verification', async (sent) => {
    const api = await openOwnSandbox({ over })
    const headers = { host: 'localhost:4020', ...sent }
    for (const key of [keys.full, null, 'SandboxWorld00000000000000000042']) {
      expectRefusal(await api.get(USERS, { headers, key }), 403, '4031')
      const payout = await api.post('/payment/api/v1/payout', {}, { headers, key })
      expectRefusal(payout, 403, '4031')
      expectRefusal(await api.get('/payment/api/v1/nowhere', { headers, key }), 403, '4031')
      expectRefusal(await api.get('/_sandbox/clock', { headers, key }), 403, '4031')
      expectRefusal(await api.post('/_sandbox/reset', undefined, { headers, key }), 403, '4031')
      expect(payout.headers.get('x-sandbox-assumed')).toBeNull()
    }
    expect(api.sandbox.requests()).toEqual([])
    const { items } = await api.read<{ items: { hits: number }[] }>(
      '/_sandbox/assumptions?size=1000',
    )
    expect(items.filter(({ hits }) => hits > 0)).toEqual([])
    const { ok } = await api.sandbox.verify([{ requests: {}, count: 0 }])
    expect(ok).toBe(true)
    const { worlds } = await api.read<{ worlds: number }>('/_sandbox/health')
    expect(worlds).toBe(1)
  })
})

test('a request of the sandbox’s own pages and of Node’s fetch is served and logged', async () => {
  const api = await openOwnSandbox()
  const own = { 'x-api-key': keys.full, host: 'localhost:4020' }
  for (const sent of [
    { origin: 'http://localhost:4020', 'sec-fetch-site': 'same-origin' },
    { origin: 'https://localhost:4020' },
    { 'sec-fetch-site': 'same-origin' },
    { 'sec-fetch-site': 'none', 'sec-fetch-mode': 'navigate' },
    { 'sec-fetch-mode': 'cors' },
  ]) {
    const headers = { ...own, ...sent }
    expect((await api.carry(USERS, { headers })).status).toBe(200)
    const moved = await api.post('/_sandbox/clock/advance', { by: '1s' }, { headers })
    expect(moved.status).toBe(200)
  }
  expect(api.sandbox.requests()).toHaveLength(5)
})

test.each([TOKEN, 'wrong'])('no token opens the control API to another site: %s', async (token) => {
  const api = await openOwnSandbox({ controlToken: TOKEN })
  const headers = { host: 'localhost:4020', origin: EVIL, authorization: `Bearer ${token}` }
  const words = `another site, ${EVIL}, to Host localhost:4020.`
  expectRefusal(await api.get('/_sandbox/clock', { headers }), 403, '4031', words)
  expectRefusal(await api.post('/_sandbox/reset', undefined, { headers }), 403, '4031', words)
})

describe('a Host that is not the machine’s own', () => {
  const BROWSERS: readonly Record<string, string>[] = [
    { origin: 'http://sandramp:4020' },
    { 'sec-fetch-site': 'same-origin' },
    { 'sec-fetch-mode': 'navigate' },
    { 'sec-fetch-dest': 'document' },
  ]

  test.each(BROWSERS)(
    'is refused to a browser (%j) in every API, with a token too',
    async (sent) => {
      const api = await serveWith({ controlToken: TOKEN })
      const headers = { host: 'sandramp:4020', ...sent, ...BEARER }
      expectRefusal(await api.get(USERS, { headers }), 403, '4031', '--allow-host sandramp')
      expectRefusal(await api.get('/_sandbox/clock', { headers }), 403, '4031', '--allow-host')
      const documents = ['/openapi.json', '/_sandbox/openapi.json', '/reference', '/llms.txt']
      for (const path of ['/', '/users', ...documents]) {
        const { status } = await api.carry(path, { headers })
        expect([path, status]).toEqual([path, 403])
      }
      expect(api.sandbox.requests()).toEqual([])
    },
  )

  test.each(BROWSERS)('is served to a browser (%j) once --allow-host names it', async (sent) => {
    const api = await serveWith({ controlToken: TOKEN, allowHosts: ['Sandramp'] })
    const headers = { host: 'sandramp:4020', ...sent, ...BEARER }
    expect((await api.get(USERS, { headers })).status).toBe(200)
    expect((await api.get('/_sandbox/clock', { headers })).status).toBe(200)
    expect((await api.carry('/reference', { headers })).status).toBe(200)
    const other = { ...headers, host: 'evil.example' }
    expectRefusal(await api.get(USERS, { headers: other }), 403, '4031')
  })

  test('is served to programs with a token when it is an address or a name without a dot', async () => {
    const api = await serveWith({ controlToken: TOKEN })
    for (const host of ['sandramp:4020', 'sandramp', '192.168.1.7:4020', '[fe80::1]:4020']) {
      const headers = { host, 'sec-fetch-mode': 'cors' }
      expect((await api.get(USERS, { headers })).status, host).toBe(200)
    }
    for (const host of ['evil.example', 'sandramp.evil.example:4020', '127.0.0.1.nip.io']) {
      const words = [expected('localhost or 127.0.0.1'), '--allow-host']
      expectRefusal(await api.get(USERS, { headers: { host } }), 403, '4031', ...words)
    }
  })

  test('is served to a browser with a token when it is an address, which no DNS record names', async () => {
    const api = await serveWith({ controlToken: TOKEN })
    const own = { host: '192.168.1.7:4020', origin: 'http://192.168.1.7:4020', ...BEARER }
    expect((await api.get('/_sandbox/clock', { headers: own })).status).toBe(200)
    const other = { ...own, origin: EVIL }
    expectRefusal(await api.get('/_sandbox/clock', { headers: other }), 403, '4031')
  })

  test('is refused without a token unless --allow-host names it', async () => {
    const refusing = await serveWith({})
    const headers = { host: 'sandramp:4020' }
    expectRefusal(await refusing.get(USERS, { headers }), 403, '4031', '--allow-host sandramp')
    const allowing = await serveWith({ allowHosts: ['other', 'sandramp'] })
    expect((await allowing.get(USERS, { headers })).status).toBe(200)
    expect((await allowing.get('/_sandbox/clock', { headers })).status).toBe(200)
    expect((await allowing.carry('/', { headers })).status).toBe(200)
  })

  test.each(['http://sandramp', 'sandramp:4020', 'a b', '', '*'])(
    'cannot be allowed as %j',
    async (name) => {
      const opened = createInner({ allowHosts: [name] })
      await expect(opened).rejects.toThrow(expected('a host name without scheme and port'))
    },
  )
})
