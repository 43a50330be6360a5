import { expect, test } from 'vitest'
import { timerLoopError } from './timer-loop-error.js'
import type { ActionPlan } from './timers.js'

const plan = (scenario: string, rule = 0): ActionPlan => ({
  subject: 'a',
  scenario,
  rule,
  source: `${scenario}.yaml:${rule + 1}`,
  steps: [],
})

/** So many plans of each scenario, as they were begun. */
const fired = (times: Readonly<Record<string, number>>): ActionPlan[] =>
  Object.entries(times).flatMap(([name, n]) => Array.from({ length: n }, () => plan(name)))

const named = (plans: readonly ActionPlan[]): string[] =>
  [...timerLoopError(plans, plan('next'), 'long').message.matchAll(/of scenario (\w+)/g)].map(
    ([, name = '']) => name,
  )

test('timerLoopError names a rule with its place', () => {
  const error = timerLoopError(fired({ a: 3 }), plan('next'), '10,000 firings at one instant')
  expect(error.rule).toBe('a/0')
  expect(error.message).toBe(
    'Timers still start timers after 10,000 firings at one instant: rule 0 of scenario a (a.yaml:1). ' +
      'The changes stay; the next timer is dropped.',
  )
})

test('timerLoopError names two rules in one sentence', () => {
  const error = timerLoopError([plan('a'), plan('a', 1), plan('a', 1)], plan('next'), 'long')
  expect(error.rule).toBe('a/1')
  expect(error.message).toContain(
    'rule 1 of scenario a (a.yaml:2) and rule 0 of scenario a (a.yaml:1). The changes stay',
  )
})

test('timerLoopError names the rule of the next timer if no plan has started', () => {
  expect(timerLoopError([], plan('next'), 'long').rule).toBe('next/0')
})

test.each<[Record<string, number>, string[]]>([
  [{ a: 2, b: 8 }, ['b', 'a']],
  [{ a: 8, b: 1 }, ['a']],
  [{ a: 1, b: 4, c: 2 }, ['b', 'c', 'a']],
  [{ a: 5, b: 1 }, ['a']],
  [{ a: 1, b: 1, c: 1, d: 1, e: 1, f: 1 }, ['a', 'b', 'c', 'd', 'e']],
])('timerLoopError names of %j the most frequent first: %j', (times, names) => {
  expect(named(fired(times))).toEqual(names)
})
