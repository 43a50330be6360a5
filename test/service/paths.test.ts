import { describe, expect, test } from 'vitest'
import { expectRefusal } from '../support/client.js'
import { keys } from '../support/fixture-ids.js'
import { openSandbox, transports } from '../support/open-sandbox.js'
import { documents } from '../support/openapi-documents.js'

/** Every path of the document with its methods; parameters are filled with anything at all. */
const paths = Object.entries(documents['service.json'].paths).map(
  ([template, operations]): [string, string[]] => [
    template.replace(/\{\w+\}/g, 'anything'),
    Object.keys(operations).map((method) => method.toUpperCase()),
  ],
)
const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']

describe.each(transports)('paths of the service over %s', (over) => {
  test.each(paths)('%s by another method is 404, behind the door', async (path, methods) => {
    const api = await openSandbox({ over })
    const allowed = methods.includes('GET') ? [...methods, 'HEAD'] : methods
    const others = METHODS.filter((method) => !methods.includes(method))
    expect(others.length).toBeGreaterThan(3)
    for (const method of others) {
      const answer = await api.call(method, path)
      const words = `Invalid method: got ${method}. Expected ${allowed.join(', ')} for ${path}`
      expectRefusal(answer, 404, '4040', words)
      expectRefusal(await api.call(method, path, { key: null }), 403, '4030')
      expectRefusal(await api.call(method, path, { key: keys.expired }), 401, '4102')
    }
  })

  test('a read-only key learns 4300 before 404, for the methods that change', async () => {
    const api = await openSandbox({ over })
    const path = '/onboarding/api/v1/users/all'
    const options = { key: keys.readOnly }
    for (const method of ['POST', 'PATCH', 'DELETE']) {
      expectRefusal(await api.call(method, path, options), 403, '4300')
    }
    expectRefusal(await api.call('PUT', path, options), 404, '4040')
  })

  test.each([
    '/payment',
    '/payment/',
    '/payment/api/v1',
    '/payment/api/v2/payout',
    '/payment/api/v1/payouts',
    '/payment/api/v1/payout/',
    '/payment/api/v1//payout',
    '/payment/api/v1/PAYOUT',
    '/payment/api/v1/offramp-audit',
    '/onboarding/api/v1/users/all/',
    '/onboarding/api/v1/tnc;v=1',
    '/onboarding',
    '/payment/%ff%fe',
    '/payment/__proto__',
    `/payment/${'x'.repeat(5_000)}`,
  ])('%.60s is no path: the door first, then 404', async (path) => {
    const api = await openSandbox({ over })
    const seen = new URL(path, 'http://localhost').pathname
    for (const method of ['GET', 'POST', 'DELETE', 'OPTIONS']) {
      expectRefusal(await api.call(method, seen, { key: null }), 403, '4030')
      expectRefusal(await api.call(method, seen, { key: keys.suspended }), 401, '4103')
      expectRefusal(await api.call(method, seen), 404, '4040', 'Unknown path ')
    }
    expectRefusal(await api.post(seen, {}, { key: keys.readOnly }), 403, '4300')
  })

  test.each(paths)('HEAD of %s is answered where GET is, without a body', async (path, methods) => {
    const api = await openSandbox({ over })
    const head = await api.call('HEAD', path)
    const get = await api.call('GET', path)
    expect(head.status).toBe(get.status)
    expect(head.status === 404).toBe(!methods.includes('GET'))
    expect((await api.call('HEAD', path, { key: null })).status).toBe(403)
    expect((await api.call('HEAD', path, { key: keys.readOnly })).status).toBe(get.status)
  })

  test('every request has an id of its own', async () => {
    const api = await openSandbox({ over })
    const ids = new Set<string | null>()
    for (let n = 0; n < 20; n++) {
      const headers = { 'x-request-id': '00000000-0000-4000-8000-000000000000' }
      const answer = await api.get('/onboarding/api/v1/users/all', { headers })
      ids.add(answer.headers.get('x-request-id'))
    }
    expect(ids.size).toBe(20)
  })

  test('a query does not show in the path of an error', async () => {
    const api = await openSandbox({ over })
    const answer = await api.get('/payment/api/v1/nowhere?secret=1#part')
    expect(answer.body).toMatchObject({
      path: '/payment/api/v1/nowhere',
      resourcePath: '/payment/{proxy+}',
    })
    expect(JSON.stringify(answer.body)).not.toContain('secret')
  })

  test.each([
    ['/payment/api/v1/fx-audit/caf%C3%A9', 400],
    ['/payment/api/v1/fx-audit/%20a', 400],
    ['/payment/api/v1/fx-audit/a%2Fb', 400],
    ['/payment/api/v1/fx-audit/%ff%41', 400],
    ['/payment/api/v1/%6Eowhere', 404],
    ['/payment/api/v1/payou%74', 404],
  ])('the path of an error is %s as it was called', async (path, status) => {
    const api = await openSandbox({ over })
    const answer = await api.get(`${path}?size=%31`)
    expect(answer.status).toBe(status)
    expect(answer.body).toMatchObject({ path })
    expect((await api.get(path, { key: null })).body).toMatchObject({ path })
  })
})

const operations = paths.flatMap(([path, methods]) =>
  methods.map((method) => [method, path] as const),
)

test.each(operations)(
  '%s %s is refused for its key before its body is read',
  async (method, path) => {
    const api = await openSandbox({ bodyLimit: 16 })
    const headers = { 'content-type': 'text/plain' }
    const body = method === 'POST' ? { headers, raw: 'no JSON, and longer than the limit' } : {}
    const refused = async (key: string | null, status: number, code: string) =>
      expectRefusal(await api.call(method, `${path}?page=-1`, { key, ...body }), status, code)
    await refused(null, 403, '4030')
    await refused('x', 403, '4100')
    await refused(keys.unknown, 401, '4101')
    await refused(keys.expired, 401, '4102')
    await refused(keys.suspended, 401, '4103')
    if (method === 'POST') await refused(keys.readOnly, 403, '4300')
  },
)

test.each(operations.filter(([method]) => method === 'POST'))(
  '%s %s reads JSON only',
  async (method, path) => {
    const api = await openSandbox()
    const send = (type: string) =>
      api.call(method, path, { headers: { 'content-type': type }, raw: '{' })
    expectRefusal(await send('text/plain'), 400, '4000', '"text/plain"')
    expectRefusal(await send('application/json'), 400, '4004')
  },
)
