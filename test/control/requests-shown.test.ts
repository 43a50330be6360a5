import { beforeEach, describe, expect, test } from 'vitest'
import type { Payout } from '../../src/domain/schema.js'
import type { Client } from '../support/client.js'
import { accounts, transferId, users } from '../support/fixture-ids.js'
import { newest } from '../support/logged.js'
import { openOwnSandbox, openSandbox } from '../support/open-sandbox.js'
import { consentRequest, offrampRequest, payoutRequest, userRequest } from '../support/requests.js'
import { PAYOUT, send } from '../support/scenario-client.js'
import { scenarioFile } from '../support/scenario-file.js'

let api: Client

beforeEach(async () => {
  api = await openSandbox()
})

const USERS = '/onboarding/api/v1/users'
const OFFRAMP = '/payment/api/v1/offramp'
const STATUS = `/payment/api/v1/fx-audit/status/${transferId(1)}`

const shown = async () => (await newest(api)).shown

test('a response about one record shows its id and status', async () => {
  const user = await api.make<{ id: string }>(USERS, userRequest())
  expect(await shown()).toEqual([[user.id, 'under_review']])
  const { id } = await api.make<Payout>(PAYOUT, { ...payoutRequest(), amount: '1.00' })
  expect(await shown()).toEqual([[id, 'PAYOUT_PROCESSED']])
  await api.get(STATUS)
  const { status } = api.sandbox.tables.transfers.get(transferId(1)) ?? {}
  expect(await shown()).toEqual([[transferId(1), status]])
  await api.make(OFFRAMP, offrampRequest())
  expect(await shown()).toEqual([])
})

test.each(['offramp-audit', 'fx-audit'])('%s shows transfers under any spelling', async (list) => {
  const headers = { 'x-sandbox-reading': 'audit.spelling=upper' }
  await api.get(`/payment/api/v1/${list}/${users.ada}?size=2`, { headers })
  const pairs = await shown()
  const { transfers } = api.sandbox.tables
  expect(pairs).toEqual(pairs.map(([id]) => [id, transfers.get(id)?.status]))
  expect(pairs).toHaveLength(2)
})

test('a list shows at most 100 records, and marks that there are more', async () => {
  const few = api.sandbox.tables.users.size
  for (let n = few; n <= 100; n++) {
    const consent_id = JSON.parse(
      (await send(api, '/onboarding/api/v1/tnc', consentRequest())).text,
    )
    const { identity, ...user } = userRequest()
    const identity_number = `A0000${n}`
    await send(api, USERS, {
      ...user,
      consent_id,
      email_address: `${n}@example.com`,
      identity: { ...identity, identity_number },
    })
    if (n !== few && n !== 99 && n !== 100) continue
    await api.get(`${USERS}/all`)
    const { shown, shown_more } = await newest(api)
    expect([shown.length, shown_more]).toEqual([Math.min(n + 1, 100), n === 100])
  }
})

test.each(['rule', 'forbidden'])('a refusal because of a status shows it: %s', async (gate) => {
  const headers = gate === 'rule' ? {} : { 'x-sandbox-reading': `user.gate=${gate}` }
  await api.post(OFFRAMP, { user_id: users.paused, account_id: accounts.pausedGbp }, { headers })
  expect(await shown()).toEqual([[users.paused, 'paused']])
  await api.post(PAYOUT, { ...payoutRequest(), amount: '99999999.00' })
  expect(await shown()).toEqual([])
})

describe('a rule', () => {
  const transfer = [[transferId(1), 'PAYMENT_PROCESSED']]

  test.each([
    ['patch: { fees: absent, source_info: { sender_name: X } }', transfer],
    ['patch: { status: PENDING }', []],
    ['patch: { id: absent }', []],
    ['respond: { status: 200, body: {} }', []],
    ['malform: html', []],
    ['drop: mid_body', []],
    ['drop: after', []],
    ['delay_ms: 1', transfer],
  ])('with %s shows %j', async (step, expected) => {
    api = await openOwnSandbox({
      sleep: async () => {},
      scenarios: [scenarioFile('test', `  - { when: request, then: [{ ${step} }] }`)],
    })
    await send(api, STATUS).catch(() => {})
    expect(await shown()).toEqual(expected)
  })

  test.each([
    ['transactions: { fees: 1 }', 1],
    ['transactions: { status: x }', 0],
    ['transactions: []', 0],
  ])('that patches a list with %s shows %d of its records', async (patch, count) => {
    const rule = `  - { when: request, then: [{ patch: { ${patch} } }] }`
    api = await openOwnSandbox({ scenarios: [scenarioFile('test', rule)] })
    await send(api, `/payment/api/v1/fx-audit/${users.ada}?size=1`)
    expect(await shown()).toHaveLength(count)
  })

  test('with stale shows the status of that time', async () => {
    const rule = '  - { when: request, if: { operation: listUsers }, then: [{ stale: 1h }] }'
    api = await openOwnSandbox({ clock: 'manual', scenarios: [scenarioFile('test', rule)] })
    api.sandbox.advance('2h')
    api.sandbox.run('user.move', { id: users.paused, to: 'active' })
    await send(api, `${USERS}/all`)
    expect(await shown()).toContainEqual([users.paused, 'paused'])
  })
})

test('HEAD shows nothing', async () => {
  await api.call('HEAD', STATUS)
  expect(await shown()).toEqual([])
})
