import { describe, expect, it } from 'vitest'
import './engine.js'
import type { Conditions } from './conditions.js'
import { matcherOf, viewOf } from './match.js'

const transfer = {
  id: 'a',
  target_currency: 'EUR',
  source_amount: '100.00',
  rate: '-0.50',
  reason: null,
  sharing: true,
  count: 3,
  masked: '****0100',
  version: '1e2',
  made_at: '2026-06-15T09:00:00.000Z',
  user: { last_name: 'Okafor', address: { country: 'NGA' } },
}

describe('matcherOf', () => {
  it.each<[Conditions | undefined]>([
    [{ target_currency: 'EUR' }],
    [{ target_currency: ['USD', 'EUR'] }],
    [{ source_amount: 100 }],
    [{ source_amount: '100.00' }],
    [{ source_amount: [5, 100] }],
    [{ rate: -0.5 }],
    [{ reason: null }],
    [{ reason: [null, 'closed'] }],
    [{ sharing: true }],
    [{ count: 3 }],
    [{ target_currency: 'EUR', source_amount: 100, sharing: true }],
    [{ source_amount: { gte: 100 } }],
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
    [{ user: { last_name: 'Okafor' } }],
    [{ user: { address: { country: { in: ['NGA'] } } } }],
    [{}],
    [undefined],
  ])('%j matches', (conditions) => expect(matcherOf(conditions)(viewOf(transfer))).toBe(true))

  it.each<[Conditions, string]>([
    [{ target_currency: 'eur' }, 'another case'],
    [{ target_currency: ['USD', 'KES'] }, 'none of the list'],
    [{ source_amount: '100' }, 'another text, though the same amount'],
    [{ source_amount: 100.01 }, 'another amount'],
    [{ reason: 'null' }, 'a text'],
    [{ reason: false }, 'false'],
    [{ sharing: 'true' }, 'a text'],
    [{ count: '3' }, 'a text'],
    [{ masked: 100 }, 'no amount'],
    [{ version: 100 }, 'no plain amount'],
    [{ nothing: null }, 'a field that is not there'],
    [{ target_currency: 'EUR', source_amount: 1 }, 'only one of two'],
    [{ source_amount: { gt: 100 } }, 'the same amount'],
    [{ source_amount: { gt: 5, lt: 100 } }, 'beyond one of two bounds'],
    [{ masked: { gt: 5 } }, 'no amount'],
    [{ made_at: { gt: 5 } }, 'a text and a number'],
    [{ count: { gt: 'a' } }, 'a number and a text'],
    [{ reason: { lt: 5 } }, 'nothing'],
    [{ target_currency: { matches: '^e' } }, 'another case'],
    [{ count: { matches: '3' } }, 'no text'],
    [{ masked: { starts_with: '0' } }, 'another beginning'],
    [{ count: { ends_with: '3' } }, 'no text'],
    [{ count: { exists: false } }, 'a field that is there'],
    [{ user: { last_name: 'Nobody' } }, 'another user'],
    [{ nobody: { last_name: 'Okafor' } }, 'nobody at all'],
    [{ toString: { exists: true } }, 'what every object inherits'],
  ])('%j does not match: %s', (conditions) =>
    expect(matcherOf(conditions)(viewOf(transfer))).toBe(false),
  )
})

describe('a pattern', () => {
  const matches = (pattern: string, text: string) =>
    matcherOf({ it: { matches: pattern } })(() => text)

  it('takes time that grows with the text only, however it is written', () => {
    expect(matches('^(a+)+$', `${'a'.repeat(900)}!`)).toBe(false)
    expect(matches('(a*)*(a*)*(a*)*b', 'a'.repeat(1_000))).toBe(false)
  })

  it('looks at the first thousand characters', () => {
    expect(matches('b', `${'a'.repeat(999)}b`)).toBe(true)
    expect(matches('b', `${'a'.repeat(1_000)}b`)).toBe(false)
  })
})
