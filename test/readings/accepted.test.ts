import { expect, test } from 'vitest'
import { Client, expectRefusal } from '../support/client.js'
import { expected, invalid } from '../support/invalid.js'
import { openSandbox } from '../support/open-sandbox.js'
import { consentRequest, payoutRequest, userRequest } from '../support/requests.js'
import { keeping, servedDocument } from '../support/served-document.js'
import { choose } from './chosen.js'

/** A value that fits under no reading is rejected with the form that the active reading accepts. */

const TNC = '/onboarding/api/v1/tnc'
const PAYOUT = '/payment/api/v1/payout'
const USERS = '/onboarding/api/v1/users'

const consentAt = (accepted_at: unknown) => ({
  tnc_data: { ...consentRequest().tnc_data, accepted_at },
})
const paying = (amount: unknown) => ({ ...payoutRequest(), amount })

const ANY_INSTANT =
  'an ISO 8601 date-time with seconds and its zone such as 2026-01-31T10:30:00+01:00'
const ANY_AMOUNT = 'an amount above zero such as "1500.00" or the number 1500'

test('the error of an amount that rounds to zero shows the original amount', async () => {
  const api = await openSandbox()
  const headers = { 'x-sandbox-reading': 'payout.amount_scale=rounded' }
  const answer = await api.post(PAYOUT, paying('0.004'), { headers })
  expectRefusal(
    answer,
    400,
    '4000',
    invalid('amount', '0.004', 'an amount above zero when rounded to NGN'),
  )
})

test.each([
  [TNC, consentAt('yesterday'), 'consent.time=any_iso', ANY_INSTANT],
  [TNC, consentAt('2026-01-31T09:30Z'), 'consent.time=any_iso', ANY_INSTANT],
  [TNC, consentAt('2016-12-31T23:59:60Z'), 'consent.time=any_iso', ANY_INSTANT],
  [TNC, consentAt('0000-01-01T00:00:00+01:00'), 'consent.time=any_iso', ANY_INSTANT],
  [TNC, consentAt('9999-12-31T23:59:59-01:00'), 'consent.time=any_iso', ANY_INSTANT],
  [PAYOUT, paying(0), 'payout.amount_form=any', ANY_AMOUNT],
  [PAYOUT, paying('1e3'), 'payout.amount_form=any', ANY_AMOUNT],
])('%s: %j under %s', async (path, body, reading, accepted) => {
  const api = await openSandbox()
  const answer = await api.post(path, body, { headers: { 'x-sandbox-reading': reading } })
  expectRefusal(answer, 400, '4000', expected(accepted))
})

test('two readings together accept an empty text for each optional field', async () => {
  const api = await openSandbox()
  const { first_name, last_name, email_address } = userRequest()
  const names = { first_name, last_name, email_address }
  const headers = { 'x-sandbox-reading': 'user.required=minimal,user.absent=empty' }
  const create = (more: object) => api.post(USERS, { ...names, ...more }, { headers })
  const empty = { phone_number: '', date_of_birth: '', metadata: '', address: { city: '' } }
  expect(await create(empty)).toMatchObject({
    status: 201,
    body: { phone_number: null, date_of_birth: null, address: { city: null } },
  })
  expectRefusal(await create({ last_name: '' }), 400, '4000', 'last_name')
})

test('the document of a world with two readings accepts the same empty texts', async () => {
  const api = await openSandbox()
  await choose(api, 'user.required', 'minimal')
  await choose(api, 'user.absent', 'empty')
  const { answers, carry } = keeping(api.carry)
  const { first_name, last_name, email_address } = userRequest()
  const empty = { date_of_birth: '', metadata: '', identity: '', address: { city: '' } }
  const body = { first_name, last_name, email_address, ...empty }
  expect(await new Client(api.sandbox, carry).post(USERS, body)).toMatchObject({ status: 201 })
  const { document, faultsOf } = await servedDocument(api.carry)
  expect((await Promise.all(answers.map(faultsOf))).flat()).toEqual([])
  expect(document.components.schemas.IdentityDocument).toHaveProperty('type', 'object')
})
