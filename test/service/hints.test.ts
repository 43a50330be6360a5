import { describe, expect, test } from 'vitest'
import { keys, users } from '../support/fixture-ids.js'
import { openSandbox, transports } from '../support/open-sandbox.js'
import { payoutRequest } from '../support/requests.js'

const USERS = '/onboarding/api/v1/users/all'
const PAYOUT = '/payment/api/v1/payout'

describe.each(transports)('x-sandbox-hint over %s', (over) => {
  const hintOf = async (path: string, headers: Record<string, string>, method = 'GET') => {
    const { carry } = await openSandbox({ over })
    const answer = await carry(path, { method, headers })
    return [answer.status, answer.headers.get('x-sandbox-hint')]
  }

  test('names x-api-key when the key comes as a bearer token', async () => {
    const hint = 'Send the API key as x-api-key, not as authorization: Bearer.'
    expect(await hintOf(USERS, { authorization: `Bearer ${keys.full}` })).toEqual([403, hint])
    expect(await hintOf(PAYOUT, { authorization: 'Bearer x' }, 'POST')).toEqual([403, hint])
  })

  test.each(['"', "'", '`'])('says that a key is in quotes: %s', async (quote) => {
    const hint = 'The value of x-api-key is in quotes. Send it without them.'
    expect(await hintOf(USERS, { 'x-api-key': `${quote}${keys.full}${quote}` })).toEqual([
      403,
      hint,
    ])
  })

  const DOCS = 'GET /llms.txt lists the calls and the docs.'
  const BASE_URL = 'The path has //. Does the base URL end in a slash? Did you mean'
  test.each([
    // A URL resolves it to //payment/api/v1/payout.
    ['/.//payment/api/v1/payout', 404, `${BASE_URL} ${PAYOUT}?`],
    ['/payment//api/v1/payout', 404, `${BASE_URL} ${PAYOUT}?`],
    ['/onboarding/api/v1//users/all', 404, `${BASE_URL} ${USERS}?`],
    ['/payment/api/v1/payouts', 404, `Did you mean ${PAYOUT}?`],
    ['/payment/api/v1/payuot', 404, `Did you mean ${PAYOUT}?`],
    ['/payment/api/v1/payout/', 404, `Did you mean ${PAYOUT}?`],
    ['/payments/api/v1/payout', 404, `Did you mean ${PAYOUT}?`],
    ['/Payment/api/v1/payout', 404, `Did you mean ${PAYOUT}?`],
    [
      `/payment/api/v1/fx-audits/${users.ada}`,
      404,
      `Did you mean /payment/api/v1/fx-audit/${users.ada}?`,
    ],
    ['/payment/api/v1/fx-audits/%C3%A9', 404, 'Did you mean /payment/api/v1/fx-audit/{user_id}?'],
    ['/payment/api/v1/nowhere', 404, DOCS],
    ['/favicon.ico', 404, DOCS],
    [`/payment/${'x'.repeat(5_000)}`, 404, DOCS],
  ])('of %.60s is what was meant', async (path, status, hint) => {
    expect(await hintOf(path, { 'x-api-key': keys.full })).toEqual([status, hint])
  })

  test('is there when the gate refuses an unknown path', async () => {
    expect(await hintOf('/payment/api/v1/payouts', {})).toEqual([403, `Did you mean ${PAYOUT}?`])
  })

  test('is on no other answer', async () => {
    const key = { 'x-api-key': keys.full }
    expect(await hintOf(USERS, key)).toEqual([200, null])
    expect(await hintOf('/payment/api/v1/fx-audit/x', key)).toEqual([400, null])
    expect(await hintOf(USERS, {})).toEqual([403, null])
    expect(await hintOf(USERS, { 'x-api-key': keys.unknown })).toEqual([401, null])
    expect(await hintOf(PAYOUT, key)).toEqual([expect.any(Number), null])
  })
})

describe('an unknown field or parameter', () => {
  const hintOf = async (path: string, body?: object) => {
    const api = await openSandbox()
    const answer = await api.call(body ? 'POST' : 'GET', path, { ...(body && { body }) })
    return [answer.status, answer.headers.get('x-sandbox-hint')]
  }
  const payout = payoutRequest()
  const { recipient_details } = payout

  test.each([
    [{ ...payout, ammount: '9' }, 'Unknown field "ammount". Did you mean "amount"?'],
    [
      { ...payout, recipient_details: { ...recipient_details, bank_nme: 'x' } },
      'Unknown field "bank_nme". Did you mean "bank_name"?',
    ],
    [
      { ...payout, amount: undefined, amout: '9' },
      'Unknown field "amout". Did you mean "amount"?',
      400,
    ],
    [{ ...payout, note: 'rent' }, null],
    [{ ...payout, amoünt: '9' }, null],
  ])('of %j gets the hint', async (body, hint, status = 200) => {
    expect(await hintOf(PAYOUT, body)).toEqual([status, hint])
  })

  test('in the query gets a hint too', async () => {
    const hint = 'Unknown query parameter "sise". Did you mean "size"?'
    expect(await hintOf(`/payment/api/v1/fx-audit/${users.ada}?sise=5`)).toEqual([200, hint])
  })
})

test('a hint is kept in the request log', async () => {
  const { carry, sandbox } = await openSandbox()
  await carry(USERS, { headers: { authorization: `Bearer ${keys.full}` } })
  const [kept] = sandbox.requests()
  expect(kept?.response.headers).toMatchObject({ 'x-sandbox-hint': expect.any(String) })
})
