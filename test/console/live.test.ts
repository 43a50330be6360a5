import { describe, expect, test } from 'vitest'
import { addresses, transferId } from '../support/fixture-ids.js'
import { type OpenOptions, openOwnSandbox } from '../support/open-sandbox.js'
import { scenarioFile } from '../support/scenario-file.js'
import { StreamReader } from '../support/stream-reader.js'
import { Timers } from '../support/timers.js'
import { worldId, worldKey } from '../support/worlds.js'

const REST_MS = 500

const follow = async (options: OpenOptions = {}) => {
  const timers = new Timers()
  const api = await openOwnSandbox({ later: timers.later, ...options })
  const watch = new StreamReader(await api.sandbox.fetch('/console/live'))
  const happen = () =>
    api.sandbox.run('deposit.receive', { address: addresses.adaEur, amount: '10' })
  return { timers, api, watch, happen, next: async () => parsed(await watch.event()) }
}

const parsed = (event: Awaited<ReturnType<StreamReader['event']>>) => ({
  event: event?.event,
  data: JSON.parse(event?.data ?? 'null') as Record<string, unknown>,
})

describe('the stream of news', () => {
  test('begins with how far things are, and names this run of the sandbox', async () => {
    const { api, watch, next } = await follow()
    expect(watch.response.headers.get('content-type')).toBe('text/event-stream')
    expect(watch.response.headers.get('x-accel-buffering')).toBe('no')
    const seq = api.sandbox.entries().at(-1)?.seq
    expect(await next()).toEqual({
      event: 'hello',
      data: { boot: expect.stringMatching(/^[0-9a-f-]{36}$/), seq, requests: 0 },
    })
  })

  test('the page states its entry, so that later entries count as new', async () => {
    const { api, next } = await follow()
    const { data } = await next()
    const html = await (await api.sandbox.fetch('/payments')).text()
    expect(html).toContain(`data-state="${JSON.stringify(data).replaceAll('"', '&quot;')}"`)
  })

  test('is not opened by the page of a world that is gone', async () => {
    const { sandbox } = await openOwnSandbox()
    const look = async (path: string) => (await sandbox.fetch(path)).text()
    expect(await look('/payments')).toContain('sse-connect="/console/live" sse-close="gone"')
    const gone = await look(`/payments?world=${worldId(worldKey('gone'))}`)
    expect(gone).toContain('World not found')
    expect(gone).not.toMatch(/sse-connect|\/console\/do\//)
  })

  test('ticks when an entry is made, and when a request changes nothing', async () => {
    const { timers, api, happen, next } = await follow()
    const { data: first } = await next()
    happen()
    const ticked = await next()
    expect(ticked).toEqual({
      event: 'tick',
      data: { seq: Number(first.seq) + 1, requests: 0 },
    })
    timers.fire(REST_MS)
    await api.get('/payment/nowhere')
    expect(await next()).toEqual({ event: 'tick', data: { ...ticked.data, requests: 1 } })
  })

  test('ticks when a waiting request ends without an entry, and when the log is cleared', async () => {
    let release = () => {}
    const sleep = () => new Promise<void>((resolve) => (release = resolve))
    const slow = scenarioFile('slow', '  - { when: request, then: [{ delay_ms: 30000 }] }')
    const { timers, api, next } = await follow({ sleep, scenarios: [slow] })
    const { data: first } = await next()
    const answer = api.get(`/payment/api/v1/fx-audit/status/${transferId(1)}`)
    const { data: waiting } = await next()
    expect(waiting.requests).toBeGreaterThan(Number(first.requests))
    await new Promise((resolve) => setImmediate(resolve))
    timers.fire(REST_MS)
    release()
    expect((await answer).status).toBe(200)
    const { data: ended } = await next()
    expect(ended.seq).toBe(waiting.seq)
    timers.fire(REST_MS)
    await api.call('DELETE', '/_sandbox/requests')
    expect((await next()).data.seq).toBe(ended.seq)
  })

  test('sends two ticks for many entries at once', async () => {
    const { timers, api, happen, next } = await follow()
    await next()
    happen()
    await next()
    for (let i = 0; i < 100; i++) happen()
    await new Promise((resolve) => setImmediate(resolve))
    timers.fire(REST_MS)
    const seq = api.sandbox.entries().at(-1)?.seq
    expect((await next()).data.seq).toBe(seq)
  })

  test('lets time pass, and ends with the sandbox', async () => {
    const { timers, api, watch, happen, next } = await follow()
    await next()
    await api.call('PATCH', '/_sandbox/clock', { body: { mode: 'real' } })
    happen()
    await next()
    await new Promise((resolve) => setImmediate(resolve))
    expect(timers.waits.some((ms) => ms > 0 && ms <= 2_000)).toBe(true)
    await api.sandbox.close()
    expect((await watch.rest()).at(-1)).toMatchObject({ event: 'end' })
  })

  test('an update brings only the parts that the viewer lacks', async () => {
    const { api, happen, next } = await follow()
    await next()
    const refresh = async (has: string) => {
      const headers = { 'hx-trigger': 'refresh', 'x-page-id': has }
      const response = await api.sandbox.fetch('/users?show=deposits', { headers })
      const update: (string | [number, number])[] = await response.json()
      return { id: response.headers.get('x-page-id') ?? '', update }
    }
    const first = await refresh('none')
    happen()
    await next()
    const { update } = await refresh(first.id)
    const parts = update.flatMap((it) =>
      typeof it === 'string' ? it : first.update.slice(it[0], it[0] + it[1]),
    )
    const page = await (await api.sandbox.fetch('/users?show=deposits')).text()
    expect(`<!DOCTYPE html>${parts.join('')}`).toBe(page)
    expect(JSON.stringify(update).length).toBeLessThan(page.length / 4)
  })

  test('asks nothing of a request for its head', async () => {
    const { api } = await follow()
    const response = await api.sandbox.fetch('/console/live', { method: 'HEAD' })
    expect([response.status, await response.text()]).toEqual([200, ''])
  })

  test('is opened a hundred times and no more', async () => {
    const { api } = await follow()
    const open = () => api.sandbox.fetch('/console/live')
    const streams = await Promise.all(Array.from({ length: 99 }, open))
    expect(streams.every(({ status }) => status === 200)).toBe(true)
    expect((await open()).status).toBe(503)
    await streams[0]?.body?.cancel()
    expect((await open()).status).toBe(200)
  })
})
