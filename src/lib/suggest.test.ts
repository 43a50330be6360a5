import { describe, expect, test, vi } from 'vitest'
import { closestMatch, nearestMatches } from './suggest.js'

const WORDS = ['port', 'host', 'fixtures', 'scenario', 'control-token']

describe('nearest', () => {
  test.each([
    ['port', 'port'],
    ['prot', 'port'],
    ['PORT', 'port'],
    ['por', 'port'],
    ['hots', 'host'],
    ['fixture', 'fixtures'],
    ['scenarios', 'scenario'],
    ['senario', 'scenario'],
    ['control_token', 'control-token'],
    ['controltokens', 'control-token'],
    ['Control', 'control-token'],
    ['fixt', 'fixtures'],
  ])('%s is most like %s', (given, word) => expect(closestMatch(given, WORDS)).toBe(word))

  test.each(['verbose', 'x', 'help-me-out', ''])('%s is like none', (given) =>
    expect(closestMatch(given, WORDS)).toBeUndefined(),
  )

  test('takes the nearest, and the first of two that are as near', () => {
    expect(closestMatch('abcd', ['abxx', 'abcx', 'abc'])).toBe('abcx')
    expect(closestMatch('abcd', ['abxd', 'abcd', 'abcx'])).toBe('abcd')
  })

  test('takes no word that is one of several which what was given begins', () => {
    expect(closestMatch('PAYOUT', ['PAYOUT_PENDING', 'PAYOUT_FAILED'])).toBeUndefined()
    expect(closestMatch('res', ['respond'])).toBeUndefined()
  })

  test('has none among no words', () => expect(closestMatch('port', [])).toBeUndefined())
})

test('does not compare what is far too long', () => {
  const compared = vi.fn(() => '')
  const long = { length: 1_000_000, toLowerCase: compared } as unknown as string
  expect(closestMatch(long, WORDS)).toBeUndefined()
  expect(compared).not.toHaveBeenCalled()
})

test.each([
  ['bank-reject', ['bank-rejects']],
  ['stuck', ['stuck-in-a', 'stuck-in-b', 'stuck-in-c']],
  ['hapy', ['happy-path']],
  ['in', []],
  ['outage', []],
])('the nearest names of %s are %j', (given, nearest) => {
  const names = [
    'bank-rejects',
    'happy-path',
    ...['a', 'b', 'c', 'd'].map((it) => `stuck-in-${it}`),
  ]
  expect(nearestMatches(given, names)).toEqual(nearest)
})
