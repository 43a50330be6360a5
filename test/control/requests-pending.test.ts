import { once } from 'node:events'
import { connect } from 'node:net'
import { describe, expect, test } from 'vitest'
import type { Har } from '../../src/history/har.js'
import type { Exchange } from '../../src/index.js'
import type { Client } from '../support/client.js'
import { keys, transferId, users } from '../support/fixture-ids.js'
import { logged, maskedKey, newest } from '../support/logged.js'
import { type OpenOptions, openOwnSandbox, transports } from '../support/open-sandbox.js'
import { rawRequest } from '../support/raw-socket.js'
import { payoutRequest } from '../support/requests.js'
import { scenarioFile } from '../support/scenario-file.js'

const PAYOUT = '/payment/api/v1/payout'
const STATUS = `/payment/api/v1/fx-audit/status/${transferId(1)}`

const ruleOf = (step: string, limit = 1_000) =>
  scenarioFile(
    'slow',
    `  - { when: request, limit: ${limit}, if: { operation: createPayout }, then: [${step}] }`,
  )

/** A sandbox whose delays end when the test says so, and whose machine clock is the test's. */
const openHeld = async (step: string, options: OpenOptions = {}) => {
  const delays: (() => void)[] = []
  const machine = { now: Date.parse('2027-01-01T00:00:00.000Z') }
  const api = await openOwnSandbox({
    machineClock: () => machine.now,
    sleep: () => new Promise<void>((resolve) => delays.push(resolve)),
    scenarios: [ruleOf(step)],
    ...options,
  })
  api.sandbox.run('balance.credit', { user_id: users.ada, currency: 'NGN', amount: '5000.00' })
  const arrived = (count = 1) => expect.poll(() => delays).toHaveLength(count)
  const release = () => {
    for (const end of delays.splice(0)) end()
  }
  return { api, machine, arrived, release }
}

/** Sends a payout that the test can abort; `failed` resolves when the client has given up. */
const sendPayout = (api: Client) => {
  const controller = new AbortController()
  const sent = api.carry(PAYOUT, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': keys.full },
    body: JSON.stringify(payoutRequest()),
    signal: controller.signal,
  })
  const failed = sent.then(
    () => false,
    () => true,
  )
  return { abort: () => controller.abort(), failed }
}

const verify = async (api: Client, requests: object) => {
  const expect = [{ requests, count: 1 }]
  return api.make<{ ok: boolean }>('/_sandbox/verify', { expect })
}

describe.each(transports)('over %s', (over) => {
  test('a request that a rule delays is listed as pending until it is answered', async () => {
    const { api, arrived, release } = await openHeld('{ delay_ms: 30000 }', { over })
    const answer = api.post(PAYOUT, payoutRequest())
    await arrived()
    const pending = await newest(api)
    expect(pending).toMatchObject({
      n: 1,
      status: null,
      pending: true,
      aborted_ms: null,
      operation: 'createPayout',
      user_id: users.ada,
      request: { body: payoutRequest(), headers: { 'x-api-key': maskedKey('0001') } },
      fault: 'slow/0',
    })
    release()
    expect((await answer).status).toBe(200)
    expect(await logged(api)).toMatchObject([
      { id: pending.id, n: 1, status: 200, pending: false, aborted_ms: null },
    ])
  })

  test('requests are numbered and listed in the order in which they arrived', async () => {
    const { api, arrived, release } = await openHeld('{ delay_ms: 30000 }', { over })
    const slow = api.post(PAYOUT, payoutRequest())
    await arrived()
    await api.get(STATUS)
    release()
    await slow
    expect((await logged(api)).map(({ n, operation }) => [n, operation])).toEqual([
      [2, 'getTransferStatus'],
      [1, 'createPayout'],
    ])
  })

  test('a client that gave up is logged, exported and found by verify as aborted', async () => {
    const lines: Exchange[] = []
    const { api, machine, arrived, release } = await openHeld(
      '{ hold: { before: answer, for: 30s } }',
      { over, log: (line) => lines.push(line) },
    )
    const { abort, failed } = sendPayout(api)
    await arrived()
    machine.now += 1_500
    abort()
    expect(await failed).toBe(true)
    await expect.poll(async () => (await newest(api)).aborted_ms).toBe(1_500)
    expect(await newest(api)).toMatchObject({
      pending: true,
      entries: { from: expect.any(Number) },
    })
    machine.now += 1_000
    release()
    await expect.poll(async () => (await newest(api)).pending).toBe(false)
    expect(await newest(api)).toMatchObject({ status: 200, aborted_ms: 1_500 })
    const har = await api.read<Har>('/_sandbox/requests.har')
    expect(har.log.entries).toMatchObject([{ _pending: false, _aborted_ms: 1_500 }])
    expect(lines).toContainEqual(expect.objectContaining({ status: 200, aborted_ms: 1_500 }))
    expect(await verify(api, { aborted: true })).toMatchObject({ ok: true })
    expect(await verify(api, { aborted: false })).toMatchObject({ ok: false })
  })
})

test.each(transports)(
  'a request that hangs over %s ends when its client leaves, and is found as aborted',
  async (over) => {
    const lines: Exchange[] = []
    const api = await openOwnSandbox({
      scenarios: [ruleOf('{ hang: after }')],
      over,
      log: (line) => lines.push(line),
    })
    api.sandbox.run('balance.credit', { user_id: users.ada, currency: 'NGN', amount: '5000.00' })
    const { abort, failed } = sendPayout(api)
    await expect.poll(async () => (await logged(api)).map(({ pending }) => pending)).toEqual([true])
    expect(await logged(api, '?aborted=true')).toEqual([])
    abort()
    expect(await failed).toBe(true)
    await expect
      .poll(() => lines)
      .toContainEqual(
        expect.objectContaining({ status: null, aborted_ms: expect.any(Number), fault: 'slow/0' }),
      )
    expect(await logged(api, '?aborted=true')).toMatchObject([
      { pending: false, status: null, aborted_ms: expect.any(Number) },
    ])
    expect(await logged(api, '?aborted=false')).toEqual([])
  },
)

test.each(['reset', 'end'] as const)(
  'a client that leaves (%s) while it sends its body is logged as aborted',
  async (how) => {
    const machine = { now: Date.parse('2027-01-01T00:00:00.000Z') }
    const lines: Exchange[] = []
    const api = await openOwnSandbox({
      machineClock: () => machine.now,
      log: (line) => lines.push(line),
    })
    const { url } = await api.sandbox.listen()
    const { hostname, port } = new URL(url)
    const socket = connect(Number(port), hostname)
    socket.on('error', () => {})
    const request = rawRequest(`POST ${PAYOUT}`, [], JSON.stringify(payoutRequest()))
    socket.write(request.slice(0, -10))
    await once(socket, 'connect')
    // The server has read what came before this request.
    await fetch(`${url}/_sandbox/health`)
    machine.now += 700
    if (how === 'reset') socket.resetAndDestroy()
    else socket.end()
    await expect
      .poll(async () => (await logged(api)).map(({ aborted_ms }) => aborted_ms))
      .toEqual([700])
    expect(await newest(api)).toMatchObject({
      status: 400,
      operation: 'createPayout',
      pending: false,
    })
    expect(lines).toContainEqual(
      expect.objectContaining({
        aborted_ms: 700,
        message: 'The connection closed within the body.',
      }),
    )
  },
)

test('a client in process that aborts while it sends its body is logged as aborted', async () => {
  const api = await openOwnSandbox()
  const controller = new AbortController()
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>()
  const sent = api.sandbox.fetch(
    new Request(`http://localhost${PAYOUT}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-api-key': keys.full },
      body: readable,
      duplex: 'half',
      signal: controller.signal,
    } as RequestInit),
  )
  const failed = expect(sent).rejects.toThrow()
  await writable.getWriter().write(new TextEncoder().encode('{"user_id":'))
  controller.abort()
  await failed
  await expect.poll(async () => (await logged(api, '?aborted=true')).length).toBe(1)
})

test('a request that is answered after the log was cleared is listed with its number', async () => {
  const { api, arrived, release } = await openHeld('{ delay_ms: 30000 }')
  const slow = api.post(PAYOUT, payoutRequest())
  await arrived()
  await api.call('DELETE', '/_sandbox/requests')
  expect(await logged(api)).toEqual([])
  release()
  await slow
  expect(await logged(api)).toMatchObject([{ n: 1, status: 200, pending: false }])
})

test('a pending request that newer ones evicted from the log stays evicted', async () => {
  const { api, arrived, release } = await openHeld('{ delay_ms: 30000 }', { requestLog: 2 })
  const slow = api.post(PAYOUT, payoutRequest())
  await arrived()
  await api.get(STATUS)
  await api.get(STATUS)
  release()
  await slow
  expect((await logged(api)).map(({ n }) => n)).toEqual([3, 2])
})

test('a repeat that waits for the held request is pending too', async () => {
  const step = '{ hold: { before: commit, for: 30s } }'
  const { api, arrived, release } = await openHeld(step, { scenarios: [ruleOf(step, 1)] })
  const both = [api.post(PAYOUT, payoutRequest()), api.post(PAYOUT, payoutRequest())]
  await arrived()
  await expect
    .poll(async () => (await logged(api)).map(({ n, pending }) => [n, pending]))
    .toEqual([
      [2, true],
      [1, true],
    ])
  release()
  const answers = await Promise.all(both)
  expect(answers.map(({ status }) => status)).toEqual([200, 200])
  expect((await logged(api)).map(({ pending }) => pending)).toEqual([false, false])
})
