import { expect, test } from 'vitest'
import { isDelivered } from '../../src/history/delivered.js'
import { logged } from '../support/logged.js'
import { openOwnSandbox } from '../support/open-sandbox.js'
import { payoutRequest } from '../support/requests.js'
import { PAYOUT, send } from '../support/scenario-client.js'
import { scenarioFile } from '../support/scenario-file.js'

test.each([
  ['delay_ms: 1', true],
  ['patch: { rail_fee: 1 }', true],
  ['respond: { status: 503 }', true],
  ['drop: before', false],
  ['drop: after', false],
  ['drop: mid_body', false],
  ['reset: after', false],
  ['hang: after', false],
  ['malform: truncated_json', false],
  ['malform: html', false],
  ['malform: wrong_content_type', false],
  ['malform: empty', false],
])('%s: the response counts as delivered: %s', async (step, delivered) => {
  const api = await openOwnSandbox({
    sleep: async () => {},
    scenarios: [scenarioFile('test', `  - { when: request, then: [{ ${step} }] }`)],
  })
  await send(api, PAYOUT, payoutRequest()).catch(() => {})
  expect((await logged(api)).map(isDelivered)).toEqual([delivered])
})

test.each([{ pending: true }, { aborted_ms: 0 }])('a response with %j is not delivered', (more) => {
  const response = { status: 200, pending: false, garbled: false }
  expect([response, { ...response, ...more }].map(isDelivered)).toEqual([true, false])
})
