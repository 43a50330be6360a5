import { describe, expect, test } from 'vitest'
import { type Client, expectRefusal } from '../support/client.js'
import { addresses, users } from '../support/fixture-ids.js'
import { offrampRequest, payoutRequest, userRequest, walletRequest } from '../support/requests.js'
import { missesOf, playing } from '../support/scenario-client.js'
import type { Audit, OfframpItem, User } from '../support/wire.js'

const USERS = '/onboarding/api/v1/users'
const ALL = '/onboarding/api/v1/users/all'
const WALLETS = '/payment/api/v1/custody-wallet'

const signUp = (api: Client): Promise<User> => api.make<User>(USERS, userRequest())

/** A user in the list of the service. */
const seen = async (api: Client, id: string): Promise<User | undefined> =>
  (await api.read<User[]>(ALL)).find((user) => user.id === id)

const askForWallet = (api: Client, user_id: string) =>
  api.post(WALLETS, { ...walletRequest(), user_id })

describe('kyc-rejected', () => {
  test('rejects the user after ten minutes with a reason', async () => {
    const api = await playing('kyc-rejected')
    const { id } = await signUp(api)
    api.sandbox.advance('599s')
    expect(await seen(api, id)).toHaveProperty('status', 'under_review')
    api.sandbox.advance('1s')
    expect(await seen(api, id)).toMatchObject({
      status: 'rejected',
      rejection_reasons: [
        { reason: 'Identity could not be verified', developer_reason: 'document_expired' },
      ],
    })
    expect(await missesOf(api, 'kyc-rejected')).toEqual([])
    expectRefusal(await askForWallet(api, id), 400, '4000', 'rejected')
    expect(await missesOf(api, 'kyc-rejected')).toEqual([expect.stringContaining('status 400')])
  })
})

describe('kyc-incomplete-then-approved', () => {
  test('lists the missing field, and approves the user a day later', async () => {
    const api = await playing('kyc-incomplete-then-approved')
    const { id } = await signUp(api)
    api.sandbox.advance('10m')
    expect(await seen(api, id)).toMatchObject({
      status: 'incomplete',
      requirements: ['identity.identity_document_front'],
    })
    api.sandbox.advance('1d')
    expect(await seen(api, id)).toMatchObject({ status: 'under_review' })
    api.sandbox.advance('1h')
    expect(await seen(api, id)).toMatchObject({ status: 'active' })
    expect((await askForWallet(api, id)).status).toBe(201)
    expect(await missesOf(api, 'kyc-incomplete-then-approved')).toEqual([])
  })
})

describe('account-paused', () => {
  test('pauses an approved user once for a day', async () => {
    const api = await playing('account-paused')
    const { id } = await signUp(api)
    api.sandbox.advance('2s')
    expect(await seen(api, id)).toHaveProperty('status', 'active')
    api.sandbox.advance('10m')
    expect(await seen(api, id)).toHaveProperty('status', 'paused')
    expectRefusal(await askForWallet(api, id), 400, '4000', 'paused')
    api.sandbox.advance('1d')
    expect(await seen(api, id)).toHaveProperty('status', 'active')
    expect((await askForWallet(api, id)).status).toBe(201)
    api.sandbox.advance('30d')
    expect(await seen(api, id)).toHaveProperty('status', 'active')
    expect(await missesOf(api, 'account-paused')).toEqual([])
  })

  test('converts deposits of a paused user', async () => {
    const api = await playing('account-paused')
    await api.make(`/_sandbox/users/${users.ada}/status`, { status: 'paused' })
    await api.make(`/_sandbox/users/${users.ada}/status`, { status: 'active' })
    api.sandbox.advance('10m')
    for (const [path, body] of [
      ['/payment/api/v1/payout', payoutRequest()],
      [WALLETS, walletRequest()],
      ['/payment/api/v1/offramp', offrampRequest()],
    ] as const) {
      expectRefusal(await api.post(path, body), 400, '4000', 'paused')
    }
    await api.make('/_sandbox/deposits', { address: addresses.adaEur, amount: '100' })
    api.sandbox.advance('10m')
    const { transactions } = await api.read<Audit<OfframpItem>>(
      `/payment/api/v1/offramp-audit/${users.ada}?size=1`,
    )
    expect(transactions).toMatchObject([{ crypto_amount: 100, status: 'payment_processed' }])
  })
})
