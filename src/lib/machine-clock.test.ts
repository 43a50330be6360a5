import { afterEach, expect, test, vi } from 'vitest'

afterEach(() => {
  vi.useRealTimers()
  vi.doUnmock('node:timers')
  vi.resetModules()
})

test('nextTick runs its callback when timers were faked before the module loaded', async () => {
  vi.resetModules()
  const faked = { setImmediate: () => ({}), clearImmediate: () => undefined }
  vi.doMock('node:timers', () => faked)
  const { nextTick } = await import('./machine-clock.js')
  await new Promise<void>((resolve) => nextTick(resolve))
})

test('otherwise it runs behind all that is at hand', async () => {
  const { nextTick } = await import('./machine-clock.js')
  const ran: string[] = []
  const done = new Promise<void>((resolve) => {
    nextTick(() => {
      ran.push('soon')
      resolve()
    })
  })
  await Promise.resolve()
  process.nextTick(() => ran.push('tick'))
  await done
  expect(ran).toEqual(['tick', 'soon'])
})

test('waits that are ended leave no timer behind, and nobody waits any more', async () => {
  const { createSleeps } = await import('./machine-clock.js')
  vi.useFakeTimers()
  const { sleep, end } = createSleeps()
  const both = Promise.all([sleep(60_000), sleep(300_000)])
  expect(vi.getTimerCount()).toBe(2)
  // `end` must clear the faked timers even after the real ones are back.
  vi.useRealTimers()
  end()
  await both
  await sleep(60_000)
})

test('a steady clock goes on from where it was when the other is set back', async () => {
  const { monotonic } = await import('./machine-clock.js')
  let ms = 1_000
  const clock = monotonic(() => ms)
  const told = [1_000, 1_500, 200, 700, 100, 100, 5_000].map((now) => {
    ms = now
    return clock()
  })
  expect(told).toEqual([1_000, 1_500, 1_500, 2_000, 2_000, 2_000, 6_900])
})

test('a clock that is corrected often gains nothing by its steps back', async () => {
  const { nonDecreasing } = await import('./machine-clock.js')
  let ms = 1_000
  const clock = nonDecreasing(() => ms)
  const shown = [1_000, 1_500, 1_400, 1_600, 1_500, 1_700].map((now) => {
    ms = now
    return clock()
  })
  expect(shown).toEqual([1_000, 1_500, 1_500, 1_600, 1_600, 1_700])
})
