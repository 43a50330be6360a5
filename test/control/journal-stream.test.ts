import { describe, expect, test } from 'vitest'
import { type Client, expectRefusal } from '../support/client.js'
import { type Entry, startTransfer } from '../support/control.js'
import { keys, users } from '../support/fixture-ids.js'
import { expected, invalid } from '../support/invalid.js'
import { type OpenOptions, openOwnSandbox, transports } from '../support/open-sandbox.js'
import { StreamReader, seqsOf } from '../support/stream-reader.js'
import { Timers } from '../support/timers.js'

const path = '/_sandbox/journal/stream'
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

const watch = async (api: Client, query = '', headers: Record<string, string> = {}) => {
  const response = await api.carry(path + query, { headers })
  expect(response.status).toBe(200)
  const stream = new StreamReader(response)
  // By its first words it is connected.
  expect(await stream.block()).toEqual({ retry: '1000' })
  return stream
}

const credit = ({ sandbox }: Client, count = 1): void => {
  for (let i = 0; i < count; i++) {
    sandbox.run('balance.credit', { user_id: users.ada, currency: 'USD', amount: '1.00' })
  }
}

describe.each(transports)('the journal as a stream, over %s', (over) => {
  const open = (options: OpenOptions = {}) => openOwnSandbox({ over, ...options })

  test('has the headers of a stream, and a request id', async () => {
    const { response } = await watch(await open())
    expect(response.headers.get('content-type')).toBe('text/event-stream')
    expect(response.headers.get('x-accel-buffering')).toBe('no')
    expect(response.headers.get('cache-control')).toBe('no-store')
    expect(response.headers.get('x-request-id')).toMatch(UUID)
  })

  test('shows entries as they are made, as the journal has them', async () => {
    const api = await open()
    const stream = await watch(api)
    const { id } = await startTransfer(api)
    api.sandbox.advance('2s')
    const events = await stream.events(2)
    expect(events.map(({ event }) => event)).toEqual(['entry', 'entry'])
    const { items } = await api.read<{ items: Entry[] }>('/_sandbox/journal?after=4&size=2')
    expect(events.map(({ data = '' }) => JSON.parse(data))).toEqual(items)
    expect(seqsOf(events)).toEqual(items.map(({ seq }) => seq))
    expect(items[1]?.events).toMatchObject([{ type: 'transfer.moved', id }])
  })

  test('shows what came after a number first, then what comes', async () => {
    const api = await open()
    credit(api, 200)
    const stream = await watch(api, '?after=0')
    expect(seqsOf(await stream.events(204))).toEqual(Array.from({ length: 204 }, (_, i) => i + 1))
    credit(api)
    expect(await stream.event()).toMatchObject({ id: '205', event: 'entry' })
  })

  test('a reader that comes back with Last-Event-ID misses nothing', async () => {
    const api = await open()
    const first = await watch(api)
    credit(api, 2)
    const [, last] = await first.events(2)
    await first.close()
    credit(api, 2)
    const again = await watch(api, '?after=0', { 'last-event-id': last?.id ?? '' })
    credit(api)
    expect(seqsOf(await again.events(3))).toEqual([7, 8, 9])
  })

  test('goes on after a reset, which is an entry', async () => {
    const api = await open()
    const stream = await watch(api)
    await api.make('/_sandbox/reset')
    credit(api)
    const events = await stream.events(4)
    const commands = events.map(({ data = '' }) => JSON.parse(data).command)
    expect(commands).toEqual(['snapshot.take', 'world.begin', 'clock.set', 'balance.credit'])
  })

  test('ends with its reason when the sandbox closes, which it does not delay', async () => {
    const api = await open()
    const streams = [await watch(api), await watch(api, '?after=0')]
    await api.sandbox.close()
    for (const stream of streams) {
      expect((await stream.rest()).at(-1)).toEqual({
        event: 'end',
        data: '{"reason":"the sandbox is closing"}',
      })
    }
  })

  test('while somebody watches, time passes by itself', async () => {
    const timers = new Timers()
    let machine = Date.parse('2026-07-01T12:00:00.000Z')
    const api = await open({ clock: '2x', later: timers.later, machineClock: () => machine })
    const stream = await watch(api)
    const { id } = await startTransfer(api)
    await stream.event()
    for (const to of ['FUNDS_RECEIVED', 'CONVERSION_PROCESSED', 'PAYMENT_SUBMITTED']) {
      await expect.poll(() => timers.waits).toEqual([1_000, 15_000])
      machine += 1_000
      timers.fire(1_000)
      const { data = '' } = (await stream.event()) ?? {}
      expect(JSON.parse(data).events).toMatchObject([{ type: 'transfer.moved', id, to }])
    }
    await api.call('PUT', '/_sandbox/clock', { body: { mode: 'manual' } })
    await expect.poll(() => timers.waits).toEqual([15_000])
    await stream.close()
    await expect.poll(() => timers.waits).toEqual([])
  })

  test('a request for the head opens none', async () => {
    const timers = new Timers()
    const api = await open({ later: timers.later })
    const answer = await api.call('HEAD', path)
    expect(answer.status).toBe(200)
    expect(timers.waits).toEqual([])
  })
})

test('a reader that was dropped may come back with the id of that event', async () => {
  const api = await openOwnSandbox()
  const stream = await watch(api)
  credit(api, 10_001)
  expect(await stream.rest()).toEqual([
    {
      event: 'dropped',
      id: '10005',
      data: JSON.stringify({
        reason: 'the reader was too slow: it had come to entry 4, and the oldest that is kept is 6',
        next: 10_005,
      }),
    },
  ])
  const again = await watch(api, '', { 'last-event-id': '10005' })
  credit(api)
  expect((await again.event())?.id).toBe('10006')
})

test('at most 100 are open; one that closes makes room', async () => {
  const api = await openOwnSandbox()
  const streams = await Promise.all(Array.from({ length: 100 }, () => watch(api)))
  const refused = await api.carry(path, {})
  expect(refused.status).toBe(503)
  expect(await refused.json()).toMatchObject({
    code: '5030',
    message: expect.stringContaining('100 streams are open'),
  })
  await streams[0]?.close()
  await expect.poll(async () => (await api.get(path, { key: null })).status).toBe(200)
})

describe('a stream is refused', () => {
  test('when its cursor is older than what is kept', async () => {
    const api = await openOwnSandbox()
    credit(api, 9_999)
    const words = ['The oldest entry that is kept is 4.', expected('3 to 10003')]
    const old = await api.get(`${path}?after=2`)
    expectRefusal(old, 410, '4110', invalid('after', 2), ...words)
    const headers = { 'last-event-id': '1' }
    const older = await api.get(`${path}?after=9000`, { headers })
    expectRefusal(older, 410, '4110', invalid('Last-Event-ID', 1), ...words)
    const ahead = await api.get(`${path}?after=10004`)
    expectRefusal(ahead, 410, '4110', 'The newest entry is 10003.')
  })

  test.each(['x', '-1', '1.5', '9'.repeat(30)])('when Last-Event-ID is %s', async (id) => {
    const api = await openOwnSandbox()
    const answer = await api.get(path, { headers: { 'last-event-id': id } })
    expectRefusal(answer, 400, '4000', invalid('Last-Event-ID', id))
  })

  test('needs the token of the control API', async () => {
    const api = await openOwnSandbox({ controlToken: 'secret' })
    expectRefusal(await api.get(path), 401, '4011')
    const headers = { authorization: 'Bearer secret' }
    expectRefusal(await api.get(path, { headers, key: keys.unknown }), 401, '4101')
    const page = { ...headers, origin: 'https://evil.example' }
    expectRefusal(await api.get(path, { headers: page }), 403, '4031')
    expect((await api.get(path, { headers })).status).toBe(200)
  })
})
