import { describe, expect, it } from 'vitest'
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
  ])('%j does not match: %s', (conditions) =>
    expect(matcherOf(conditions)(viewOf(transfer))).toBe(false),
  )
})
