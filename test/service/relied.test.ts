import { describe, expect, test } from 'vitest'
import { type AssumptionId, DEFAULT_READINGS } from '../../src/assumptions/ids.js'
import { assumptions } from '../../src/assumptions/register/index.js'
import { choose } from '../readings/chosen.js'
import type { Client } from '../support/client.js'
import { startTransfer } from '../support/control.js'
import { copyFixtures, editRecord } from '../support/fixture-folder.js'
import { addresses, transferId, users } from '../support/fixture-ids.js'
import { openOwnSandbox, openSandbox } from '../support/open-sandbox.js'
import { userRequest } from '../support/requests.js'
import { scenarioFile } from '../support/scenario-file.js'

// test/readings/exact.test.ts proves which assumptions an answer lists. Here are worlds that it does not reach: other
// readings, other fixtures, strict.

const AUDIT = '/payment/api/v1/fx-audit'
const assumedBy = (answer: { readonly headers: Headers }) =>
  answer.headers.get('x-sandbox-assumed') ?? ''
const statusOf = async (api: Client, id: string, headers: Record<string, string> = {}) =>
  assumedBy(await api.get(`${AUDIT}/status/${id}`, { headers }))

test('a transfer whose amounts are not shown rests on nothing that is about them', async () => {
  const headers = { 'x-sandbox-reading': 'transfer.unconverted=null' }
  const reported = await statusOf(await openSandbox(), transferId(8), headers)
  expect(reported).toContain('transfer.unconverted=null')
  expect(reported).not.toMatch(/transfer\.(rate|fees_currency)=/)
})

test('transfers without fees do not rest on what is said of fees', async () => {
  const fixtures = copyFixtures()
  for (const rail of [0, 1, 2, 3, 4, 5])
    editRecord(fixtures, 'rails.json', rail, { transfer_fee: '0' })
  const api = await openOwnSandbox({ fixtures })
  const { id } = await startTransfer(api)
  expect(await statusOf(api, id)).not.toContain('transfer.fees_currency=')
  expect(assumedBy(await api.get(`${AUDIT}/${users.ada}?size=1`))).not.toMatch(
    /transfer\.fees_currency=|transfer_audit\.target_amount=/,
  )
})

test('a user who is created is under review, whatever becomes of it at once', async () => {
  const rejected = '  - { when: user.created, then: [{ move: rejected }] }'
  const api = await openOwnSandbox({ scenarios: [scenarioFile('test', rejected)] })
  const answer = await api.post<{ id: string }>('/onboarding/api/v1/users', userRequest())
  expect(answer.body).toMatchObject({ status: 'under_review', rejection_reasons: null })
  expect(api.sandbox.tables.users.get(answer.body.id)?.status).toBe('rejected')
  const open: readonly AssumptionId[] = [
    'user.transitions',
    'user.rejection_reasons',
    'user.requirements',
  ]
  for (const id of open) expect(assumptions[id].operations).not.toContain('createUser')
})

const OFFRAMPS = '/payment/api/v1/offramp-audit'
const auditsOf = async (api: Client, user: string, query = '', headers = {}) => {
  const paths = [`${OFFRAMPS}/${user}${query}`, `${AUDIT}/${user}${query}`]
  return Promise.all(paths.map(async (path) => assumedBy(await api.get(path, { headers }))))
}
const deposit = (api: Client, more: object) =>
  api.make('/_sandbox/deposits', { address: addresses.adaEur, amount: '100', ...more })

describe('crypto that was kept aside, which another reading would list', () => {
  const usdt = { crypto: 'USDT', chain: 'ethereum' }

  test('so that strict refuses them', async () => {
    const readings = Object.entries(DEFAULT_READINGS)
      .filter(([id]) => id !== 'offramp.other_token')
      .map(([id, reading]) => `${id}=${reading}`)
    const api = await openSandbox({ strict: true, readings })
    const read = () => api.get<{ message?: string }>(`${OFFRAMPS}/${users.ada}`)
    expect((await read()).status).toBe(200)
    await deposit(api, usdt)
    const { status, body } = await read()
    expect(status).toBe(501)
    expect(body.message).toContain('offramp.other_token')
  })

  test('the transfer audit does not assume it where it lists no offramps', async () => {
    const api = await openSandbox()
    await deposit(api, usdt)
    const headers = { 'x-sandbox-reading': 'transfer_audit.offramps=left_out' }
    const [offramps, transfers] = await auditsOf(api, users.ada, '', headers)
    expect(offramps).toContain('offramp.other_token=unmatched')
    expect(transfers).not.toContain('offramp.other_token')
  })

  test('a balance assumes it where it counts pending deposits', async () => {
    const api = await openSandbox()
    await deposit(api, usdt)
    const balance = async (asset: string, reading: string) => {
      const headers = { 'x-sandbox-reading': `balance.scope=${reading}` }
      return assumedBy(
        await api.get(`${OFFRAMPS}/crypto-balance/${asset}/${users.ada}`, { headers }),
      )
    }
    expect(await balance('USDT/ethereum', 'wallets')).not.toContain('other_token')
    expect(await balance('USDT/ethereum', 'with_offramps')).toContain('other_token=unmatched')
    expect(await balance('USDC/ethereum', 'with_offramps')).not.toContain('other_token')
    await choose(api, 'offramp.other_token', 'converted')
    await deposit(api, { ...usdt, chain: 'polygon' })
    expect(await balance('USDT/polygon', 'wallets')).not.toContain('other_token')
    expect(await balance('USDT/polygon', 'with_offramps')).toContain('other_token=converted')
  })

  test('a deposit below the fee is an assumption of every page, listed or not', async () => {
    for (const reading of ['failed', 'unmatched']) {
      const api = await openSandbox()
      for (const reported of await auditsOf(api, users.ada))
        expect(reported).not.toContain('below_fee')
      await choose(api, 'offramp.below_fee', reading)
      await deposit(api, { amount: '0.5' })
      for (const query of ['', '?page=9']) {
        for (const reported of await auditsOf(api, users.ada, query)) {
          expect(reported).toContain(`offramp.below_fee=${reading}`)
        }
      }
    }
  })
})
