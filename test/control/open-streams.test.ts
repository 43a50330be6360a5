import { describe, expect, test } from 'vitest'
import { type Client, expectRefusal } from '../support/client.js'
import { startTransfer } from '../support/control.js'
import { keys } from '../support/fixture-ids.js'
import { type OpenOptions, openOwnSandbox, transports } from '../support/open-sandbox.js'
import { StreamReader } from '../support/stream-reader.js'
import { Timers } from '../support/timers.js'

const path = '/_sandbox/requests/stream'
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

const watch = async (api: Client, query = '', headers: Record<string, string> = {}) => {
  const response = await api.carry(path + query, { headers })
  expect(response.status).toBe(200)
  const stream = new StreamReader(response)
  // By its first words it is connected.
  expect(await stream.block()).toEqual({ retry: '1000' })
  return stream
}

describe.each(transports)('a stream, over %s', (over) => {
  const open = (options: OpenOptions = {}) => openOwnSandbox({ over, ...options })

  test('has the headers of a stream, and a request id', async () => {
    const { response } = await watch(await open())
    expect(response.headers.get('content-type')).toBe('text/event-stream')
    expect(response.headers.get('x-accel-buffering')).toBe('no')
    expect(response.headers.get('cache-control')).toBe('no-store')
    expect(response.headers.get('x-request-id')).toMatch(UUID)
  })

  test('while somebody watches, time passes by itself', async () => {
    const timers = new Timers()
    let machine = Date.parse('2026-07-01T12:00:00.000Z')
    const api = await open({ clock: '2x', later: timers.later, machineClock: () => machine })
    const stream = await watch(api)
    const { id } = await startTransfer(api)
    for (const to of ['FUNDS_RECEIVED', 'CONVERSION_PROCESSED', 'PAYMENT_SUBMITTED']) {
      await expect.poll(() => timers.waits).toEqual([1_000, 15_000])
      machine += 1_000
      timers.fire(1_000)
      await expect.poll(() => api.sandbox.entries().at(-1)?.events).toMatchObject([{ id, to }])
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

test('a stream needs the token of the control API', async () => {
  const api = await openOwnSandbox({ controlToken: 'secret' })
  expectRefusal(await api.get(path), 401, '4011')
  const headers = { authorization: 'Bearer secret' }
  expectRefusal(await api.get(path, { headers, key: keys.unknown }), 401, '4101')
  const page = { ...headers, origin: 'https://evil.example' }
  expectRefusal(await api.get(path, { headers: page }), 403, '4031')
  expect((await api.get(path, { headers })).status).toBe(200)
})
