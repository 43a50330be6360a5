import { describe, expect, test } from 'vitest'
import { balanceOf } from '../support/balances.js'
import { bodyCases } from '../support/cases/body-cases.js'
import { field, fieldCases } from '../support/cases/field-cases.js'
import { gateCases } from '../support/cases/gate-cases.js'
import { footprint, type Subject } from '../support/cases/subject.js'
import { expectRefusal } from '../support/client.js'
import { BEGINNING, users } from '../support/fixture-ids.js'
import { invalid } from '../support/invalid.js'
import { openSandbox, transports } from '../support/open-sandbox.js'
import { payoutRequest } from '../support/requests.js'
import type { Payout } from '../support/wire.js'
import { withField } from '../support/with-field.js'

const path = '/payment/api/v1/payout'
const subject: Subject = { method: 'POST', path, body: payoutRequest, success: 200 }

/** The contract's fields of a payout, in the contract's order. */
const FIELDS = [
  'id',
  'currency',
  'rail',
  'reference',
  'amount',
  'status',
  'user_id',
  'customer_payout_id',
  'rail_fee',
  'account_details',
  'created_at',
  'updated_at',
]

describe.each(transports)('createPayout over %s', (over) => {
  gateCases({ over, subject })
  bodyCases({ over, subject })
  fieldCases({ over, subject }, [
    field('user_id', 'uuid'),
    field('currency', 'currency'),
    field('customer_payout_id', 'uuid'),
    field('amount', 'amount'),
    field('recipient_details', 'object'),
    field('recipient_details.bank_name', 'text'),
    field('recipient_details.account_holder_name', 'text'),
    field('recipient_details.recipient_account_number', 'text'),
  ])

  test('is processed within the request, the fee on top of the amount', async () => {
    const api = await openSandbox({ over })
    const answer = await api.post<Payout>(path, payoutRequest())
    expect(answer.status).toBe(200)
    expect(Object.keys(answer.body)).toEqual(FIELDS)
    expect(answer.body).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      currency: 'ngn',
      rail: 'NIP',
      reference: expect.stringMatching(/^NIP-\d{12}$/),
      amount: 1500,
      status: 'PAYOUT_PROCESSED',
      user_id: users.ada,
      customer_payout_id: payoutRequest().customer_payout_id,
      rail_fee: 50,
      account_details: payoutRequest().recipient_details,
      created_at: BEGINNING,
      updated_at: BEGINNING,
    })
    expect(await balanceOf(api, users.ada, 'NGN')).toBe(5_000_000 - 1_500 - 50)
    expect(api.sandbox.audit()).toMatchObject({ ok: true, violations: [] })
  })

  test('ids are UUIDs of any version in either case', async () => {
    const api = await openSandbox({ over })
    const customer_payout_id = '0190163D-8694-739B-AEA5-966C26F8AD91'
    const body = { ...payoutRequest(), customer_payout_id, user_id: users.ada.toUpperCase() }
    const made = await api.make<Payout>(path, body)
    expect(made).toMatchObject({
      user_id: users.ada,
      customer_payout_id: customer_payout_id.toLowerCase(),
    })
  })

  test.each([
    ['Ọláyíọlá 🦓'],
    ['<script>\t\r\n"'],
    ['\u202egnirts'],
    [' Ada Okafor\t'],
    ['x'.repeat(255)],
  ])('text is kept to the letter: %j', async (account_holder_name) => {
    const api = await openSandbox({ over })
    const details = { ...payoutRequest().recipient_details, account_holder_name }
    const made = await api.make<Payout>(path, { ...payoutRequest(), recipient_details: details })
    expect(made.account_details.account_holder_name).toBe(account_holder_name)
  })

  test('bytes that are no UTF-8 are refused', async () => {
    const api = await openSandbox({ over })
    const text = JSON.stringify(withField(payoutRequest(), 'recipient_details.bank_name', 'B?nk'))
    const raw = new TextEncoder().encode(text).map((byte) => (byte === 0x3f ? 0xff : byte))
    const headers = { 'content-type': 'application/json' }
    const answer = await api.call('POST', path, { headers, raw })
    expectRefusal(answer, 400, '4004', 'The body is not well-formed UTF-8')
  })

  test('the error lists all invalid fields', async () => {
    const api = await openSandbox({ over })
    const answer = await api.post(path, { ...payoutRequest(), currency: 'ngn', amount: 15 })
    expectRefusal(answer, 400, '4000', invalid('currency', 'ngn'), ' | Invalid amount: got 15')
  })

  test.each([users.underReview, users.rejected, users.incomplete, users.offboarded, users.paused])(
    'user %s may not',
    async (user_id) => {
      const api = await openSandbox({ over })
      await api.make(`/_sandbox/users/${user_id}/balances`, { currency: 'NGN', amount: '9000.00' })
      const before = footprint(api)
      const answer = await api.post(path, { ...payoutRequest(), user_id })
      expectRefusal(answer, 400, '4000', `user_id: user ${user_id} is `, 'only an active user')
      expect(footprint(api)).toEqual(before)
    },
  )
})
