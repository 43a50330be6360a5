import { describe, expect, test } from 'vitest'
import { users } from '../support/fixture-ids.js'
import { openOwnSandbox } from '../support/open-sandbox.js'
import { newPayouts, PAYOUT, payoutOf, send } from '../support/scenario-client.js'
import { scenarioFile } from '../support/scenario-file.js'

const AUDIT = '/payment/api/v1/fx-audit/11111111-1111-4111-8111-000000000001'

const outage = (during: string, retry = '30s') => `
  - when: request
    if: { operation: getTransferAudit }
    during: ${during}
    then:
      - { respond: { status: 503, retry_after: ${retry} } }`

const open = async (rules: string, more = {}) => {
  const api = await openOwnSandbox({ scenarios: [scenarioFile('test', rules)], ...more })
  const read = () => send(api, AUDIT)
  const statusAfter = async (time: string) => {
    api.sandbox.advance(time)
    return (await read()).status
  }
  return { api, read, statusAfter }
}

describe('a request rule with during', () => {
  test('after start counts from the start of the world, and again after a reset', async () => {
    const { api, statusAfter } = await open(outage('{ after: start, from: 30s, for: 10m }'))
    const statuses = async () => [
      await statusAfter('29s'),
      await statusAfter('1s'),
      await statusAfter('599s'),
      await statusAfter('1s'),
    ]
    expect(await statuses()).toEqual([200, 503, 503, 200])
    api.sandbox.reset()
    expect(await statuses()).toEqual([200, 503, 503, 200])
  })

  test('after start counts from the activation of the scenario', async () => {
    const { api, statusAfter } = await open(outage('{ after: start, for: 10m }'))
    const choose = (names: string[]) =>
      api.call('PUT', '/_sandbox/scenarios/active', { body: { names } })
    expect(await statusAfter('1h')).toBe(200)
    await choose(['bank-rejects', 'test'])
    expect(await statusAfter('0s')).toBe(200)
    await choose([])
    await choose(['test'])
    expect(await statusAfter('0s')).toBe(503)
    expect(await statusAfter('10m')).toBe(200)
  })

  test('after start counts from the first request that names the scenario', async () => {
    const { api } = await open(outage('{ after: start, for: 10m }'))
    await api.call('PUT', '/_sandbox/scenarios/active', { body: { names: [] } })
    api.sandbox.advance('1h')
    const named = { headers: { 'x-sandbox-scenario': 'test' } }
    expect((await api.get(AUDIT, named)).status).toBe(503)
    expect((await api.get(AUDIT)).status).toBe(200)
    api.sandbox.advance('10m')
    expect((await api.get(AUDIT, named)).status).toBe(200)
  })

  test('after request counts from the first request that matches', async () => {
    const { statusAfter } = await open(outage('{ after: request, from: 1m, for: 1m }'))
    expect(await statusAfter('1h')).toBe(200)
    expect(await statusAfter('1m')).toBe(503)
    expect(await statusAfter('1m')).toBe(200)
    expect(await statusAfter('1h')).toBe(200)
  })

  test('after an event is closed until then, and another event does not prolong it', async () => {
    const { api, read, statusAfter } = await open(
      outage('{ after: payout.created, from: 30s, for: 10m }'),
    )
    expect(await statusAfter('1h')).toBe(200)
    await send(api, PAYOUT, payoutOf(1))
    expect((await read()).status).toBe(200)
    expect(await statusAfter('30s')).toBe(503)
    await send(api, PAYOUT, payoutOf(2))
    expect(await statusAfter('599s')).toBe(503)
    expect(await statusAfter('1s')).toBe(200)
    await send(api, PAYOUT, payoutOf(3))
    expect(await statusAfter('30s')).toBe(503)
  })

  test('is undone together with the event that began it', async () => {
    const { api, read } = await open(outage('{ after: balance.credited, for: 10m }'))
    await api.make(`/_sandbox/users/${users.ada}/balances`, { currency: 'NGN', amount: '1' })
    expect((await read()).status).toBe(503)
    await api.make('/_sandbox/undo')
    expect((await read()).status).toBe(200)
  })

  test('sends the rest of its window with retry_after: rest', async () => {
    const { api, read } = await open(outage('{ after: start, for: 10m }', 'rest'))
    expect((await read()).headers.get('retry-after')).toBe('600')
    api.sandbox.advance('599500ms')
    expect((await read()).headers.get('retry-after')).toBe('1')
  })

  test('counts its limit only within the window', async () => {
    const { read, statusAfter } = await open(
      `${outage('{ after: start, from: 1m, for: 1m }')}\n    limit: 1`,
    )
    expect(await statusAfter('0s')).toBe(200)
    expect(await statusAfter('1m')).toBe(503)
    expect((await read()).status).toBe(200)
  })

  test('continues after a restart from the data file', async () => {
    const { mkdtempSync } = await import('node:fs')
    const data = `${mkdtempSync('/tmp/sandramp-')}/world.json`
    const file = scenarioFile('test', outage('{ after: payout.created, for: 10m }'))
    const first = await openOwnSandbox({ scenarios: [file], data })
    await send(first, PAYOUT, payoutOf(1))
    first.sandbox.advance('9m')
    await first.sandbox.close()
    const second = await openOwnSandbox({ scenarios: [file], data })
    expect((await send(second, AUDIT)).status).toBe(503)
    second.sandbox.advance('1m')
    expect((await send(second, AUDIT)).status).toBe(200)
  })
})

test('a throttle with retry_after: rest sends the rest of its own window', async () => {
  const { api, read } = await open(`
  - when: request
    then:
      - { throttle: { limit: 1, window: 1m } }
      - { respond: { status: 503, retry_after: rest } }`)
  await read()
  api.sandbox.advance('20s')
  const refused = await read()
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '40'])
})

test('an event rule with during fires only within its window', async () => {
  const { api } = await open(`
  - when: payout.created
    during: { after: payout.created, from: 1m, for: 1h }
    then: [{ move: PAYOUT_FAILED, reason: closed }]`)
  await send(api, PAYOUT, payoutOf(1))
  api.sandbox.advance('1m')
  await send(api, PAYOUT, payoutOf(2))
  api.sandbox.advance('1h')
  await send(api, PAYOUT, payoutOf(3))
  const failed = newPayouts(api).map(({ status }) => status === 'PAYOUT_FAILED')
  expect(failed).toEqual([false, true, false])
})
