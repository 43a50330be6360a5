import { beforeEach, describe, expect, test } from 'vitest'
import { balanceOf } from '../support/balances.js'
import type { Client } from '../support/client.js'
import { accountId, users } from '../support/fixture-ids.js'
import { moneyOf } from '../support/ledger.js'
import { openSandbox } from '../support/open-sandbox.js'
import { userRequest } from '../support/requests.js'
import { newPayouts, PAYOUT, payoutOf, send } from '../support/scenario-client.js'
import type { Audit, Instruction, Transfer, User } from '../support/wire.js'

let api: Client

beforeEach(async () => {
  api = await openSandbox()
})

const OFFRAMP = '/payment/api/v1/offramp'

/** A payout to an account whose number ends in this. */
const payoutTo = (ending: string, n = 1) => {
  const payout = payoutOf(n)
  const recipient_account_number = `000000${ending}`
  return { ...payout, recipient_details: { ...payout.recipient_details, recipient_account_number } }
}

const statusesOf = async (body: object, waits: readonly string[]) => {
  const seen: string[] = []
  for (const wait of waits) {
    api.sandbox.advance(wait)
    seen.push(JSON.parse((await send(api, PAYOUT, body)).text).status)
  }
  return seen
}

describe('a new user named', () => {
  test.each([
    ['Doe-Rejected', 'rejected'],
    ['Doe-Incomplete', 'incomplete'],
    ['Doe-Pending', 'under_review'],
    ['Doe', 'active'],
    ['Rejected', 'active'],
  ])('%s becomes %s', async (last_name, status) => {
    const user = await api.make<User>('/onboarding/api/v1/users', { ...userRequest(), last_name })
    expect(user.status).toBe('under_review')
    api.sandbox.advance('30d')
    const all = await api.read<User[]>('/onboarding/api/v1/users/all')
    const { requirements, rejection_reasons } = all.find(({ id }) => id === user.id) ?? {}
    expect(all.find(({ id }) => id === user.id)?.status).toBe(status)
    if (status === 'rejected') expect(rejection_reasons).toHaveLength(1)
    if (status === 'incomplete') expect(requirements).toEqual(['identity.identity_document_front'])
  })
})

describe('a payout to a number of 000000 and', () => {
  test.each([
    ['0001', ['PAYOUT_FAILED', 'PAYOUT_FAILED'], 0],
    ['0002', ['PAYOUT_PENDING', 'PAYOUT_PROCESSED'], 1_550],
    ['0003', ['PAYOUT_PENDING', 'PAYOUT_PENDING'], 1_550],
    ['0004', ['PAYOUT_PROCESSED', 'PAYOUT_FAILED'], 0],
    ['0007', ['PAYOUT_PROCESSED', 'PAYOUT_PROCESSED'], 1_550],
  ])('%s is %j an hour apart and costs %d', async (ending, statuses, cost) => {
    expect(await statusesOf(payoutTo(ending), ['0s', '1h'])).toEqual(statuses)
    expect(await balanceOf(api, users.ada, 'NGN')).toBe(5_000_000 - cost)
    expect(newPayouts(api)).toHaveLength(1)
    await moneyOf(api)
  })

  test('0005 is rejected once per id, then created', async () => {
    for (const n of [1, 2]) {
      const refused = await send(api, PAYOUT, payoutTo('0005', n))
      expect(refused.status).toBe(503)
      expect(refused.headers.get('retry-after')).toBe('1')
      expect((await send(api, PAYOUT, payoutTo('0005', n))).status).toBe(200)
    }
    expect(newPayouts(api)).toHaveLength(2)
  })

  test('0006 is created, and its response is dropped once per id', async () => {
    for (const n of [1, 2]) {
      await expect(send(api, PAYOUT, payoutTo('0006', n))).rejects.toThrow(TypeError)
      expect((await send(api, PAYOUT, payoutTo('0006', n))).status).toBe(200)
    }
    expect(newPayouts(api)).toHaveLength(2)
  })
})

describe('an offramp to the account of the fixtures', () => {
  const send50 = async (n: number): Promise<() => Promise<string | undefined>> => {
    const body = { user_id: users.ada, account_id: accountId(n) }
    const { address } = await api.make<Instruction>(OFFRAMP, body)
    await api.make('/_sandbox/deposits', { address, amount: '50' })
    return async () => {
      const path = `/payment/api/v1/fx-audit/${users.ada}?size=1`
      return (await api.read<Audit<Transfer>>(path)).transactions[0]?.status
    }
  }

  test.each([
    [101, 'payment_submitted', 'failed', 'failed'],
    [102, 'pending', 'payment_processed', 'payment_processed'],
    [103, 'pending', 'pending', 'pending'],
    [104, 'payment_submitted', 'failed', 'failed'],
  ])('%d is %s after 6 s, %s after 4 h', async (n, soon, later, end) => {
    const status = await send50(n)
    api.sandbox.advance('6s')
    expect(await status()).toBe(soon)
    api.sandbox.advance('4h')
    expect(await status()).toBe(later)
    api.sandbox.advance('30d')
    expect(await status()).toBe(end)
    await moneyOf(api)
  })

  test('105 is rejected once, 106 drops its connection once', async () => {
    const initiate = (n: number) =>
      send(api, OFFRAMP, { user_id: users.ada, account_id: accountId(n) })
    expect((await initiate(105)).status).toBe(503)
    expect((await initiate(105)).status).toBe(200)
    await expect(initiate(106)).rejects.toThrow(TypeError)
    expect((await initiate(106)).status).toBe(200)
  })
})
