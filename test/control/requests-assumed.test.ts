import { expect, test } from 'vitest'
import type { Client } from '../support/client.js'
import { addresses, transferId, users } from '../support/fixture-ids.js'
import { logged } from '../support/logged.js'
import { openOwnSandbox, openSandbox } from '../support/open-sandbox.js'
import { payoutRequest, userRequest, walletRequest } from '../support/requests.js'
import { scenarioFile } from '../support/scenario-file.js'

const PAYOUT = '/payment/api/v1/payout'
const PAUSED = { user_id: users.paused, currency: 'GBP' }

/** The assumptions of the newest exchange. */
const assumedBy = async (call: (api: Client) => Promise<unknown>, times = 1): Promise<string[]> => {
  const api = await openSandbox()
  for (let n = 0; n < times; n++) await call(api)
  const { items } = await api.read<{ items: { assumed: string[] }[] }>('/_sandbox/requests?size=1')
  return items[0]?.assumed ?? []
}

const status = (n: number) => (api: Client) =>
  api.get(`/payment/api/v1/fx-audit/status/${transferId(n)}`)

test.each<[string, (api: Client) => Promise<unknown>, string[]]>([
  [
    'a payout',
    (api) => api.post(PAYOUT, payoutRequest()),
    [
      'payout.status=processed',
      'payout.fee=on_top',
      'payout.source=fiat',
      'time.form=milliseconds',
    ],
  ],
  ['a payout without key', (api) => api.post(PAYOUT, {}, { key: null }), ['payout.key=forbidden']],
  [
    'a payout beyond the balance of somebody who is paused',
    (api) => api.post(PAYOUT, { ...payoutRequest(), ...PAUSED }),
    ['error.order=shape_first', 'user.gate=refused', 'error.codes=sandbox'],
  ],
  [
    'a wallet',
    (api) => api.post('/payment/api/v1/custody-wallet', walletRequest()),
    [
      'created.status=mixed',
      'chain.spelling=lower',
      'wallet.same_chain=allowed',
      'wallet.status=active',
      'address.case=checksummed',
    ],
  ],
  [
    'a user without a name',
    (api) => api.post('/onboarding/api/v1/users', { ...userRequest(), first_name: undefined }),
    ['user.required=nearly_all', 'error.codes=sandbox'],
  ],
  [
    'an unknown path',
    (api) => api.get('/payment/api/v1/x'),
    ['error.codes=sandbox', 'path.unknown=not_found'],
  ],
  [
    'a page after the last',
    (api) => api.get(`/payment/api/v1/fx-audit/${users.ada}?page=9`),
    ['audit.pages=empty', 'transfer_audit.offramps=listed'],
  ],
])('%s relies on %j', async (_, call, expected) => {
  expect((await assumedBy(call)).toSorted()).toEqual(expected.toSorted())
})

test('a payout that comes again relies on how it is read', async () => {
  const again = async (api: Client) => {
    await api.post(PAYOUT, payoutRequest())
    api.sandbox.advance('1s')
  }
  expect(await assumedBy(again)).not.toContain('payout.repeat=current')
  expect(await assumedBy(again, 2)).toContain('payout.repeat=current')
})

test('a transfer under way relies on how times to come are shown, a finished one does not', async () => {
  expect(await assumedBy(status(1))).toContain('transfer.fees_currency=target')
  const lists: string[][] = []
  for (const n of [1, 2, 3, 4, 5, 6, 7]) lists.push(await assumedBy(status(n)))
  const unreached = lists.filter((list) => list.includes('transfer.unreached=null'))
  expect(unreached.length).toBeGreaterThan(0)
  expect(unreached.length).toBeLessThan(lists.length)
})

test('a transfer relies on the status of its user only if the user was inactive', async () => {
  const arrive = async (api: Client) => {
    const deposit = { address: addresses.adaEur, amount: '100' }
    const { transfer_id } = await api.make<{ transfer_id: string }>('/_sandbox/deposits', deposit)
    return transfer_id
  }
  const api = await openSandbox()
  const before = await arrive(api)
  await api.make(`/_sandbox/users/${users.ada}/status`, { status: 'paused' })
  const during = await arrive(api)
  await api.make(`/_sandbox/users/${users.ada}/status`, { status: 'active' })
  const reported = async (path: string) =>
    (await api.get(`/payment/api/v1/${path}`)).headers.get('x-sandbox-assumed')
  const name = 'deposit.inactive_user=converted'
  expect(await reported(`fx-audit/status/${before}`)).not.toContain(name)
  expect(await reported(`fx-audit/status/${during}`)).toContain(name)
  expect(await reported(`offramp-audit/${users.ada}?size=1`)).toContain(name)
  expect(await reported(`offramp-audit/${users.ada}?size=1&page=1`)).not.toContain(name)
  expect(await reported(`fx-audit/${users.ada}?size=1`)).toContain(name)
})

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
