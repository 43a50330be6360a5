import { describe, expect, test } from 'vitest'
import type { Answer } from './support/client.js'
import { expectRefusal } from './support/client.js'
import { keys } from './support/fixture-ids.js'
import { openSandbox, type Transport, transports } from './support/open-sandbox.js'
import { sendRaw } from './support/raw-socket.js'
import { consentRequest, payoutRequest, userRequest } from './support/requests.js'

/**
 * What nobody sends by accident. The client holds every answer against what is promised of all: below 500,
 * the error body, no stack trace. Afterwards the sandbox still serves.
 */

const PAYOUT = '/payment/api/v1/payout'
const CREATE_USER = '/onboarding/api/v1/users'
const CONSENT = '/onboarding/api/v1/tnc'

const JSON_TYPE = { 'content-type': 'application/json' }

const open = async (over: Transport = 'fetch') => {
  const api = await openSandbox({ over })
  return {
    api,
    raw: (path: string, raw: string) => api.call('POST', path, { raw, headers: JSON_TYPE }),
    serves: async () => {
      expect((await api.get('/_sandbox/health')).status).toBe(200)
      expect(api.sandbox.audit().violations).toEqual([])
    },
  }
}

type Json = unknown

/** Every variant of a value in which one of its objects has one more field. */
const withEach = (value: Json, text: string): string[] => {
  if (typeof value !== 'object' || value === null) return []
  const inner = Object.entries(value).flatMap(([key, held]) =>
    withEach(held, text).map((changed) => withField(value, key, changed)),
  )
  if (Array.isArray(value)) return inner
  return [`{${text},${JSON.stringify(value).slice(1)}`, ...inner]
}

/** An object or array as JSON, with the JSON of one of its fields given. */
const withField = (value: object, field: string, json: string): string => {
  const texts = Object.entries(value).map(([key, held]) => {
    const text = key === field ? json : JSON.stringify(held)
    return Array.isArray(value) ? text : `${JSON.stringify(key)}:${text}`
  })
  return Array.isArray(value) ? `[${texts.join()}]` : `{${texts.join()}}`
}

/** Every variant of a value in which one of its strings is another. */
const withString = (value: Json, make: (text: string) => string): Json[] => {
  if (typeof value === 'string') return [make(value)]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, held]) =>
    withString(held, make).map((changed) => {
      if (!Array.isArray(value)) return { ...value, [key]: changed }
      return value.map((it: Json, i) => (String(i) === key ? changed : it))
    }),
  )
}

const BODIES: readonly [string, string, () => object][] = [
  ['createUser', CREATE_USER, userRequest],
  ['createPayout', PAYOUT, payoutRequest],
]

const POLLUTIONS = [
  '"__proto__":{"polluted":"yes","status":"APPROVED"}',
  '"constructor":{"prototype":{"polluted":"yes"}}',
  '"prototype":{"polluted":"yes"}',
  '"toString":"polluted"',
  '"hasOwnProperty":null',
]

describe.each(BODIES)('prototype pollution in %s', (_, path, body) => {
  test.each(POLLUTIONS)('%s, at every level, gets nowhere', async (text) => {
    const { api, raw, serves } = await open()
    const variants = withEach(body(), text)
    expect(variants.length).toBeGreaterThan(1)
    for (const variant of variants) {
      expect(() => JSON.parse(variant)).not.toThrow()
      const answer = await raw(path, variant)
      expect(answer.status).toBeLessThan(500)
      expect(JSON.stringify(answer.body)).not.toContain('"polluted":')
    }
    expect(({} as Record<string, unknown>).polluted).toBeUndefined()
    expect(Object.getOwnPropertyNames(Object.prototype)).not.toContain('polluted')
    expect({}.toString()).toBe('[object Object]')
    const { users, payouts } = api.sandbox.tables
    const records = JSON.stringify([users.all(), payouts.all()])
    expect(records).not.toContain('polluted')
    await serves()
  })
})

const DEEP = 100_000

describe.each(transports)('bodies, over %s', (over) => {
  test.each<[string, string]>([
    ['100,000 nested arrays', '['.repeat(DEEP) + ']'.repeat(DEEP)],
    ['100,000 nested objects', `${'{"a":'.repeat(DEEP)}1${'}'.repeat(DEEP)}`],
    ['100,000 arrays that never end', '['.repeat(DEEP)],
    ['nested arrays in a field', `{"user_id":${'['.repeat(DEEP)}${']'.repeat(DEEP)}}`],
    ['nested arrays in metadata', `{"metadata":${'['.repeat(DEEP)}${']'.repeat(DEEP)}}`],
    ['a number beyond all numbers', '{"amount":1e400}'],
    ['a number below all numbers', '{"amount":-1e400}'],
    ['a number of 100,000 digits', `{"amount":${'9'.repeat(DEEP)}}`],
    ['a text of 100,000 digits', `{"amount":"${'9'.repeat(DEEP)}"}`],
    ['an exponent of 100,000 digits', `{"amount":1e${'9'.repeat(DEEP)}}`],
    ['a NUL byte', '{"amount":"\u0000"}'],
    ['only NUL bytes', '\u0000'.repeat(100)],
    ['an escaped NUL', '{"amount":"\\u0000","user_id":"\\u0000"}'],
    ['a field named NUL', '{"\\u0000":1}'],
    ['100,000 fields', `{${Array.from({ length: DEEP }, (_, i) => `"f${i}":1`).join()}}`],
    ['the same field twice', '{"amount":"1","amount":{"__proto__":1}}'],
  ])('%s are refused', async (_, text) => {
    const { raw, serves } = await open(over)
    for (const path of [PAYOUT, CREATE_USER, CONSENT]) {
      const answer = await raw(path, text)
      expect([400, 404]).toContain(answer.status)
    }
    await serves()
  })
})

test.each<[string, number]>([
  ['1e400', 0],
  [`1${'0'.repeat(DEEP)}`, 0],
  [`0.${'0'.repeat(DEEP)}1`, 0],
])('an amount that is the number %.12s pays nothing', async (number, paid) => {
  const { api, raw, serves } = await open()
  const before = api.sandbox.tables.payouts.size
  const text = JSON.stringify(payoutRequest()).replace('"1500.00"', number)
  expectRefusal(await raw(PAYOUT, text), 400, '4000', 'amount')
  expect(api.sandbox.tables.payouts.size - before).toBe(paid)
  await serves()
})

const LONE: readonly [string, string][] = [
  ['a high surrogate', '\ud800'],
  ['a low surrogate', '\udfff'],
  ['surrogates the wrong way round', '\udc00\ud800'],
  ['a NUL', '\u0000'],
]

describe.each<[string, string, () => object]>([
  ...BODIES,
  ['createConsent', CONSENT, consentRequest],
])('strings of %s', (_, path, body) => {
  test.each(LONE)('%s in every one of them', async (__, odd) => {
    const { raw, serves } = await open()
    for (const place of [(text: string) => odd + text, (text: string) => text + odd, () => odd]) {
      for (const variant of withString(body(), place)) {
        const answer = await raw(path, JSON.stringify(variant))
        expect(answer.status).toBeLessThan(500)
      }
    }
    await serves()
  })
})

/** The status line and the body of what came over a raw connection. */
const parsed = (raw: string) => {
  const [head = '', ...rest] = raw.split('\r\n\r\n')
  const text = rest.join('\r\n\r\n')
  const json = text.slice(text.indexOf('{'), text.lastIndexOf('}') + 1)
  return { status: Number(head.split(' ')[1]), head, body: JSON.parse(json) as Answer['body'] }
}

const request = (lines: readonly string[], body = '') =>
  `${[...lines, 'connection: close'].join('\r\n')}\r\n\r\n${body}`

const KEY = `x-api-key: ${keys.full}`
const HOST = 'host: localhost'
const USERS = '/onboarding/api/v1/users/all'

describe('over a raw connection', () => {
  test.each<[string, string, number, string]>([
    [
      'a path out of the reference',
      request(['GET /reference/../../package.json HTTP/1.1', HOST, KEY]),
      404,
      '4040',
    ],
    [
      'the same, escaped',
      request(['GET /reference/..%2f..%2fpackage.json HTTP/1.1', HOST, KEY]),
      404,
      '4040',
    ],
    [
      'the same, escaped throughout',
      request(['GET /reference/%2e%2e%2fpackage.json HTTP/1.1', HOST, KEY]),
      404,
      '4040',
    ],
    [
      'the same, escaped twice',
      request(['GET /reference/%252e%252e%252fpackage.json HTTP/1.1', HOST, KEY]),
      404,
      '4040',
    ],
    [
      'backslashes',
      request(['GET /reference/..\\..\\package.json HTTP/1.1', HOST, KEY]),
      404,
      '4040',
    ],
    [
      'escaped backslashes',
      request(['GET /reference/..%5c..%5cpackage.json HTTP/1.1', HOST, KEY]),
      404,
      '4040',
    ],
    [
      'a path of the machine',
      request(['GET /reference//etc/passwd HTTP/1.1', HOST, KEY]),
      404,
      '4040',
    ],
    [
      'dots in an id',
      request(['GET /payment/api/v1/fx-audit/status/..%2f..%2fall HTTP/1.1', HOST, KEY]),
      400,
      '4000',
    ],
    [
      'an escaped NUL in a path',
      request(['GET /payment/api/v1/%00 HTTP/1.1', HOST, KEY]),
      404,
      '4040',
    ],
    [
      'an escaped NUL in an id',
      request(['GET /payment/api/v1/fx-audit/status/%00 HTTP/1.1', HOST, KEY]),
      400,
      '4000',
    ],
    [
      'an escape that is none',
      request(['GET /payment/api/v1/fx-audit/status/%zz HTTP/1.1', HOST, KEY]),
      400,
      '4000',
    ],
    [
      'an escape of no UTF-8',
      request(['GET /payment/api/v1/fx-audit/status/%ff%fe HTTP/1.1', HOST, KEY]),
      400,
      '4000',
    ],
    ['a NUL byte in a path', request([`GET ${USERS}\u0000 HTTP/1.1`, HOST, KEY]), 400, '4000'],
    [
      'a NUL byte in a header',
      request([`GET ${USERS} HTTP/1.1`, HOST, KEY, 'x: a\u0000b']),
      400,
      '4000',
    ],
    [
      'a header in a path',
      request([`GET ${USERS}%0d%0ax-injected:%20yes HTTP/1.1`, HOST, KEY]),
      404,
      '4040',
    ],
    ['two keys', request([`GET ${USERS} HTTP/1.1`, HOST, KEY, KEY]), 403, '4100'],
    [
      'a good key and a bad one',
      request([`GET ${USERS} HTTP/1.1`, HOST, KEY, 'x-api-key: x']),
      403,
      '4100',
    ],
    ['two hosts', request([`GET ${USERS} HTTP/1.1`, HOST, 'host: evil.example', KEY]), 403, '4031'],
    [
      'two lengths',
      request(
        [`POST ${CONSENT} HTTP/1.1`, HOST, KEY, 'content-length: 2', 'content-length: 3'],
        '{}',
      ),
      400,
      '4000',
    ],
    [
      'a length and chunks',
      request(
        [`POST ${CONSENT} HTTP/1.1`, HOST, KEY, 'content-length: 2', 'transfer-encoding: chunked'],
        '{}',
      ),
      400,
      '4000',
    ],
    [
      'a length below zero',
      request([`POST ${CONSENT} HTTP/1.1`, HOST, KEY, 'content-length: -2'], '{}'),
      400,
      '4000',
    ],
    [
      'a chunk of no length',
      request(
        [
          `POST ${CONSENT} HTTP/1.1`,
          HOST,
          KEY,
          'content-type: application/json',
          'transfer-encoding: chunked',
        ],
        'zz\r\n{}\r\n0\r\n\r\n',
      ),
      400,
      '4000',
    ],
    [
      'a header that goes on',
      request([`GET ${USERS} HTTP/1.1`, HOST, KEY, 'x: a', ' b: c\u0007']),
      400,
      '4000',
    ],
    ['a bare line feed', `GET ${USERS} HTTP/1.1\nhost: localhost\nx: a\rb\n\n`, 400, '4000'],
    [
      'a blank before the colon',
      request([`GET ${USERS} HTTP/1.1`, HOST, 'x-api-key : x']),
      400,
      '4000',
    ],
  ])('%s', async (_, bytes, status, code) => {
    const { api, serves } = await open()
    const { url, close } = await api.sandbox.listen()
    const came = parsed(await sendRaw(url, bytes))
    await close()
    expect({ status: came.status, code: (came.body as { code: string }).code }).toEqual({
      status,
      code,
    })
    expect(Object.keys(came.body as object).sort()).toEqual([
      'code',
      'httpMethod',
      'message',
      'path',
      'requestId',
      'resourcePath',
    ])
    expect(came.head.toLowerCase()).not.toMatch(/^x-injected/m)
    await serves()
  })

  test('two equal hosts are no way round the check either', async () => {
    const { api } = await open()
    const { url, close } = await api.sandbox.listen()
    const bytes = request(['GET /_sandbox/clock HTTP/1.1', 'host: evil.example', HOST])
    expect(parsed(await sendRaw(url, bytes))).toMatchObject({ status: 403 })
    await close()
  })
})

test('a scenario that is named with a line break gets into no header', async () => {
  const { api } = await open()
  const { url, close } = await api.sandbox.listen()
  const bytes = request([
    `GET ${USERS} HTTP/1.1`,
    HOST,
    KEY,
    'x-sandbox-scenario: a%0d%0ax-injected: b',
  ])
  const { status, head } = parsed(await sendRaw(url, bytes))
  await close()
  expect(status).toBe(400)
  expect(head).not.toMatch(/^x-injected/m)
})
