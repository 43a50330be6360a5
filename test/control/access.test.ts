import { describe, expect, test } from 'vitest'
import { expectRefusal } from '../support/client.js'
import { keys } from '../support/fixture-ids.js'
import { expected, invalid, inWords, missing } from '../support/invalid.js'
import { openSandbox, type Transport } from '../support/open-sandbox.js'

const ways: readonly Transport[] = ['fetch', 'http']
const path = '/_sandbox/clock'
const TOKEN = 'correct-horse-battery-staple'
const bearer = (token: string) => ({ authorization: `Bearer ${token}` })

const OWN_HOSTS = [
  'localhost',
  'LOCALHOST:4020',
  'sandbox.localhost:4020',
  '127.0.0.1:65535',
  '127.1.2.3:80',
  '[::1]:4020',
]

const OTHER_HOSTS = [
  'evil.example',
  'sandramp:4020',
  'localhost.evil.example:4020',
  'evil-localhost',
  '127.0.0.1.nip.io:4020',
  '192.168.1.7:4020',
  '0.0.0.0:4020',
  '[::]:4020',
  '[fe80::1]:4020',
]

describe.each(ways)('access to the control API, over %s', (over) => {
  describe('without a token', () => {
    test.each(OWN_HOSTS)('Host %s is the machine’s own', async (host) => {
      const api = await openSandbox({ over })
      expect((await api.get(path, { headers: { host } })).status).toBe(200)
    })

    test.each(OTHER_HOSTS)('Host %s is refused, on reads and changes', async (host) => {
      const api = await openSandbox({ over })
      const headers = { host }
      const words = ['Invalid Host: ', expected('localhost or 127.0.0.1'), '--allow-host']
      expectRefusal(await api.get(path, { headers }), 403, '4031', ...words)
      const advance = await api.post(`${path}/advance`, { by: '1h' }, { headers })
      expectRefusal(advance, 403, '4031', ...words)
      expect(api.sandbox.now).toBe('2026-06-15T09:00:00.000Z')
      expectRefusal(await api.get('/_sandbox/nowhere', { headers }), 403, '4031')
    })

    test('a token that nobody asked for opens nothing', async () => {
      const api = await openSandbox({ over })
      const headers = { host: 'evil.example', ...bearer(TOKEN) }
      expectRefusal(await api.get(path, { headers }), 403, '4031')
    })
  })

  describe('with a token', () => {
    test('the right one passes, whatever the Host', async () => {
      const api = await openSandbox({ over, controlToken: TOKEN })
      for (const host of ['localhost', 'sandramp:4020', 'evil.example']) {
        const headers = { host, ...bearer(TOKEN) }
        expect((await api.get(path, { headers })).status).toBe(200)
        const advance = await api.post(`${path}/advance`, { by: '1s' }, { headers })
        expect(advance.status).toBe(200)
      }
    })

    test.each(['bearer', 'BEARER', 'Bearer   '])('the scheme may be written %s', async (scheme) => {
      const api = await openSandbox({ over, controlToken: TOKEN })
      const headers = { authorization: `${scheme} ${TOKEN}` }
      expect((await api.get(path, { headers })).status).toBe(200)
    })

    test.each([
      [{}, missing('control token')],
      [{ authorization: '' }, missing('control token')],
      [{ authorization: TOKEN }, missing('control token')],
      [{ authorization: 'Bearer' }, missing('control token')],
      [{ authorization: `Basic ${TOKEN}` }, missing('control token')],
      [bearer('wrong'), invalid('control token', inWords('a wrong one'))],
      [bearer(TOKEN.toUpperCase()), invalid('control token', inWords('a wrong one'))],
      [bearer(TOKEN.slice(0, -1)), invalid('control token', inWords('a wrong one'))],
      [bearer(`${TOKEN}x`), invalid('control token', inWords('a wrong one'))],
      [bearer(`${TOKEN} x`), missing('control token')],
      [{ 'x-control-token': TOKEN }, missing('control token')],
    ])('%j is 401, also on the machine itself', async (headers, words) => {
      const api = await openSandbox({ over, controlToken: TOKEN })
      const answers = [
        await api.get(path, { headers }),
        await api.post(`${path}/advance`, { by: '1h' }, { headers }),
        await api.get('/_sandbox/nowhere', { headers }),
        await api.get(`${path}?token=${TOKEN}`, { headers, key: keys.full }),
      ]
      for (const answer of answers) {
        expectRefusal(answer, 401, '4011', words, 'authorization: Bearer <token>')
        expect(answer.headers.get('www-authenticate')).toBe('Bearer')
        expect(JSON.stringify(answer.body)).not.toContain(TOKEN.slice(1, -1))
      }
      expect(api.sandbox.now).toBe('2026-06-15T09:00:00.000Z')
    })

    test('the service asks for no token', async () => {
      const api = await openSandbox({ over, controlToken: TOKEN })
      expect((await api.get('/onboarding/api/v1/users/all')).status).toBe(200)
    })
  })

  test.each(['health', 'ready'])('%s is open to everybody', async (name) => {
    const path = `/_sandbox/${name}`
    const api = await openSandbox({ over, controlToken: TOKEN })
    const given = { host: 'evil.example', origin: 'https://evil.example', ...bearer('wrong') }
    for (const headers of [{}, given]) {
      expect((await api.get(path, { headers })).status).toBe(200)
      expect((await api.call('HEAD', path, { headers })).status).toBe(200)
    }
    expectRefusal(await api.post(path), 401, '4011')
  })
})

test.each([
  'evil.example#localhost',
  'evil.example/localhost',
  'localhost:4020:4020',
  'user@localhost',
  'localhost:',
  'localhost:999999',
  '',
])('Host %j, which the server lets nobody send, is refused too', async (host) => {
  const api = await openSandbox()
  expectRefusal(await api.get(path, { headers: { host } }), 403, '4031')
})

describe('which world', () => {
  test.each(Object.entries(keys))('by a key that is %s', async (name, key) => {
    const api = await openSandbox()
    const answer = await api.get(path, { key })
    if (name === 'unknown') expectRefusal(answer, 401, '4101', 'API key not found')
    else expect(answer.status).toBe(200)
  })

  test.each(['', 'x', 'Ω'])('by %j, which is no key', async (text) => {
    const api = await openSandbox()
    const key = Buffer.from(text).toString('latin1')
    expectRefusal(await api.get(path, { key }), 401, '4101')
  })
})
