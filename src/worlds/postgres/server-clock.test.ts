import { expect, test } from 'vitest'
import { ServerClock } from './server-clock.js'

test('the clock of a server takes no time from a trip during which this process slept', () => {
  const clock = new ServerClock()
  clock.learn(1_001, 0, 2)
  clock.learn(101_001, 100_000, 160_000)
  expect(clock.offset).toBe(1_000)
})

test('the clock of a server follows a step of either clock, without a quick trip too', () => {
  const clock = new ServerClock()
  clock.learn(1, 0, 2)
  for (let i = 0; i < 16; i++) clock.learn(5_002, 0, 4)
  expect(clock.offset).toBe(5_000)
})
