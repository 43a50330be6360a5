import { expect, test } from 'vitest'
import { openOwnSandbox } from '../support/open-sandbox.js'
import { payoutRequest } from '../support/requests.js'

test('an error of the control API lists its problems, and one of the service has only the fields of the contract', async () => {
  const api = await openOwnSandbox()
  const wrong = { operation: 'createPayot', times: 0, then: { drop: 'after' } }
  const { status, body } = await api.post<Record<string, unknown>>('/_sandbox/next', wrong)
  expect(status).toBe(400)
  expect(body.problems).toMatchObject([
    { field: 'operation', received: '"createPayot"', hint: 'Did you mean "createPayout"?' },
    { field: 'times', received: '0', expected: expect.any(String) },
  ])
  const refused = await api.post<object>('/payment/api/v1/payout', {
    ...payoutRequest(),
    amount: 1,
  })
  expect(refused.status).toBe(400)
  expect(refused.body).not.toHaveProperty('problems')
})
