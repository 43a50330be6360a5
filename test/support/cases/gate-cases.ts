import { describe, expect, test } from 'vitest'
import { expectRefusal } from '../client.js'
import { BEGINNING, keys } from '../fixture-ids.js'
import { openSandbox } from '../open-sandbox.js'
import { footprint, type Place } from './subject.js'

/** Key, status, code, and the contract's message word for word, in the contract's order. */
const CLOSED: readonly [string, string | null, number, string, string][] = [
  ['no key', null, 403, '4030', 'Missing authentication token'],
  ['an empty key', '', 403, '4100', 'Invalid API key format'],
  ['31 characters', keys.full.slice(1), 403, '4100', 'Invalid API key format'],
  ['33 characters', `${keys.full}0`, 403, '4100', 'Invalid API key format'],
  ['a dash', keys.full.replace('Full', 'Ful-'), 403, '4100', 'Invalid API key format'],
  ['a blank inside', keys.full.replace('Full', 'Fu l'), 403, '4100', 'Invalid API key format'],
  ['two keys', `${keys.full}, ${keys.full}`, 403, '4100', 'Invalid API key format'],
  ['an unknown key', keys.unknown, 401, '4101', 'API key not found'],
  ['a key in lower case', keys.full.toLowerCase(), 401, '4101', 'API key not found'],
  ['an expired key', keys.expired, 401, '4102', 'API key has expired'],
  ['a suspended key', keys.suspended, 401, '4103', 'API key is inactive'],
  ['a deactivated key', keys.deactivated, 401, '4103', 'API key is inactive'],
]

/** Authentication: it comes before every other check of every operation. */
export const gateCases = ({ over, subject }: Place): void => {
  const { method, path, body, success } = subject

  describe('gate', () => {
    test.each(CLOSED)('%s', async (_, key, status, code, message) => {
      const api = await openSandbox({ over, bodyLimit: 16 })
      const before = footprint(api)
      const answer = await api.call(method, path, { key, body: body?.() })
      expectRefusal(answer, status, code)
      expect(answer.body).toHaveProperty('message', message)
      // The door speaks before anything else is looked at.
      const headers = { 'content-type': 'text/plain' }
      const wrong = body ? { headers, raw: 'not JSON, and longer than the limit' } : {}
      expectRefusal(await api.call(method, `${path}?page=-1`, { key, ...wrong }), status, code)
      expect(footprint(api)).toEqual(before)
    })

    test('a read-only key reads, and does not change', async () => {
      const api = await openSandbox({ over })
      const before = footprint(api)
      const answer = await api.call(method, path, { key: keys.readOnly, body: body?.() })
      if (method === 'GET') expect(answer.status).toBe(success)
      else expectRefusal(answer, 403, '4300', 'Insufficient permissions to access resource')
      expect(footprint(api)).toEqual(before)
    })

    test('a key works until the instant at which it expires', async () => {
      const api = await openSandbox({ over })
      const expires_at = new Date(Date.parse(BEGINNING) + 3_600_000).toISOString()
      const created = await api.post<{ secret: string }>('/_sandbox/api-keys', {
        name: 'Short-lived',
        expires_at,
      })
      const { secret } = created.body
      const call = () => api.call(method, path, { key: secret, body: body?.() })
      api.sandbox.advance('59m')
      api.sandbox.advance('59999ms')
      expect((await call()).status).toBe(success)
      api.sandbox.advance('1ms')
      expectRefusal(await call(), 401, '4102', 'API key has expired')
    })
  })
}
