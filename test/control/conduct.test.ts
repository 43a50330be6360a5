import { expect, test } from 'vitest'
import { openOwnSandbox } from '../support/open-sandbox.js'
import { payoutRequest } from '../support/requests.js'
import { PAYOUT, send } from '../support/scenario-client.js'
import { scenarioFile } from '../support/scenario-file.js'

test('readConduct names a new id after a lost answer, and the habits that no request shows', async () => {
  const lost = scenarioFile('lost', '  - { when: request, then: [{ drop: after }], limit: 1 }')
  const api = await openOwnSandbox({ scenarios: [lost] })
  await send(api, PAYOUT, payoutRequest()).catch(() => {})
  await send(api, PAYOUT, { ...payoutRequest(), customer_payout_id: 'another' })
  const { body } = (await api.get('/_sandbox/conduct')) as { body: { conduct: unknown } }
  expect(body.conduct).toHaveLength(8)
  expect(body.conduct).toContainEqual({
    ...{ habit: 'id_reuse', state: 'note', text: 'another id', requests: [1, 2] },
  })
  expect(body.conduct).toContainEqual({
    ...{ habit: 'retry_after', state: 'not_seen', text: 'not seen', requests: [] },
  })
})
