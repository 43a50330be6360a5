import { describe, expect, test } from 'vitest'
import { expectRefusal } from '../support/client.js'
import { type SandboxTransfer, startRequest } from '../support/control.js'
import { BEGINNING, users } from '../support/fixture-ids.js'
import { moneyOf } from '../support/ledger.js'
import { openSandbox } from '../support/open-sandbox.js'

const path = '/_sandbox/transfers'

describe('startTransfer', () => {
  test('accepts names of the fixtures in place of ids', async () => {
    const api = await openSandbox()
    const named = { ...startRequest(), user_id: 'ada', account_id: 'adaEur' }
    const { user_id, account_id } = startRequest()
    expect(await api.make(path, named)).toMatchObject({ user_id, account_id })
    expect(
      await api.make('/_sandbox/users/ada/balances', { currency: 'JPY', amount: '5' }),
    ).toEqual({ currency: 'JPY', amount: 5 })
    for (const wrong of [{ user_id: 'adaEur' }, { account_id: '1' }])
      expectRefusal(
        await api.post(path, { ...named, ...wrong }),
        400,
        '4000',
        'an id, or one of ada',
      )
  })

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
})
