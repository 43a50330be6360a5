import { expect, test } from 'vitest'
import { DECISIONS, describeDecision } from './decided.js'
import { isAssumption } from './ids.js'
import { parseReadings } from './parse.js'

const ids = DECISIONS.flatMap((decision) => decision.ids)

test('a decided question is no open one, and is decided once', () => {
  expect(ids.filter(isAssumption)).toEqual([])
  expect(ids).toHaveLength(new Set(ids).size)
})

test.each([
  [
    'payout.rail=provider',
    'payout.rail is decided, see "Decided so" in FIDELITY.md: the rail of a payout: that of the wallet provider in bank_name, else the bank rail',
  ],
  [
    'user.email=second',
    'user.email is part of user.duplicate, whose readings are refused and second',
  ],
  ['chain.spelling=lower', 'chain.spelling=lower is chain.spelling=any_case now'],
])('%s of an earlier version is refused with what replaces it', (text, message) => {
  expect(() => parseReadings([text])).toThrow(message)
})

test('a name that no version has is not explained', () => {
  expect(describeDecision('payout.repaet')).toBeUndefined()
  expect(describeDecision('toString')).toBeUndefined()
})
