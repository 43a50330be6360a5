import { describe, expect, test } from 'vitest'
import { expectRefusal } from '../support/client.js'
import { keys } from '../support/fixture-ids.js'
import { type OpenOptions, openOwnSandbox, transports } from '../support/open-sandbox.js'
import { payoutRequest } from '../support/requests.js'
import { scenarioFile } from '../support/scenario-file.js'

const USERS = '/onboarding/api/v1/users/all'
const PAYOUT = '/payment/api/v1/payout'

const open = async (options: OpenOptions = {}) => {
  const machine = { now: Date.parse('2027-01-01T00:00:00.000Z') }
  const machineClock = () => machine.now
  return { api: await openOwnSandbox({ rateLimit: '2/1m', ...options, machineClock }), machine }
}

const limits = ({ headers }: { readonly headers: Headers }) =>
  ['limit', 'remaining', 'reset'].map((name) => headers.get(`ratelimit-${name}`))

const NONE = [null, null, null]

describe.each(transports)('a rate limit, over %s', (over) => {
  test('answers 429 beyond it, until its window has ended', async () => {
    const { api, machine } = await open({ over })
    expect(limits(await api.get(USERS))).toEqual(['2', '1', '60'])
    machine.now += 20_500
    expect(limits(await api.get(USERS))).toEqual(['2', '0', '40'])
    const answer = await api.get(USERS)
    expectRefusal(answer, 429, '4290', 'more than 2 requests in 1m', 'Wait 40 s')
    expect(limits(answer)).toEqual(['2', '0', '40'])
    expect(answer.headers.get('retry-after')).toBe('40')
    machine.now += 39_500
    expect(limits(await api.get(USERS))).toEqual(['2', '1', '60'])
  })

  test('shows in errors too, on paths that nobody knows as well', async () => {
    const { api } = await open({ over })
    const invalid = await api.post(PAYOUT, {})
    expect([invalid.status, ...limits(invalid)]).toEqual([400, '2', '1', '60'])
    const unknown = await api.get('/payment/nothing')
    expect([unknown.status, ...limits(unknown)]).toEqual([404, '2', '0', '60'])
    expectRefusal(await api.get('/payment/nothing'), 429, '4290')
  })

  test('goes before faults, and shows in what a fault answers', async () => {
    const rules = `
  - when: request
    then:
      - { respond: { status: 503, headers: { RateLimit-Reset: '7' } } }`
    const { api } = await open({ over, scenarios: [scenarioFile('test', rules)] })
    for (const remaining of ['1', '0']) {
      const answer = await api.get(USERS)
      expect([answer.status, ...limits(answer)]).toEqual([503, '2', remaining, '7'])
    }
    const refused = await api.get(USERS)
    expectRefusal(refused, 429, '4290')
    expect(refused.headers.has('x-sandbox-fault')).toBe(false)
  })
})

test('without a limit no answer speaks of one', async () => {
  const api = await openOwnSandbox()
  expect(limits(await api.get(USERS))).toEqual(NONE)
})

test('goes before validation, and what it refuses does nothing', async () => {
  const { api } = await open({ rateLimit: '1/1h' })
  await api.get(USERS)
  const before = api.sandbox.entries().length
  expectRefusal(await api.post(PAYOUT, {}), 429, '4290', 'more than 1 request in 1h')
  expectRefusal(await api.post(PAYOUT, payoutRequest()), 429, '4290')
  expectRefusal(await api.get(`${USERS}?page=-1`), 429, '4290')
  expect(api.sandbox.entries()).toHaveLength(before)
})

test('each key has its own; what the door refuses is not counted', async () => {
  const { api } = await open({ rateLimit: '1/1m' })
  await api.get(USERS)
  for (const key of [null, 'short', keys.unknown, keys.expired, keys.suspended, keys.deactivated]) {
    const answer = await api.get(USERS, { key })
    expect([401, 403]).toContain(answer.status)
    expect(limits(answer)).toEqual(NONE)
  }
  const key = keys.readOnly
  for (let n = 0; n < 3; n += 1) {
    const answer = await api.post(PAYOUT, payoutRequest(), { key })
    expectRefusal(answer, 403, '4300')
    expect(limits(answer)).toEqual(NONE)
  }
  expect((await api.get(USERS, { key })).status).toBe(200)
  expectRefusal(await api.get(USERS, { key }), 429, '4290')
  // The door goes first even then.
  expectRefusal(await api.post(PAYOUT, payoutRequest(), { key }), 403, '4300')
})

test('the world’s time and a reset change nothing in it', async () => {
  const { api } = await open({ rateLimit: '1/1m', apiKey: 'x'.repeat(32) })
  const key = 'x'.repeat(32)
  await api.get(USERS, { key })
  api.sandbox.advance('1d')
  expectRefusal(await api.get(USERS, { key }), 429, '4290')
  api.sandbox.reset()
  expectRefusal(await api.get(USERS, { key }), 429, '4290')
})

test('the control API has none', async () => {
  const { api } = await open({ rateLimit: '1/1m' })
  for (let n = 0; n < 3; n += 1) {
    const answer = await api.get('/_sandbox/clock')
    expect([answer.status, ...limits(answer)]).toEqual([200, ...NONE])
  }
})

test('the request log shows the headers that went out', async () => {
  const { api } = await open({ rateLimit: '1/1m' })
  await api.get(USERS)
  await api.get(USERS)
  const logged = api.sandbox.requests().map(({ status, response }) => [status, response.headers])
  expect(logged).toEqual([
    [200, expect.objectContaining({ 'ratelimit-remaining': '0' })],
    [429, expect.objectContaining({ 'retry-after': '60', 'ratelimit-limit': '1' })],
  ])
})
