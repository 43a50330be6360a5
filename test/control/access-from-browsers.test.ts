import { describe, expect, test } from 'vitest'
import { expectRefusal } from '../support/client.js'
import { openSandbox, type Transport } from '../support/open-sandbox.js'

const ways: readonly Transport[] = ['fetch', 'http']
const path = '/_sandbox/clock'
const TOKEN = 'correct-horse-battery-staple'
const bearer = (token: string) => ({ authorization: `Bearer ${token}` })

describe.each(ways)('control API in browsers, over %s', (over) => {
  describe('from browsers', () => {
    const host = 'localhost:4020'

    test.each([
      { origin: 'http://localhost:4020' },
      { origin: 'https://localhost:4020' },
      { origin: 'http://localhost:4020', 'sec-fetch-site': 'same-origin' },
      { 'sec-fetch-site': 'same-origin' },
      { 'sec-fetch-site': 'none' },
    ])('%j is the sandbox’s own page', async (given) => {
      const api = await openSandbox({ over })
      const headers = { host, ...given }
      expect((await api.get(path, { headers })).status).toBe(200)
      expect((await api.post(`${path}/advance`, { by: '1s' }, { headers })).status).toBe(200)
    })

    test.each<Record<string, string>>([
      { origin: 'https://evil.example' },
      { origin: 'null' },
      { origin: 'http://localhost' },
      { origin: 'http://localhost:3000' },
      { origin: 'http://localhost:4020.evil.example' },
      { origin: 'http://127.0.0.1:4020' },
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
      { origin: 'http://localhost:4020', 'sec-fetch-site': 'cross-site' },
    ])('%j is another site, and refused on reads and changes', async (given) => {
      const tokens = [
        [undefined, TOKEN],
        [TOKEN, TOKEN],
        [TOKEN, 'wrong'],
      ] as const
      for (const [controlToken, sent] of tokens) {
        const api = await openSandbox({ over, ...(controlToken ? { controlToken } : {}) })
        const headers = { host, ...given, ...bearer(sent) }
        expectRefusal(await api.get(path, { headers }), 403, '4031', 'comes from another site')
        const reset = await api.post('/_sandbox/reset', undefined, { headers })
        expectRefusal(reset, 403, '4031', 'comes from another site')
      }
    })
  })
})
