import { describe, expect, test } from 'vitest'
import type { Schedule } from '../lib/machine-clock.js'
import { type EndedRequest, Subscriptions } from './subscriptions.js'

const decoder = new TextDecoder()

/** Subscribers are notified after the current work. */
const notified = () => new Promise<void>((resolve) => setImmediate(resolve))

/** A feed of requests that count how often they are shown. */
const setUp = () => {
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
  const feed = new Subscriptions(activity, schedule)
  let n = 0
  const add = (count = 1) => {
    for (let i = 0; i < count; i++) feed.publish({ logRecord: { n: ++n } } as EndedRequest)
  }
  return { feed, calls, timers, add }
}

const textOf = async (reader: ReadableStreamDefaultReader<Uint8Array>): Promise<string> =>
  decoder.decode((await reader.read()).value)

const readerOf = (feed: Subscriptions) =>
  feed.openRequests(({ logRecord }) => frame(logRecord.n)).getReader()

const open = async (feed: Subscriptions) => {
  const reader = readerOf(feed)
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

const frame = (n: number) => `id: ${n}\nevent: request\n\n`

describe('Subscriptions', () => {
  test('sends a busy subscriber all missed requests in one chunk', async () => {
    const { feed, add } = setUp()
    const reader = await open(feed)
    for (let n = 0; n < 3; n++) {
      add()
      await notified()
    }
    expect(await textOf(reader)).toBe(frame(1))
    expect(await textOf(reader)).toBe(frame(2) + frame(3))
  })

  test('sends heartbeats to idle subscribers', async () => {
    const { feed, timers } = setUp()
    const reader = await open(feed)
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

  test('stops its activity when the last subscriber leaves with new requests', async () => {
    const { feed, calls, add } = setUp()
    const reader = await open(feed)
    add()
    await reader.cancel()
    await notified()
    expect(calls).toEqual(['wait 15000', 'start', 'calm', 'stop'])
  })

  test('queues no heartbeats for a client that does not read', async () => {
    const { feed, timers } = setUp()
    const reader = readerOf(feed)
    for (let n = 0; n < 3; n++) timers[n]?.()
    feed.end('over')
    expect(await restOf(reader)).not.toContain('still here')
  })
})
