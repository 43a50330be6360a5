import { describe, expect, test } from 'vitest'
import type { Entry } from '../kernel/entry.js'
import type { Schedule } from '../lib/machine-clock.js'
import { MemoryJournal } from './memory-journal.js'
import { Subscriptions } from './subscriptions.js'

const decoder = new TextDecoder()

/** Subscribers are notified after the current work. */
const notified = () => new Promise<void>((resolve) => setImmediate(resolve))

/** A feed with a journal whose entries count how often they are written out. */
const setUp = (visibleUpTo?: () => number) => {
  const journal = new MemoryJournal()
  const calls: string[] = []
  const timers: (() => void)[] = []
  const schedule: Schedule = (ms, run) => {
    timers.push(run)
    calls.push(`wait ${ms}`)
    return () => calls.push('calm')
  }
  const activity = {
    start: () => calls.push('start'),
    follow: () => calls.push('follow'),
    stop: () => calls.push('stop'),
  }
  const feed = new Subscriptions(journal, activity, schedule, visibleUpTo)
  let written = 0
  const add = (count = 1) => {
    for (let i = 0; i < count; i++) {
      const seq = journal.newest + 1
      const toJSON = () => {
        written++
        return { seq }
      }
      journal.add({ seq, toJSON } as unknown as Entry)
      feed.notify()
    }
  }
  return { journal, feed, calls, timers, add, written: () => written }
}

const textOf = async (reader: ReadableStreamDefaultReader<Uint8Array>): Promise<string> =>
  decoder.decode((await reader.read()).value)

const open = async (feed: Subscriptions, after: number) => {
  const reader = feed.open(after).getReader()
  expect(await textOf(reader)).toBe('retry: 1000\n\n')
  return reader
}

const restOf = async (reader: ReadableStreamDefaultReader<Uint8Array>): Promise<string> => {
  let text = ''
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return text
    text += decoder.decode(value)
  }
}

const frame = (seq: number) => `id: ${seq}\nevent: entry\ndata: {"seq":${seq}}\n\n`

describe('Subscriptions', () => {
  test('sends new entries', async () => {
    const { feed, add } = setUp()
    const reader = await open(feed, 0)
    add()
    expect(await textOf(reader)).toBe(frame(1))
    add(2)
    expect(await textOf(reader)).toBe(frame(2) + frame(3))
  })

  test('sends a busy subscriber all missed entries in one chunk', async () => {
    const { feed, add } = setUp()
    const reader = await open(feed, 0)
    add()
    await notified()
    add()
    await notified()
    add()
    await notified()
    expect(await textOf(reader)).toBe(frame(1))
    expect(await textOf(reader)).toBe(frame(2) + frame(3))
  })

  test('sends nothing past the newest visible entry', async () => {
    let shown = 2
    const { feed, add } = setUp(() => shown)
    const early = await open(feed, 0)
    add(4)
    expect(await textOf(early)).toBe(frame(1) + frame(2))
    const late = await open(feed, 3)
    await notified()
    shown = 4
    feed.notify()
    expect(await textOf(early)).toBe(frame(3) + frame(4))
    expect(await textOf(late)).toBe(frame(4))
  })

  test('encodes an entry once for all subscribers, and not without one', async () => {
    const { feed, add, written } = setUp()
    add(5)
    expect(written()).toBe(0)
    const readers = [await open(feed, 5), await open(feed, 5), await open(feed, 5)]
    add()
    expect(written(), 'nothing is written while the request runs').toBe(0)
    for (const reader of readers) expect(await textOf(reader)).toBe(frame(6))
    expect(await textOf(await open(feed, 5))).toBe(frame(6))
    expect(written()).toBe(1)
  })

  test('disconnects a subscriber that fell behind the journal, with the reason', async () => {
    const { feed, add, calls } = setUp()
    const reader = feed.open(0).getReader()
    add(10_007)
    expect(await restOf(reader)).toBe(
      'retry: 1000\n\nid: 10007\nevent: dropped\ndata: ' +
        '{"reason":"the reader was too slow: it had come to entry 0, ' +
        'and the oldest that is kept is 8","next":10007}\n\n',
    )
    expect(feed.size).toBe(0)
    expect(calls.at(-1)).toBe('stop')
  })

  test('keeps a quick subscriber when a slow one is disconnected', async () => {
    const { feed, add } = setUp()
    const slow = feed.open(0).getReader()
    const quick = await open(feed, 0)
    for (let i = 0; i < 11; i++) {
      add(1_000)
      let text = ''
      while (!text.includes(`id: ${1_000 * (i + 1)}\n`)) text += await textOf(quick)
    }
    await notified()
    expect(feed.size).toBe(1)
    expect(await restOf(slow)).toContain('event: dropped')
  })

  test('sends heartbeats to idle subscribers', async () => {
    const { feed, timers } = setUp()
    const reader = await open(feed, 0)
    timers.shift()?.()
    timers.shift()?.()
    expect(await textOf(reader)).toBe(': still here\n\n')
  })

  test('sends heartbeats to tick streams', async () => {
    const { feed, timers } = setUp()
    const reader = feed
      .openTicks(
        () => ({ seq: 3 }),
        { world: 'a' },
        () => 500,
      )
      .getReader()
    const hello = 'event: hello\ndata: {"world":"a","seq":3}\n\n'
    expect(await textOf(reader)).toBe(`retry: 1000\n${hello}`)
    timers.shift()?.()
    expect(await textOf(reader)).toBe(': still here\n\n')
  })

  describe('a tick stream', () => {
    const setUpTicks = async () => {
      const { feed, timers, calls } = setUp()
      let seq = 0
      const reader = feed
        .openTicks(
          () => ({ seq }),
          {},
          () => 500,
        )
        .getReader()
      await textOf(reader)
      const come = async () => {
        seq++
        feed.notify()
        await notified()
      }
      return { feed, reader, come, rests: () => timers.slice(1), calls }
    }
    const tick = (seq: number) => `event: tick\ndata: {"seq":${seq}}\n\n`

    test('sends a tick at once, then none for the minimum interval', async () => {
      const { feed, reader, come, rests, calls } = await setUpTicks()
      await come()
      expect(await textOf(reader)).toBe(tick(1))
      await come()
      await come()
      expect(rests()).toHaveLength(1)
      expect(calls.filter((it) => it.startsWith('wait'))).toEqual(['wait 15000', 'wait 500'])
      rests()[0]?.()
      expect(await textOf(reader)).toBe(tick(3))
      rests()[1]?.()
      await come()
      expect(await textOf(reader)).toBe(tick(4))
      feed.end('enough')
      expect(await restOf(reader)).toBe('event: end\ndata: {"reason":"enough"}\n\n')
    })

    test('sends no tick without progress', async () => {
      const { feed, reader, rests } = await setUpTicks()
      feed.notify()
      await notified()
      expect(rests()).toEqual([])
      feed.end('enough')
      expect(await restOf(reader)).not.toContain('tick')
    })

    test('waits for a slow client and sends only the newest tick', async () => {
      const { reader, come, rests } = await setUpTicks()
      await come()
      rests()[0]?.()
      await come()
      await come()
      expect(await textOf(reader)).toBe(tick(1))
      expect(await textOf(reader)).toBe(tick(3))
    })
  })

  test('starts its activity with the first subscriber and stops it with the last', async () => {
    const { feed, calls, add } = setUp()
    const first = await open(feed, 0)
    const second = await open(feed, 0)
    add()
    await notified()
    await first.cancel()
    expect(calls).toEqual(['wait 15000', 'start', 'follow'])
    await second.cancel()
    expect(calls.slice(3)).toEqual(['calm', 'stop'])
    expect(feed.size).toBe(0)
  })

  test('stops its activity when the last subscriber leaves with new entries', async () => {
    const { feed, calls, add } = setUp()
    const reader = await open(feed, 0)
    add()
    await reader.cancel()
    await notified()
    expect(calls).toEqual(['wait 15000', 'start', 'calm', 'stop'])
  })

  test('queues no heartbeats for a client that does not read', async () => {
    const { feed, timers } = setUp()
    const reader = feed.open(0).getReader()
    for (let n = 0; n < 3; n++) timers[n]?.()
    feed.end('over')
    expect(await restOf(reader)).not.toContain('still here')
  })
})
