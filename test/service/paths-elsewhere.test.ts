import { describe, expect, test } from 'vitest'
import { expectRefusal } from '../support/client.js'
import { keys } from '../support/fixture-ids.js'
import { openOwnSandbox, openSandbox, transports } from '../support/open-sandbox.js'

const ELSEWHERE = [
  '/favicon.ico',
  '/transferz',
  '/Payment/api/v1/payout',
  '/%2e%2e%2f%2e%2e%2fetc/passwd',
  '/reference/../../package.json',
  '/%',
  '/%ff%fe',
  '/<script>alert(1)</script>',
  `/${'x'.repeat(5_000)}`,
]

describe.each(transports)(
  'a path that is neither the service’s nor the sandbox’s, over %s',
  (over) => {
    test.each(ELSEWHERE)(
      '%.60s is 404 without the gate, and no traffic of the service',
      async (path) => {
        const api = await openOwnSandbox({ over })
        const seen = new URL(path, 'http://localhost').pathname
        for (const method of ['GET', 'POST', 'DELETE', 'OPTIONS']) {
          for (const key of [null, keys.full, keys.suspended, 'SandboxWorld00000000000000000042']) {
            const answer = await api.call(method, seen, { key })
            expectRefusal(
              answer,
              404,
              '4040',
              `Invalid path: got ${method} /`,
              '/payment/ or /onboarding/',
            )
            expect(answer.headers.get('x-sandbox-assumed')).toBeNull()
          }
        }
        expect(api.sandbox.requests()).toEqual([])
        const { ok } = await api.sandbox.verify([{ requests: {}, count: 0 }])
        expect(ok).toBe(true)
        expect(await api.read('/_sandbox/health')).toMatchObject({ worlds: 1 })
      },
    )

    test('a browser gets a page', async () => {
      const api = await openSandbox({ over })
      for (const path of ['/favicon.ico', '/transferz', '/<script>alert(1)</script>']) {
        const headers = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }
        const answer = await api.carry(path, { headers })
        expect(answer.status).toBe(404)
        expect(answer.headers.get('content-type')).toBe('text/html; charset=UTF-8')
        expect(answer.headers.get('content-security-policy')).toContain("default-src 'none'")
        const html = await answer.text()
        expect(html).toContain('<h1>Not found</h1>')
        expect(html).not.toContain('<script>alert')
      }
    })
  },
)

test('a path inside the prefixes still meets the gate, and is logged', async () => {
  const api = await openOwnSandbox()
  for (const path of ['/payment', '/payment/', '/onboarding/favicon.ico']) {
    expectRefusal(await api.get(path, { key: null }), 403, '4030')
    expectRefusal(await api.get(path), 404, '4040')
  }
  expect(api.sandbox.requests()).toHaveLength(6)
})

test('a rule for any request does not fire on a path outside the service', async () => {
  const api = await openOwnSandbox()
  const rule = { when: 'request', then: [{ respond: { status: 503 } }] }
  await api.make('/_sandbox/scenarios', {
    name: 'all-down',
    title: 'Nothing is up',
    rules: [rule],
  })
  await api.call('PUT', '/_sandbox/scenarios/active', { body: { names: ['all-down'] } })
  expect((await api.get('/payment/api/v1/nowhere')).status).toBe(503)
  expect((await api.get('/nowhere')).status).toBe(404)
})
