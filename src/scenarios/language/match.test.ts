import { describe, expect, test } from 'vitest'
import '../language/re2.js'
import type { Conditions } from '../language/conditions.js'
import { requestFields, subjectFields } from './fields.js'
import { createFieldReader, createMatcher } from './match.js'

const transfer = {
  id: 'a',
  target_currency: 'EUR',
  source_amount: '100.00',
  rate: '-0.50',
  reason: null,
  sharing: true,
  count: 3,
  masked: '****0100',
  phone: '+2348012345678',
  version: '1e2',
  endless: Number.POSITIVE_INFINITY,
  bankName: 'Kuda',
  made_at: '2026-06-15T09:00:00.000Z',
  user: { last_name: 'Okafor', address: { country: 'NGA' } },
}

describe('createMatcher', () => {
  test.each<[Conditions | undefined]>([
    [{ target_currency: 'EUR' }],
    [{ target_currency: ['USD', 'EUR'] }],
    [{ source_amount: 100 }],
    [{ source_amount: [5, 100] }],
    [{ rate: -0.5 }],
    [{ phone: 2348012345678 }],
    [{ reason: null }],
    [{ reason: [null, 'closed'] }],
    [{ count: 3 }],
    [{ target_currency: 'EUR', source_amount: 100, sharing: true }],
    [{ source_amount: { gt: '99.99', lt: 100.01 } }],
    [{ source_amount: { lte: '100' } }],
    [{ source_amount: { eq: 100, ne: 101 } }],
    [{ target_currency: { ne: 'USD' } }],
    [{ target_currency: { in: ['USD', 'EUR'] } }],
    [{ target_currency: { matches: '^E.R$' } }],
    [{ masked: { starts_with: '****', ends_with: '0100' } }],
    [{ made_at: { gte: '2026-06-15T00:00:00.000Z', lt: '2026-06-16T00:00:00.000Z' } }],
    [{ reason: { exists: false } }],
    [{ nothing: { exists: false } }],
    [{ count: { exists: true } }],
    [{ target_currency: { gt: 'EUQ', lt: 'EUS' } }],
    [{ user: { address: { country: { in: ['NGA'] } } } }],
    [{}],
    [undefined],
  ])('%j matches', (conditions) =>
    expect(createMatcher(conditions)(createFieldReader(transfer))).toBe(true),
  )

  test.each<[Conditions, string]>([
    [{ target_currency: 'eur' }, 'another case'],
    [{ target_currency: ['USD', 'KES'] }, 'none of the list'],
    [{ source_amount: '100' }, 'another text, though the same amount'],
    [{ source_amount: 100.01 }, 'another amount'],
    [{ phone: '2348012345678' }, 'another text, though the same number'],
    [{ reason: 'null' }, 'a text'],
    [{ reason: false }, 'false'],
    [{ count: '3' }, 'a text'],
    [{ masked: 100 }, 'no amount'],
    [{ version: 100 }, 'no plain amount'],
    [{ nothing: null }, 'a field that is not there'],
    [{ target_currency: 'EUR', source_amount: 1 }, 'only one of two'],
    [{ source_amount: { gt: 100 } }, 'the same amount'],
    [{ source_amount: { gt: 5, lt: 100 } }, 'beyond one of two bounds'],
    [{ masked: { gt: 5 } }, 'no amount'],
    [{ made_at: { gt: 5 } }, 'a text and a number'],
    [{ reason: { lt: 5 } }, 'nothing'],
    [{ target_currency: { matches: '^e' } }, 'another case'],
    [{ count: { matches: '3' } }, 'no text'],
    [{ masked: { starts_with: '0' } }, 'another beginning'],
    [{ count: { exists: false } }, 'a field that is there'],
    [{ user: { last_name: 'Nobody' } }, 'another user'],
    [{ nobody: { last_name: 'Okafor' } }, 'nobody at all'],
    [{ nobody: {} }, 'nobody at all, of whom nothing is asked'],
    [{ target_currency: { gt: '5' } }, 'no amount'],
    [{ target_currency: { gt: 'EUR' } }, 'the same text'],
    [{ target_currency: { lt: 'EUR' } }, 'the same text'],
    [{ target_currency: { gt: 'USD' } }, 'a text that comes before'],
    [{ target_currency: { lt: 'CHF' } }, 'a text that comes after'],
    [{ reason: { gte: 'a' } }, 'nothing'],
    [{ reason: { text: 'closed' } }, 'nothing, where an object is asked for'],
    [{ count: { starts_with: '3' } }, 'no text'],
    [{ masked: { ends_with: '1' } }, 'another ending'],
    [{ user: { last_name: 'Okafor', first_name: 'Nobody' } }, 'only one of two of a user'],
    [{ endless: { gte: 1 } }, 'a number without end, as 1e999 is read'],
    [{ toString: { exists: true } }, 'an inherited property'],
  ])('%j does not match: %s', (conditions) =>
    expect(createMatcher(conditions)(createFieldReader(transfer))).toBe(false),
  )
})

describe('a condition on an amount', () => {
  const amount = { kind: 'amount', description: '' } as const
  const account = { kind: { number: { kind: 'value', description: '' } }, description: '' } as const
  const fields = { amount, came: amount, account }
  const payout = { amount: '1500.00', came: null, account: { number: '0690' } }
  const matches = (conditions: Conditions) =>
    createMatcher(conditions, fields)(createFieldReader(payout))

  test.each<[Conditions]>([
    [{ amount: '1500' }],
    [{ amount: '1500.0' }],
    [{ amount: ['5', '1500'] }],
    [{ amount: { eq: '1500' } }],
    [{ amount: { in: ['1500'] } }],
    [{ amount: { ne: '1500.01' } }],
    [{ amount: { gte: '1500' } }],
    [{ came: null }],
    [{ came: { ne: '0' } }],
    [{ account: { number: '0690' } }],
  ])('%j matches', (conditions) => expect(matches(conditions)).toBe(true))

  test.each<[Conditions]>([
    [{ amount: { ne: '1500' } }],
    [{ amount: '1500.01' }],
    [{ amount: null }],
    [{ came: '0' }],
    [{ account: { number: '690' } }],
  ])('%j does not match', (conditions) => expect(matches(conditions)).toBe(false))
})

describe('a condition on a currency, token or chain', () => {
  const account = { currency: 'NGN', nickname: 'ngn', crypto: null }
  const offramp = { blockchain: 'polygon', account }
  const matches = (conditions: Conditions) =>
    createMatcher(conditions, subjectFields.offramps)(createFieldReader(offramp))

  test.each<[Conditions]>([
    [{ account: { currency: 'ngn' } }],
    [{ account: { currency: ['eur', 'ngn'] } }],
    [{ account: { currency: { eq: 'ngn' } } }],
    [{ account: { currency: { in: ['Ngn'] } } }],
    [{ account: { currency: { ne: 'eur' } } }],
    [{ blockchain: 'Polygon' }],
  ])('%j matches in any case', (conditions) => expect(matches(conditions)).toBe(true))

  test.each<[Conditions]>([
    [{ account: { currency: { ne: 'ngn' } } }],
    [{ account: { currency: 'eur' } }],
    [{ account: { currency: null } }],
    [{ account: { crypto: 'USDC' } }],
    [{ account: { nickname: 'NGN' } }],
  ])('%j does not match', (conditions) => expect(matches(conditions)).toBe(false))
})

describe('a condition on headers', () => {
  const request = { headers: { 'x-tenant': 'a' } }
  const matches = (headers: Conditions) =>
    createMatcher({ headers }, requestFields)(createFieldReader(request))

  test.each(['x-tenant', 'X-Tenant', 'X-TENANT'])('matches names in any case: %s', (name) => {
    expect(matches({ [name]: 'a' })).toBe(true)
    expect(matches({ [name]: 'A' })).toBe(false)
  })
})

describe('a bound that is a date-time', () => {
  const noon = (condition: object) =>
    createMatcher({ at: condition } as Conditions)(() => '2026-06-15T12:00:00.000Z')

  test.each([
    { gte: '2026-06-15T12:00:00Z' },
    { lte: '2026-06-15T12:00Z' },
    { gt: '2026-06-15T13:00:00+02:00' },
    { lt: '2026-06-15T12:30:00-00:30' },
    { gt: '2026-06-15' },
  ])('compares instants: %j', (condition) => expect(noon(condition)).toBe(true))

  test.each([
    { gt: '2026-06-15T14:00:00+02:00' },
    { lt: '2026-06-15T12:00:00Z' },
    { lt: '2026-02-30T99:00:00Z' },
  ])('does not match: %j', (condition) => expect(noon(condition)).toBe(false))
})

describe('a pattern', () => {
  const matches = (pattern: string, text: string) =>
    createMatcher({ it: { matches: pattern } })(() => text)

  test('takes linear time for any pattern', () => {
    expect(matches('^(a+)+$', `${'a'.repeat(900)}!`)).toBe(false)
    expect(matches('(a*)*(a*)*(a*)*b', 'a'.repeat(1_000))).toBe(false)
  })

  test('sees the first thousand characters', () => {
    expect(matches('b', `${'a'.repeat(999)}b`)).toBe(true)
    expect(matches('b', `${'a'.repeat(1_000)}b`)).toBe(false)
  })
})
