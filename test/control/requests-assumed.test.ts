import { expect, test } from 'vitest'
import type { Client } from '../support/client.js'
import { transferId } from '../support/fixture-ids.js'
import { logged } from '../support/logged.js'
import { openOwnSandbox, openSandbox } from '../support/open-sandbox.js'
import { payoutRequest } from '../support/requests.js'
import { scenarioFile } from '../support/scenario-file.js'

const PAYOUT = '/payment/api/v1/payout'

/** The assumptions of the newest exchange. */
const assumedBy = async (call: (api: Client) => Promise<unknown>, times = 1): Promise<string[]> => {
  const api = await openSandbox()
  for (let n = 0; n < times; n++) await call(api)
  const { items } = await api.read<{ items: { assumed: string[] }[] }>('/_sandbox/requests?size=1')
  return items[0]?.assumed ?? []
}

const status = (n: number) => (api: Client) =>
  api.get(`/payment/api/v1/fx-audit/status/${transferId(n)}`)

test('a response of a rule relies on no assumption', async () => {
  const number = '00000005'
  const request = payoutRequest()
  const recipient_details = { ...request.recipient_details, recipient_account_number: number }
  const call = (api: Client) => api.post(PAYOUT, { ...request, recipient_details })
  expect(await assumedBy(call)).toEqual([])
})

test.each(['drop: after', 'drop: mid_body', 'reset: after', 'hang: after', 'malform: empty'])(
  'a change behind %s relies on its assumptions, a read and a refusal do not',
  async (step) => {
    const api = await openOwnSandbox({
      sleep: async () => {},
      scenarios: [scenarioFile('test', `  - { when: request, then: [{ ${step} }] }`)],
    })
    await api.post(PAYOUT, payoutRequest()).catch(() => {})
    await api.post(PAYOUT, { ...payoutRequest(), amount: '99999999.00' }).catch(() => {})
    await status(1)(api).catch(() => {})
    const hits = async (id: string) =>
      (await api.read<{ hits: number }>(`/_sandbox/assumptions/${id}`)).hits
    expect(await hits('payout.fee')).toBe(1)
    expect(await hits('payout.source')).toBe(1)
    expect(await hits('payout.status')).toBe(1)
    expect((await logged(api)).map(({ assumed }) => assumed.length > 0)).toEqual([
      false,
      false,
      true,
    ])
  },
)
