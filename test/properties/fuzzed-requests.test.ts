import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { assumptionIds, readingNames } from '../../src/assumptions/ids.js'
import { PAGE_PATHS } from '../../src/console/paths.js'
import { oddValue, requestOf } from '../support/arbitraries.js'
import type { Answer, Client } from '../support/client.js'
import { keys } from '../support/fixture-ids.js'
import { openSandbox } from '../support/open-sandbox.js'
import type { DocumentName } from '../support/openapi-documents.js'

/**
 * The test client checks each response: a status below 500, JSON, a response that the document knows,
 * errors of exactly six fields without a stack trace. A slow input exceeds the time limit of its test.
 * fast-check prints the seed of a failure.
 */

const expectProof = ({ sandbox }: Client) => {
  expect(sandbox.audit().violations).toEqual([])
}

describe.each<[DocumentName, number]>([
  ['service.json', 50],
  ['control.json', 50],
])('requests that %s describes, some with one thing broken', (document, numRuns) => {
  test('are answered, and keep the ledger right', async () => {
    const api = await openSandbox()
    const statuses = new Map<number, number>()
    const property = fc.asyncProperty(
      fc.array(requestOf(document), { minLength: 1, maxLength: 6 }),
      async (requests) => {
        api.sandbox.reset()
        for (const { method, path, body } of requests) {
          const { status } = await api.call(method, path, { body })
          statuses.set(status, (statuses.get(status) ?? 0) + 1)
        }
        expectProof(api)
      },
    )
    await fc.assert(property, { numRuns })
    // Requests that are all refused alike would prove little.
    expect(statuses.get(200)).toBeGreaterThan(10)
    expect(statuses.get(400)).toBeGreaterThan(10)
  })
})

/** Some choices of readings, as a request makes them. */
const choices = fc
  .array(
    fc
      .constantFrom(...assumptionIds)
      .chain((id) => fc.constantFrom(...readingNames(id)).map((name) => `${id}=${name}`)),
    { minLength: 1, maxLength: 8 },
  )
  .map((texts) => texts.join(', '))

test('requests under any readings are answered, and keep the ledger right', async () => {
  const api = await openSandbox()
  const property = fc.asyncProperty(
    fc.array(fc.tuple(requestOf('service.json'), choices), { minLength: 1, maxLength: 6 }),
    async (requests) => {
      api.sandbox.reset()
      for (const [{ method, path, body }, reading] of requests) {
        await api.call(method, path, { body, headers: { 'x-sandbox-reading': reading } })
      }
      for (const noun of ['users', 'payouts', 'wallets', 'offramps', 'transfers']) {
        await api.read(`/_sandbox/${noun}?size=1000`)
      }
      expectProof(api)
    },
  )
  await fc.assert(property, { numRuns: 40 })
})

/** Characters that HTTP allows in the value of a header. */
const headerText = fc.string({
  unit: fc.integer({ min: 0x20, max: 0xff }).map((code) => String.fromCharCode(code)),
  maxLength: 40,
})

const key = fc.oneof(
  fc.constantFrom<(string | null)[]>(null, ...Object.values(keys)),
  headerText,
  fc.stringMatching(/^[A-Za-z0-9]{32}$/),
)

const contentType = fc.oneof(
  fc.constantFrom('application/json', 'application/json;charset=utf-16', 'text/html', ''),
  headerText,
)

const known = fc.constantFrom(
  'api',
  'v1',
  'payout',
  'custody-wallet',
  'offramp',
  'fx-audit',
  'status',
  'users',
  'all',
  'tnc',
  'clock',
  'advance',
  'transfers',
  'reset',
)
const segment = fc.oneof(
  { weight: 3, arbitrary: known },
  {
    weight: 1,
    arbitrary: fc
      .string({ unit: 'grapheme', maxLength: 12 })
      .map((text) => encodeURIComponent(text)),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      '',
      '.',
      '..',
      '%',
      '%2e',
      '%2F',
      '%zz',
      '%ff',
      ';',
      '*',
      '{id}',
      '\\',
    ),
  },
)
const face = fc.constantFrom('payment', 'onboarding', '_sandbox', 'elsewhere')
const query = fc.oneof(
  fc.constant(''),
  fc.webQueryParameters().map((text) => `?${text}`),
  fc.constantFrom(
    '?',
    '?page',
    '?page=%',
    '?page=1&page=2',
    '?__proto__=1',
    '?size[]=1',
    '?&&=',
    '?=x',
  ),
)
const PAGES = new Set(PAGE_PATHS.map((path) => path.split('/')[1]))
const isPage = (path: string): boolean => PAGES.has(path.split('/')[1] ?? '')
const path = fc
  .tuple(face, fc.array(segment, { maxLength: 7 }), query)
  .map(([first, rest, asked]) => `/${[first, ...rest].join('/')}${asked}`)
  // Dots may lead to pages of the console, which belong to neither API.
  .filter((target) => !isPage(new URL(target, 'http://localhost').pathname))

const method = fc.constantFrom(
  'GET',
  'HEAD',
  'POST',
  'PUT',
  'PATCH',
  'DELETE',
  'OPTIONS',
  'PROPFIND',
  'x',
)

describe('requests that nothing describes', () => {
  test('any method, path, query and key', async () => {
    const api = await openSandbox()
    const property = fc.asyncProperty(method, path, key, async (verb, target, secret) => {
      await api.call(verb, target, { key: secret })
    })
    await fc.assert(property, { numRuns: 75 })
    expectProof(api)
  })

  const posts = [
    '/payment/api/v1/payout',
    '/payment/api/v1/custody-wallet',
    '/payment/api/v1/offramp',
    '/onboarding/api/v1/users',
    '/onboarding/api/v1/tnc',
    '/_sandbox/clock/advance',
    '/_sandbox/deposits',
    '/_sandbox/transfers/66666666-6666-4666-8666-000000000009/advance',
  ] as const

  test('any bytes under any content type', async () => {
    const api = await openSandbox({ bodyLimit: 300 })
    const bytes = fc.oneof(
      fc.uint8Array({ maxLength: 400 }),
      fc.json().map((text) => new TextEncoder().encode(text)),
    )
    const property = fc.asyncProperty(
      fc.constantFrom(...posts),
      contentType,
      bytes,
      async (target, type, body) => {
        const raw = new Uint8Array(body)
        await api.call('POST', target, { raw, headers: { 'content-type': type } })
      },
    )
    await fc.assert(property, { numRuns: 60 })
    expectProof(api)
  })

  test('any JSON as a body', async () => {
    const api = await openSandbox()
    const property = fc.asyncProperty(fc.constantFrom(...posts), oddValue, async (target, body) => {
      const { status }: Answer = await api.post(target, body)
      // The one body of all these that an operation takes is none at all for the move of a transfer.
      if (!target.endsWith('/advance')) expect(status).toBe(400)
    })
    await fc.assert(property, { numRuns: 60 })
    expectProof(api)
  })
})
