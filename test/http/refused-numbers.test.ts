import { test } from 'vitest'
import { type Client, expectRefusal } from '../support/client.js'
import { invalid, inWords } from '../support/invalid.js'
import { openSandbox } from '../support/open-sandbox.js'
import { payoutRequest, userRequest } from '../support/requests.js'

// Parsing turns 10.50 into 10.5: messages show the text of the body.

/** Sends a request whose value `"@"` is a number with this text. */
const sendNumber = (api: Client, path: string, body: object, digits: string, reading?: string) =>
  api.call('POST', path, {
    raw: JSON.stringify(body).replaceAll('"@"', digits),
    headers: {
      'content-type': 'application/json',
      ...(reading !== undefined && { 'x-sandbox-reading': reading }),
    },
  })

const PAYOUT = '/payment/api/v1/payout'

test.each(['10.50', '-0', '-0.0', '9007199254740993', '1E+3', '0.1000', '12345678901234567890.1'])(
  'a schema that refuses %s shows it as written',
  async (digits) => {
    const api = await openSandbox()
    const answer = await sendNumber(api, PAYOUT, { ...payoutRequest(), amount: '@' }, digits)
    expectRefusal(answer, 400, '4000', invalid('amount', inWords(digits), 'an amount above zero'))
  },
)

test('each of several refused numbers is shown as written, and text stays text', async () => {
  const body = { ...userRequest(), first_name: '"last_name": 7.70', last_name: '@', metadata: '@' }
  const answer = await sendNumber(await openSandbox(), '/onboarding/api/v1/users', body, '7.000')
  expectRefusal(
    answer,
    400,
    '4000',
    'Invalid last_name: got 7.000. ',
    'Invalid metadata: got 7.000. ',
  )
  const amount = { ...payoutRequest(), amount: '10.5050' }
  const refused = await sendNumber(await openSandbox(), PAYOUT, amount, '')
  expectRefusal(refused, 400, '4000', invalid('amount', '10.5050', 'at most 2 decimals in NGN'))
})

test('a number of a list is shown as written', async () => {
  const api = await openSandbox()
  const raw = '{"names":["a", 7.700]}'
  const headers = { 'content-type': 'application/json' }
  const answer = await api.call('PUT', '/_sandbox/scenarios/active', { raw, headers })
  expectRefusal(answer, 400, '4000', 'Invalid names.1: got 7.700. ')
})

test('a number of many digits is shown as JavaScript reads it', async () => {
  const answer = await sendNumber(
    await openSandbox(),
    PAYOUT,
    { ...payoutRequest(), amount: '@' },
    `1.${'0'.repeat(100)}`,
  )
  expectRefusal(answer, 400, '4000', invalid('amount', 1, 'an amount above zero'))
})
