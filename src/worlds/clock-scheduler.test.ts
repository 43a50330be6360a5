import { describe, expect, test } from 'vitest'
import type { World } from '../domain/world.js'
import { TimerLoopError } from '../kernel/timer-records.js'
import { ClockScheduler } from './clock-scheduler.js'

/** A pulse whose world, machine and timers are the test's. */
const setUp = (nextDue: number | undefined, speed: number, advance: () => void = () => {}) => {
  const state = { nextDue, machine: 0 }
  const clock = { speed, world_ms: 1_000, machine_ms: 0 }
  const world = () =>
    ({ nextDue: state.nextDue, tables: { clock: { get: () => clock } } }) as unknown as World
  const bugs: unknown[] = []
  let pending: { ms: number; run: () => void } | undefined
  const pulse = new ClockScheduler({
    world,
    advance,
    machineClock: () => state.machine,
    report: (bug) => bugs.push(bug),
    schedule: (ms, run) => {
      const timer = { ms, run }
      pending = timer
      return () => {
        if (pending === timer) pending = undefined
      }
    },
  })
  const fire = () => {
    const { run } = pending ?? {}
    pending = undefined
    run?.()
  }
  return { pulse, state, clock, bugs, fire, wait: () => pending?.ms }
}

describe('a pulse', () => {
  test.each([
    [3_000, 1, 2_000],
    [3_000, 2, 1_000],
    [3_000, 0.5, 4_000],
    [1_001, 60, 1],
    [500, 1, 1],
    [9e14, 1, 2 ** 31 - 1],
  ])('with a timer due at %d and speed %d waits %d ms', (due, speed, ms) => {
    const { pulse, wait } = setUp(due, speed)
    expect(wait()).toBeUndefined()
    pulse.start()
    expect(wait()).toBe(ms)
    pulse.stop()
    expect(wait()).toBeUndefined()
  })

  test('waits again when clock or timers have changed', () => {
    const { pulse, state, clock, wait } = setUp(undefined, 1)
    pulse.follow()
    expect(wait(), 'it has not started').toBeUndefined()
    pulse.start()
    state.nextDue = 61_000
    pulse.follow()
    expect(wait()).toBe(60_000)
    clock.speed = 60
    pulse.follow()
    expect(wait()).toBe(1_000)
  })

  test('goes on after a timer loop, and reports a bug and stops', () => {
    const plan = { subject: 'a', scenario: 'test', rule: 0, source: 'test.yaml:4', steps: [] }
    const runaway = setUp(3_000, 1, () => {
      throw new TimerLoopError({ plan }, 'long')
    })
    runaway.pulse.start()
    runaway.fire()
    expect([runaway.wait(), runaway.bugs]).toEqual([2_000, []])
    const bug = setUp(3_000, 1, () => {
      throw new Error('a bug')
    })
    bug.pulse.start()
    bug.fire()
    expect([bug.wait(), bug.bugs]).toEqual([undefined, [new Error('a bug')]])
  })
})
