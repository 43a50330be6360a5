import { expect, test } from 'vitest'
import type { Exchange } from '../../src/index.js'
import { keys } from '../support/fixture-ids.js'
import { openOwnSandbox } from '../support/open-sandbox.js'
import { payoutRequest } from '../support/requests.js'
import { scenarioFile } from '../support/scenario-file.js'

const PAYOUT = '/payment/api/v1/payout'

const openLogged = async (scenarios: string[] = []) => {
  const log: Exchange[] = []
  const api = await openOwnSandbox({ scenarios, log: (exchange) => log.push(exchange) })
  return { api, log }
}

test('the log names code and message of a refusal, of the service and of the control API', async () => {
  const { api, log } = await openLogged()
  await api.post(PAYOUT, { ...payoutRequest(), currency: 'ngn' })
  await api.post(PAYOUT, payoutRequest(), { key: null })
  await api.post('/_sandbox/snapshots', { name: '_' })
  await api.post(PAYOUT, payoutRequest())
  expect(log.map(({ status, code, message }) => ({ status, code, message }))).toEqual([
    { status: 400, code: '4000', message: expect.stringMatching(/^Invalid currency: got "ngn"/) },
    { status: 403, code: '4030', message: 'Missing authentication token' },
    { status: 400, code: '4000', message: expect.stringMatching(/^Invalid name: got "_"/) },
    { status: 200, code: undefined, message: undefined },
  ])
})

test('the log strikes a key out of the message of a refusal', async () => {
  const { api, log } = await openLogged()
  await api.post(PAYOUT, { ...payoutRequest(), currency: keys.full })
  expect(log[0]?.message).toContain('0001')
  expect(log[0]?.message).not.toContain(keys.full)
})

test('the log names the fault of an answer, of a cut connection and of a spoilt body', async () => {
  const rule = (then: string) =>
    `  - { when: request, if: { operation: createPayout }, limit: 1, then: [${then}] }`
  const rules = ['{ respond: { status: 503 } }', '{ drop: before }', '{ malform: html }']
  const { api, log } = await openLogged([scenarioFile('bad', rules.map(rule).join('\n'))])
  await api.post(PAYOUT, payoutRequest())
  await expect(api.post(PAYOUT, payoutRequest())).rejects.toThrow()
  await api.post(PAYOUT, payoutRequest())
  expect(log.map(({ status, fault, code }) => [status, fault, code])).toEqual([
    [503, 'bad/0', '5030'],
    [null, 'bad/1', undefined],
    [200, 'bad/2', undefined],
  ])
})

test.each([{ drop: 'after' }, { move: 'PAYOUT_FAILED' }, { patch: { status: 'ODD' } }])(
  'the log names amount and record of a request that takes an armed call: %j',
  async (then) => {
    const { api, log } = await openLogged()
    await api.make('/_sandbox/next', { operation: 'createPayout', then })
    await api.post(PAYOUT, { ...payoutRequest(), amount: '1500.00' }).catch(() => {})
    const id = api.sandbox.tables.payouts.all().at(-1)?.id
    expect(log.at(-1)).toMatchObject({ record: `payout ${id}`, amount: '1500.00 NGN' })
  },
)

test.each([undefined, { drop: 'after' }])(
  'the log names status and reason of a payout that fails at once, with the fault %j',
  async (then) => {
    const rule =
      '  - { when: payout.created, then: [{ move: PAYOUT_FAILED, reason: account_closed }] }'
    const { api, log } = await openLogged([scenarioFile('closed', rule)])
    if (then) await api.make('/_sandbox/next', { operation: 'createPayout', then })
    await api.post(PAYOUT, payoutRequest()).catch(() => {})
    const outcome = 'PAYOUT_FAILED account_closed'
    expect(log.at(-1)).toMatchObject({ status: then ? null : 200, outcome })
    const { items } = await api.read<{ items: object[] }>('/_sandbox/requests')
    expect(items[0]).toMatchObject({ outcome })
  },
)
