import { expect, test } from 'vitest'
import { type ActionPlan, afterPoll, timerAt } from './timers.js'

const plan: ActionPlan = {
  subject: 'a',
  scenario: 'painter',
  rule: 2,
  source: 'painter.yaml:7',
  steps: [{ after_ms: 0, after_reads: 2, command: 'paint', input: {} }],
}

test('a timer that waits for status requests is due with the last one, without a cascade', () => {
  const timer = timerAt(plan, 0, { now: 1_000, count: 3, cascadeDepth: 7, setter: undefined }, 0)
  expect(timer).toMatchObject({ id: '3.0', due: null, reads: 2, chain: 0, generation: 1 })
  const once = afterPoll(timer, 2_000)
  expect(once).toEqual({ ...timer, reads: 1 })
  const { reads, ...rest } = once
  expect(afterPoll(once, 3_000)).toEqual({ ...rest, due: 3_000 })
})
