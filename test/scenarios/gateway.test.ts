import { describe, expect, test } from 'vitest'
import type { Client } from '../support/client.js'
import { accounts, users } from '../support/fixture-ids.js'
import { moneyOf } from '../support/ledger.js'
import { openOwnSandbox } from '../support/open-sandbox.js'
import {
  type Came,
  missesOf,
  newPayouts,
  PAYOUT,
  pay,
  payoutOf,
  playing,
  send,
  waitAsTold,
} from '../support/scenario-client.js'

const AUDIT = `/payment/api/v1/fx-audit/${users.ada}`

const statusesOf = async (times: number, ask: (n: number) => Promise<Came>): Promise<number[]> => {
  const statuses: number[] = []
  for (let n = 1; n <= times; n++) statuses.push((await ask(n)).status)
  return statuses
}

const codeOf = ({ text }: Came): string => JSON.parse(text).code

describe('rate-limited', () => {
  test('accepts ten reads in ten seconds, then returns 429', async () => {
    const api = await playing('rate-limited')
    const read = () => send(api, AUDIT)
    expect(await statusesOf(10, read)).toEqual(new Array(10).fill(200))
    api.sandbox.advance('4s')
    const refused = await read()
    expect(refused).toMatchObject({ status: 429 })
    expect(codeOf(refused)).toBe('4290')
    expect(refused.headers.get('retry-after')).toBe('6')
    expect(refused.headers.get('x-sandbox-fault')).toBe('rate-limited/0')
    waitAsTold(api)(refused)
    expect(await statusesOf(10, read)).toEqual(new Array(10).fill(200))
  })

  test('limits payouts separately, and a patient client creates all of them', async () => {
    const api = await playing('rate-limited')
    for (let n = 1; n <= 7; n++) await pay(api, () => n, waitAsTold(api))
    expect(newPayouts(api)).toHaveLength(7)
    expect(await missesOf(api, 'rate-limited')).toEqual([])
    expect((await send(api, AUDIT)).status).toBe(200)
  })
})

describe('flaky-gateway', () => {
  const at = async (api: Client, time: string) => {
    api.sandbox.advance(time)
    return send(api, PAYOUT, payoutOf(1))
  }

  test('fails for three seconds and, two seconds later, for five', async () => {
    const api = await playing('flaky-gateway')
    const offramp = { user_id: users.ada, account_id: accounts.adaEur }
    const initiate = () => send(api, '/payment/api/v1/offramp', offramp)
    expect((await at(api, '0s')).status).toBe(502)
    expect((await at(api, '2999ms')).status).toBe(502)
    expect((await initiate()).status).toBe(502)
    expect(newPayouts(api)).toEqual([])
    expect((await at(api, '1ms')).status).toBe(200)
    expect((await at(api, '1999ms')).status).toBe(200)
    expect((await at(api, '1ms')).status).toBe(503)
    expect((await initiate()).status).toBe(503)
    expect((await at(api, '5s')).status).toBe(200)
    expect((await initiate()).status).toBe(200)
  })

  test('returns a page first, then 503 with the rest of the second burst', async () => {
    const api = await playing('flaky-gateway')
    const page = await at(api, '0s')
    expect(page.headers.get('content-type')).toBe('text/html')
    expect(page.text).toContain('502 Bad Gateway')
    const refused = await at(api, '6500ms')
    expect(codeOf(refused)).toBe('5030')
    expect(refused.headers.get('retry-after')).toBe('4')
  })
})

describe('outage-and-recovery', () => {
  test('rejects payment calls for five minutes, not onboarding', async () => {
    const api = await playing('outage-and-recovery')
    const refused = await send(api, AUDIT)
    expect(refused.status).toBe(503)
    expect(refused.headers.get('retry-after')).toBe('300')
    api.sandbox.advance('100s')
    expect((await send(api, AUDIT)).headers.get('retry-after')).toBe('200')
    expect((await send(api, '/onboarding/api/v1/users/all')).status).toBe(200)
    expect(await pay(api, () => 1, waitAsTold(api))).toBe(2)
    expect(await missesOf(api, 'outage-and-recovery')).toEqual([])
    expect(newPayouts(api)).toHaveLength(1)
    expect(api.sandbox.now).toBe('2026-06-15T09:05:00.000Z')
    expect((await send(api, AUDIT)).status).toBe(200)
  })
})

describe('slow-responses', () => {
  test('delays the first payout by twelve seconds and other responses by up to 1.5', async () => {
    const slept: number[] = []
    const sleep = async (ms: number) => void slept.push(ms)
    const api = await openOwnSandbox({ scenarios: ['slow-responses'], sleep })
    expect(await pay(api, () => 1)).toBe(1)
    expect(slept).toEqual([12_000])
    expect(await pay(api, () => 1)).toBe(1)
    await send(api, '/payment/api/v1/offramp', { user_id: users.ada, account_id: accounts.adaEur })
    expect(slept).toHaveLength(3)
    for (const ms of slept.slice(1)) expect(ms).toBeGreaterThanOrEqual(300)
    for (const ms of slept.slice(1)) expect(ms).toBeLessThanOrEqual(1_500)
    expect((await send(api, AUDIT)).status).toBe(200)
    expect(slept).toHaveLength(3)
    expect(newPayouts(api)).toHaveLength(1)
    expect(await missesOf(api, 'slow-responses')).toEqual([])
  })
})

describe('committed-then-cut', () => {
  test('passes a client that repeats the id and pays once', async () => {
    const api = await playing('committed-then-cut')
    await expect(send(api, PAYOUT, payoutOf(1))).rejects.toThrow(TypeError)
    expect(newPayouts(api)).toMatchObject([{ status: 'PAYOUT_PROCESSED' }])
    expect(await pay(api, () => 1)).toBe(1)
    expect(newPayouts(api)).toHaveLength(1)
    await moneyOf(api)
    expect(await missesOf(api, 'committed-then-cut')).toEqual([])
  })

  test('cuts the first payout that the service does not refuse', async () => {
    const api = await playing('committed-then-cut')
    expect(await send(api, PAYOUT, { ...payoutOf(1), amount: '0' })).toHaveProperty('status', 400)
    await expect(send(api, PAYOUT, payoutOf(1))).rejects.toThrow(TypeError)
    expect(newPayouts(api)).toHaveLength(1)
  })
})

describe('garbled-responses', () => {
  test('sends five unreadable responses for one payout', async () => {
    const api = await playing('garbled-responses')
    const ask = () => send(api, PAYOUT, payoutOf(1))
    const half = await ask()
    expect(half.status).toBe(200)
    expect(half.headers.get('content-type')).toBe('application/json')
    expect(() => JSON.parse(half.text)).toThrow()
    const page = await ask()
    expect(page.headers.get('content-type')).toBe('text/html')
    expect(await ask()).toMatchObject({ status: 200, text: '' })
    const plain = await ask()
    expect(plain.headers.get('content-type')).toBe('text/plain')
    expect(JSON.parse(plain.text)).toHaveProperty('status', 'PAYOUT_PROCESSED')
    await expect(ask()).rejects.toThrow('the connection was cut')
    expect(JSON.parse((await ask()).text)).toHaveProperty('status', 'PAYOUT_PROCESSED')
    expect(newPayouts(api)).toHaveLength(1)
  })
})

describe('key-expires-midway', () => {
  const begin: readonly (readonly [string, (api: Client) => Promise<unknown>])[] = [
    ['payout', (api) => pay(api, () => 1)],
    [
      'offramp',
      (api) =>
        send(api, '/payment/api/v1/offramp', { user_id: users.ada, account_id: accounts.adaEur }),
    ],
  ]
  test.each(begin)(
    'expires the key a minute after the first %s, for an hour',
    async (_, beginning) => {
      const api = await playing('key-expires-midway')
      expect((await send(api, AUDIT)).status).toBe(200)
      await beginning(api)
      api.sandbox.advance('59s')
      expect((await send(api, AUDIT)).status).toBe(200)
      api.sandbox.advance('1s')
      const refused = await send(api, AUDIT)
      expect(refused.status).toBe(401)
      expect(codeOf(refused)).toBe('4102')
      api.sandbox.advance('1h')
      expect(await pay(api, () => 1)).toBe(1)
      expect(newPayouts(api)).toMatchObject([{ status: 'PAYOUT_PROCESSED' }])
      expect(await missesOf(api, 'key-expires-midway')).toEqual([])
    },
  )
})
