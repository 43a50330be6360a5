import { expect, test } from 'vitest'
import type { Outcome, Verified } from '../../generated/api-types.js'
import type { Client } from '../support/client.js'
import { startTransfer } from '../support/control.js'
import { accounts, addresses, ownId, transferId, users } from '../support/fixture-ids.js'
import { openSandbox } from '../support/open-sandbox.js'
import { walletRequest } from '../support/requests.js'

const ALL = '/onboarding/api/v1/users/all'
const PENDING = { transfers: { shown: 'PENDING' } }

const outcome = async (api: Client, expectation: unknown): Promise<Outcome | undefined> =>
  (await api.make<Verified>('/_sandbox/verify', { expect: [expectation] })).results[0]

const isMet = async (api: Client, expectation: unknown) => (await outcome(api, expectation))?.ok

const moveUser = (api: Client, id: string, status: string) =>
  api.make(`/_sandbox/users/${id}/status`, { status })

test.each([
  [`/payment/api/v1/fx-audit/${users.ada}`, true],
  [`/payment/api/v1/fx-audit/${users.ada}?page=1`, false],
  [`/payment/api/v1/offramp-audit/${users.ada}`, true],
  [`/payment/api/v1/offramp-audit/${users.ada}?page=1`, false],
  [`/payment/api/v1/fx-audit/status/${transferId(1)}`, false],
])('a transfer of the run is shown by %s: %s', async (path, ok) => {
  const api = await openSandbox()
  await api.make('/_sandbox/deposits', { address: addresses.adaEur, amount: '100' })
  await api.get(path)
  expect(await isMet(api, PENDING)).toBe(ok)
})

test('a miss names the statuses that the client saw', async () => {
  const api = await openSandbox()
  const { id } = await startTransfer(api)
  await api.get(`/payment/api/v1/fx-audit/status/${id}`)
  api.sandbox.advance('2s')
  const missed = await outcome(api, { transfers: { status: 'PENDING', shown: ['FAILED'] } })
  expect(missed?.sentence).toBe(
    'transfers with status PENDING that a response showed as FAILED: 0 (at least 1)',
  )
  expect(missed?.candidates[0]?.differs).toContainEqual({
    field: 'shown',
    wanted: ['FAILED'],
    came: ['PENDING'],
  })
})

test('an unchanged fixture does not count as shown, a changed one does', async () => {
  const api = await openSandbox()
  await api.get(ALL)
  expect(await isMet(api, { users: { shown: 'paused' } })).toBe(false)
  await moveUser(api, users.ben, 'paused')
  expect(await isMet(api, { users: { shown: 'paused' } })).toBe(false)
  await api.get(ALL)
  expect(await isMet(api, { users: { shown: 'paused' }, count: 1 })).toBe(true)
})

test('a refusal because of a status shows it, and what follows is after it', async () => {
  const api = await openSandbox()
  const wallet = { requests: { operation: 'createCustodyWallet', status: 201 } }
  const after = { ...wallet, any_after: { users: { shown: 'paused' } } }
  await moveUser(api, users.ben, 'paused')
  await api.post('/payment/api/v1/custody-wallet', walletRequest())
  await api.post('/payment/api/v1/offramp', { user_id: users.ben, account_id: accounts.benEur })
  expect(await isMet(api, after)).toBe(false)
  await moveUser(api, users.ben, 'active')
  await api.post('/payment/api/v1/custody-wallet', {
    ...walletRequest(),
    customer_wallet_ref: ownId(3),
  })
  expect(await isMet(api, after)).toBe(true)
})

test('a status is missed, with the reason, if the request log no longer has the response', async () => {
  const api = await openSandbox({ requestLog: 1 })
  const { id } = await startTransfer(api)
  await api.get(`/payment/api/v1/fx-audit/status/${id}`)
  expect(await isMet(api, PENDING)).toBe(true)
  await api.get(`/payment/api/v1/fx-audit/${users.ben}`)
  const gone = ' (the request log keeps 1 older request no more)'
  const sentence = 'transfers that a response showed as PENDING: 0'
  expect(await outcome(api, PENDING)).toMatchObject({
    ok: false,
    sentence: `${sentence} (at least 1)${gone}`,
  })
  expect(await outcome(api, { ...PENDING, count: 0 })).toMatchObject({
    ok: false,
    sentence: `${sentence} (none)${gone}: there may have been more`,
  })
})
