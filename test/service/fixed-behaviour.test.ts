import { expect, test } from 'vitest'
import { outcome, posted } from '../readings/reading-case.js'
import { keys, users } from '../support/fixture-ids.js'
import { nodeFetch } from '../support/node-fetch.js'
import { openSandbox } from '../support/open-sandbox.js'
import { consentRequest, payoutRequest, walletRequest } from '../support/requests.js'

/** Behaviour that no reading changes: FIDELITY.md lists it. */

const USERS = '/onboarding/api/v1/users/all'
const AUDIT = `/payment/api/v1/fx-audit/${users.ada}`
const PAYOUT = '/payment/api/v1/payout'
const WALLET = '/payment/api/v1/custody-wallet'
const TNC = '/onboarding/api/v1/tnc'
const JSON_TYPE = { 'content-type': 'application/json' }

test('HEAD is answered like GET, without a body', async () => {
  const api = await openSandbox()
  expect(await api.call('HEAD', USERS)).toMatchObject({ status: 200, body: undefined })
})

test('an accept header that excludes JSON is answered with JSON', async () => {
  const api = await openSandbox()
  const answer = await api.get(USERS, { headers: { accept: 'text/html' } })
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/json'])
})

test('a body that comes with GET is ignored', async () => {
  const api = await openSandbox()
  const { url, close } = await api.sandbox.listen()
  const headers = { 'x-api-key': keys.full, 'content-length': '2' }
  const { status } = await nodeFetch(new URL(USERS, url), { headers, body: '{}' })
  await close()
  expect(status).toBe(200)
})

test('the last of two fields of one name counts', async () => {
  const api = await openSandbox()
  const raw = `${JSON.stringify(consentRequest()).slice(0, -1)},"tnc_data":{}}`
  expect(await outcome(api, 'POST', TNC, { raw, headers: JSON_TYPE })).toBe('400 4000')
  const other = `{"tnc_data":{},${JSON.stringify(consentRequest()).slice(1)}`
  expect(await outcome(api, 'POST', TNC, { raw: other, headers: JSON_TYPE })).toBe('200')
})

test.each(['\0', '\x1b', '\x7f', '\x85', '\ud800', '\udc00'])(
  'a text with the control character %j is refused',
  async (character) => {
    const api = await openSandbox()
    const { recipient_details, ...rest } = payoutRequest()
    const account_holder_name = `Ada${character}`
    const body = { ...rest, recipient_details: { ...recipient_details, account_holder_name } }
    const answer = await api.post(PAYOUT, body)
    expect(answer).toMatchObject({ status: 400, body: { code: '4000' } })
    expect(answer.headers.get('x-sandbox-assumed')).toBe('error.codes=sandbox')
  },
)

test('blanks around an id or a code are part of it, so that it is refused', async () => {
  const api = await openSandbox()
  expect([
    await outcome(api, 'GET', `/payment/api/v1/fx-audit/%20${users.ada}`),
    await posted(api, WALLET, { ...walletRequest(), chain: 'polygon ' }),
  ]).toEqual(['400 4000', '400 4000'])
})

test.each([[''], [`${keys.full}, ${keys.readOnly}`], [`, ${keys.full}`]])(
  'the key %j is malformed',
  async (key) => {
    const api = await openSandbox()
    expect(await outcome(api, 'GET', USERS, { key })).toBe('403 4100')
  },
)

test('a 400 names every malformed field and parameter', async () => {
  const api = await openSandbox()
  const path = '/payment/api/v1/fx-audit/nobody?page=-1&page=0&size=0'
  const { body } = await api.get<{ message: string }>(path)
  expect(body.message.split(' | ')).toHaveLength(3)
  expect(await outcome(api, 'GET', AUDIT)).toBe('200')
})
