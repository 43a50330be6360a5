import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { TimerQueue } from './timer-queue.js'
import type { Timer } from './timer-records.js'

const timer = (n: number, due: number | null): Timer =>
  ({ id: String(n), n, due, done: 0, chain: 0 }) as Timer

const idsOf = (timers: readonly Timer[]) => timers.map(({ id }) => id)

/** A queue of pending timers, and of some that are pending no more. */
const queueOf = (dues: readonly number[], gone: ReadonlySet<number> = new Set()): TimerQueue => {
  const timers = dues.map((due, n) => timer(n, due))
  const queue = new TimerQueue((id) => (gone.has(Number(id)) ? undefined : timers[Number(id)]))
  for (const it of timers) queue.change(undefined, it)
  return queue
}

test('TimerQueue lists the next timers in order and keeps them', () => {
  fc.assert(
    fc.property(
      fc.array(fc.nat(20), { maxLength: 40 }),
      fc.array(fc.nat(40), { maxLength: 10 }),
      fc.nat(50),
      (dues, gone, most) => {
        const removed = new Set(gone)
        const queue = queueOf(dues, removed)
        const expected = dues
          .map((due, n) => ({ due, n }))
          .filter(({ n }) => !removed.has(n))
          .sort((a, b) => a.due - b.due || a.n - b.n)
          .map(({ n }) => String(n))
        expect(idsOf(queue.first(most))).toEqual(expected.slice(0, most))
        expect(queue.peek()?.id).toBe(expected[0])
      },
    ),
  )
})

test('TimerQueue lists no timers that wait for status requests', () => {
  const queue = queueOf([])
  queue.change(undefined, timer(1, null))
  expect(queue.first(3)).toEqual([])
})

test('TimerQueue lists a timer once that was set twice', () => {
  const queue = queueOf([5, 7])
  queue.change(undefined, timer(0, 5))
  expect(idsOf(queue.first(9))).toEqual(['0', '1'])
})

test('TimerQueue skips an undone timer whose id was reused', () => {
  const timers = new Map<string, Timer>()
  const queue = new TimerQueue((id) => timers.get(id))
  const set = (it: Timer) => {
    timers.set(it.id, it)
    queue.change(undefined, it)
  }
  set(timer(0, 1))
  set(timer(1, 5))
  timers.delete('0')
  set(timer(0, 9))
  expect(idsOf(queue.first(9))).toEqual(['1', '0'])
  expect(queue.peek()?.id).toBe('1')
})
