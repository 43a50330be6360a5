import { describe, expect, test } from 'vitest'
import { amountCases } from '../support/cases/amount-cases.js'
import { field, fieldCases } from '../support/cases/field-cases.js'
import { footprint, type Subject } from '../support/cases/subject.js'
import { expectRefusal } from '../support/client.js'
import { type SandboxTransfer, startRequest } from '../support/control.js'
import { accounts, BEGINNING, NOBODY, users } from '../support/fixture-ids.js'
import { invalid } from '../support/invalid.js'
import { moneyOf } from '../support/ledger.js'
import { openSandbox } from '../support/open-sandbox.js'

const path = '/_sandbox/transfers'
const over = 'fetch'

describe('startTransfer', () => {
  const subject: Subject = { method: 'POST', path, body: startRequest, success: 201 }
  fieldCases({ over, subject }, [
    field('user_id', 'uuid'),
    field('account_id', 'uuid'),
    field('source_currency', 'currency'),
    ...amountCases('source_amount'),
  ])

  test('makes a pending transfer, its rate, fee and amounts fixed', async () => {
    const api = await openSandbox()
    const before = await moneyOf(api)
    const answer = await api.post<SandboxTransfer>(path, startRequest())
    expect(answer.status).toBe(201)
    expect(answer.body).toMatchObject({
      kind: 'bank',
      status: 'PENDING',
      source_currency: 'usd',
      source_amount: 500,
      target_currency: 'eur',
      destination_amount: 424,
      exchange_rate: 0.85,
      fees: 1,
      sender_user_id: users.ada,
      offramp_id: null,
      reason: null,
      reached: { PENDING: BEGINNING },
      legal_moves: ['FUNDS_RECEIVED', 'FAILED', 'CANCELLED'],
      source_info: {
        sender_name: 'Ada Okafor',
        source_account_details: {
          account_type: 'bank_account',
          masked_details: expect.stringMatching(/^\*{4}\d{4}$/),
          payment_rail: 'ACH',
        },
      },
    })
    expect(await moneyOf(api), 'no money moves yet').toEqual(before)
  })

  test.each([500, '500', 500.0, '0500.00'])('the amount may come as %j', async (source_amount) => {
    const api = await openSandbox()
    const made = await api.make<SandboxTransfer>(path, { ...startRequest(), source_amount })
    expect(made.source_amount).toBe(500)
  })

  test('an amount that the fee eats up is listed and failed, and no money moves', async () => {
    const api = await openSandbox()
    const before = await moneyOf(api)
    const made = await api.make<SandboxTransfer>(path, { ...startRequest(), source_amount: '1.17' })
    expect(made).toMatchObject({ status: 'FAILED', reason: 'below_fee', destination_amount: 0 })
    api.sandbox.advance({ until: 'idle' })
    expect(await moneyOf(api)).toEqual(before)
  })

  test.each<[string, object, number, string, string]>([
    [
      'malformed first',
      { user_id: NOBODY, source_amount: 'x' },
      400,
      '4000',
      invalid('source_amount', 'x'),
    ],
    ['unknown user', { user_id: NOBODY }, 404, '4040', `user_id: no user has the id ${NOBODY}`],
    ['unknown account', { account_id: NOBODY }, 404, '4040', 'account_id: user '],
    ['another’s account', { account_id: accounts.benEur }, 404, '4040', 'account_id: user '],
    ['another’s account, paused', { user_id: users.paused }, 404, '4040', 'account_id: user '],
    [
      'paused',
      { user_id: users.paused, account_id: accounts.pausedGbp },
      400,
      '4000',
      `user_id: user ${users.paused} is paused`,
    ],
    [
      'decimals',
      { source_amount: '1.001' },
      400,
      '4000',
      'Invalid source_amount: got "1.001". Expected at most 2 decimals',
    ],
    [
      'no rail',
      { source_currency: 'JPY', source_amount: 500 },
      400,
      '4000',
      'Invalid source_currency: got "JPY". Expected a currency with a rail',
    ],
  ])('%s', async (_, change, status, code, words) => {
    const api = await openSandbox()
    const before = footprint(api)
    expectRefusal(await api.post(path, { ...startRequest(), ...change }), status, code, words)
    expect(footprint(api)).toEqual(before)
  })
})
