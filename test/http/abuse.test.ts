import { expect, test } from 'vitest'
import { openSandbox } from '../support/open-sandbox.js'
import { consentRequest, payoutRequest, userRequest } from '../support/requests.js'

/**
 * Requests that nobody sends by accident. The client checks each response: below 500, the error body, no
 * stack trace. Afterwards the sandbox still serves.
 */

const PAYOUT = '/payment/api/v1/payout'
const CREATE_USER = '/onboarding/api/v1/users'
const CONSENT = '/onboarding/api/v1/tnc'

const JSON_TYPE = { 'content-type': 'application/json' }

const open = async () => {
  const api = await openSandbox()
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

test.each(BODIES)(
  'prototype pollution at every level of %s gets nowhere',
  async (_, path, body) => {
    const { api, raw, serves } = await open()
    const variants = withEach(body(), POLLUTIONS.join())
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
  },
)

const LONE = ['\ud800', '\udfff', '\udc00\ud800', '\u0000']

test.each<[string, string, () => object]>([...BODIES, ['createConsent', CONSENT, consentRequest]])(
  'lone surrogates and NUL in each string of %s are no bug',
  async (_, path, body) => {
    const { raw, serves } = await open()
    for (const odd of LONE) {
      for (const variant of withString(body(), (text) => text + odd)) {
        const answer = await raw(path, JSON.stringify(variant))
        expect(answer.status).toBeLessThan(500)
      }
    }
    await serves()
  },
)
