import { expect, test } from 'vitest'
import type { Client } from '../support/client.js'
import { transferId } from '../support/fixture-ids.js'
import { logged } from '../support/logged.js'
import { openOwnSandbox } from '../support/open-sandbox.js'
import { payoutRequest } from '../support/requests.js'
import { scenarioFile } from '../support/scenario-file.js'

const PAYOUT = '/payment/api/v1/payout'

const status = (n: number) => (api: Client) =>
  api.get(`/payment/api/v1/fx-audit/status/${transferId(n)}`)

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
