import { describe, expect, test } from 'vitest'
import type { Tables } from '../../domain/schema.js'
import { ruleCountsLayout } from '../../kernel/rules.js'
import { Table } from '../../kernel/table.js'
import { createFieldReader } from '../language/match.js'
import { applyQuota, type RuleQuota } from './rule-quota.js'

const dosage = (given: Partial<RuleQuota>): RuleQuota => ({
  name: 'test/0',
  skip: 0,
  limit: Number.POSITIVE_INFINITY,
  per: undefined,
  chance: 1,
  isCounted: true,
  ...given,
})

/** Which of so many matches a rule fires on, and what was counted. */
const play = (given: Partial<RuleQuota>, times: number, seed = 'a', subject: object = {}) => {
  const rule_counts = new Table(ruleCountsLayout)
  const tables = { rule_counts } as unknown as Tables
  const fired = Array.from({ length: times }, () => {
    const { fires, count } = applyQuota(dosage(given), createFieldReader(subject), tables, seed)
    if (count) rule_counts.write(count.id, rule_counts.get(count.id), count)
    return fires
  })
  return { fired, counts: rule_counts.all() }
}

const places = (fired: readonly boolean[]) => fired.flatMap((it, i) => (it ? [i + 1] : []))

describe('applyQuota', () => {
  test('stops counting once it is exhausted', () => {
    expect(play({ skip: 1, limit: 2 }, 9).counts).toMatchObject([{ matched: 3, fired: 2 }])
  })

  test('derives the decision from the seed', () => {
    const of = (seed: string) => places(play({ chance: 0.3 }, 200, seed).fired)
    expect(of('a')).toEqual(of('a'))
    expect(of('a')).not.toEqual(of('b'))
    expect(of('a').length).toBeGreaterThan(35)
    expect(of('a').length).toBeLessThan(85)
  })

  test('limits firings, not random decisions', () => {
    expect(places(play({ chance: 0.3, limit: 5 }, 200).fired)).toHaveLength(5)
  })

  test('counts a missing value of `per`, and an object by its content', () => {
    const given = { limit: 1, per: 'body.id' }
    expect(play(given, 2, 'a', { body: {} }).counts).toMatchObject([{ id: 'test/0/', fired: 1 }])
    expect(play(given, 2, 'a', { body: { id: { a: 1 } } }).counts).toMatchObject([
      { id: 'test/0/{"a":1}', fired: 1 },
    ])
    expect(play(given, 2, 'a', { body: 5 }).counts).toMatchObject([{ id: 'test/0/', fired: 1 }])
  })
})
