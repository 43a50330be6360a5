import { describe, expect, it } from 'vitest'
import { nearest } from './nearest.js'

const WORDS = ['port', 'host', 'fixtures', 'scenario', 'control-token']

describe('nearest', () => {
  it.each([
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
  ])('%s is most like %s', (given, word) => expect(nearest(given, WORDS)).toBe(word))

  it.each(['verbose', 'x', 'help-me-out', ''])('%s is like none', (given) =>
    expect(nearest(given, WORDS)).toBeUndefined(),
  )

  it('takes the nearest, and the first of two that are as near', () => {
    expect(nearest('abcd', ['abxx', 'abcx', 'abc'])).toBe('abcx')
    expect(nearest('abcd', ['abxd', 'abcd', 'abcx'])).toBe('abcd')
  })

  it('has none among no words', () => expect(nearest('port', [])).toBeUndefined())
})

it('does not compare what is far too long', () => {
  expect(nearest('x'.repeat(10_000_000), WORDS)).toBeUndefined()
})
