import { expect, test } from 'vitest'
import { openSandbox, transports } from '../support/open-sandbox.js'

test.each(transports)(
  'pages and assets are for pages of this origin alone, over %s',
  async (over) => {
    const { carry } = await openSandbox({ over })
    for (const path of [
      '/',
      '/users',
      '/console/style.css',
      '/console/client.js',
      '/reference',
      '/reference/start.js',
      '/openapi.json',
      '/nowhere',
    ]) {
      const { headers } = await carry(path, { headers: { accept: 'text/html' } })
      const policies = [
        headers.get('cross-origin-resource-policy'),
        headers.get('x-content-type-options'),
      ]
      expect([path, ...policies]).toEqual([path, 'same-origin', 'nosniff'])
    }
  },
)

test.each(transports)('control answers are neither sniffed nor cached, over %s', async (over) => {
  const { carry } = await openSandbox({ over })
  for (const [path, status] of [
    ['/_sandbox/clock', 200],
    ['/_sandbox/health', 200],
    ['/_sandbox/nowhere', 404],
    ['/_sandbox/users?size=x', 400],
    ['/_sandbox/requests.har', 200],
    ['/_sandbox/assumptions/report', 200],
    ['/_sandbox/requests/stream', 200],
  ] as const) {
    const answer = await carry(path, {})
    await answer.body?.cancel()
    expect([path, answer.status]).toEqual([path, status])
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
    expect(answer.headers.get('cache-control')).toMatch(/^no-(store|cache)$/)
  }
})

test.each(transports)('answers of the service are not sniffed, over %s', async (over) => {
  const { carry } = await openSandbox({ over })
  for (const path of ['/onboarding/api/v1/users/all', '/payment/nowhere']) {
    const { headers } = await carry(path, {})
    expect(headers.get('x-content-type-options')).toBe('nosniff')
  }
})
