import { describe, expect, test } from 'vitest'
import { isValidAddress } from '../support/addresses.js'
import { totalOf } from '../support/balances.js'
import { field, fieldCases } from '../support/cases/field-cases.js'
import { footprint, type Subject } from '../support/cases/subject.js'
import { expectRefusal } from '../support/client.js'
import { ownId, users } from '../support/fixture-ids.js'
import { openSandbox } from '../support/open-sandbox.js'
import { walletRequest } from '../support/requests.js'
import type { Wallet } from '../support/wire.js'
import { withField } from '../support/with-field.js'

const path = '/payment/api/v1/custody-wallet'
const subject: Subject = { method: 'POST', path, body: walletRequest, success: 201 }
const CHAINS = ['ethereum', 'polygon', 'base', 'arbitrum', 'solana', 'tron']
const ETHEREUM_USDC = '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48'

/** The contract's fields of a custody wallet, in the contract's order. */
const FIELDS = [
  'id',
  'crypto',
  'balances',
  'blockchain',
  'status',
  'user_id',
  'wallet_address',
  'customer_wallet_ref',
]

describe('createCustodyWallet', () => {
  fieldCases({ over: 'fetch', subject }, [
    field('user_id', 'uuid'),
    field('chain', 'chain'),
    field('customer_wallet_ref', 'uuid'),
  ])

  test.each(CHAINS)('makes a wallet on %s', async (chain) => {
    const api = await openSandbox()
    const answer = await api.post<Wallet>(path, { ...walletRequest(), chain })
    expect(answer.status).toBe(201)
    expect(Object.keys(answer.body)).toEqual(FIELDS)
    expect(answer.body).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      crypto: null,
      balances: null,
      blockchain: chain,
      status: 'ACTIVE',
      user_id: users.ada,
      wallet_address: expect.any(String),
      customer_wallet_ref: walletRequest().customer_wallet_ref,
    })
    expect(isValidAddress(chain, answer.body.wallet_address)).toBe(true)
  })

  test('every wallet has an id and an address of its own', async () => {
    const api = await openSandbox()
    const made: Wallet[] = []
    for (let n = 0; n < 10; n++) {
      const customer_wallet_ref = ownId(200 + n)
      made.push(await api.make<Wallet>(path, { ...walletRequest(), customer_wallet_ref }))
    }
    expect(new Set(made.map(({ id }) => id)).size).toBe(10)
    expect(new Set(made.map(({ wallet_address }) => wallet_address)).size).toBe(10)
  })

  describe('the same customer_wallet_ref again', () => {
    test('answers the same wallet', async () => {
      const api = await openSandbox()
      const first = await api.make<Wallet>(path, walletRequest())
      const before = footprint(api)
      const customer_wallet_ref = walletRequest().customer_wallet_ref.toUpperCase()
      const again = await api.post<Wallet>(path, { ...walletRequest(), customer_wallet_ref })
      expect(again.status).toBe(200)
      expect(again.body).toEqual(first)
      expect(footprint(api)).toEqual(before)
    })

    test('answers the same wallet when the user is no longer active', async () => {
      const api = await openSandbox()
      const first = await api.make<Wallet>(path, walletRequest())
      await api.make(`/_sandbox/users/${users.ada}/status`, { status: 'paused' })
      expect(await api.make<Wallet>(path, walletRequest())).toEqual(first)
    })

    test.each([
      ['user_id', users.ben],
      ['chain', 'solana'],
    ])('but another %s is refused', async (name, value) => {
      const api = await openSandbox()
      const { id } = await api.make<Wallet>(path, walletRequest())
      const answer = await api.post(path, withField(walletRequest(), name, value))
      const words = `already names wallet ${id} with another ${name}`
      expectRefusal(answer, 400, '4000', 'customer_wallet_ref: ', words)
    })
  })

  test.each(['Polygon', 'POLYGON', 'bitcoin', ' polygon', '__proto__', 'constructor'])(
    'chain %j is not known',
    async (chain) => {
      const api = await openSandbox()
      const before = footprint(api)
      const answer = await api.post(path, { ...walletRequest(), chain })
      const words = `Invalid chain: got ${JSON.stringify(chain)}. Expected a known chain: ${CHAINS.join(', ')}`
      expectRefusal(answer, 400, '4000', words)
      expect(footprint(api)).toEqual(before)
    },
  )

  test('crypto that arrives raises its balance, the total and the balance in USD', async () => {
    const api = await openSandbox()
    const request = { ...walletRequest(), user_id: users.hanna, chain: 'ethereum' }
    const { wallet_address: address } = await api.make<Wallet>(path, request)
    const inUsd = `/payment/api/v1/offramp-audit/crypto-balance/USDC/ethereum/${users.hanna}`
    expect(await api.read<number>(inUsd)).toBe(0)
    expect(await totalOf(api, ETHEREUM_USDC)).toBe(1_500)
    await api.make('/_sandbox/deposits', { address, amount: '12.345678' })
    await api.make('/_sandbox/deposits', { address: address.toLowerCase(), amount: 0.5 })
    expect(await totalOf(api, ETHEREUM_USDC)).toBe(1_512.845678)
    expect(await api.read<number>(inUsd)).toBe(12.845678)
    const again = await api.make<Wallet>(path, request)
    expect(again, 'the create response shows no balances').toHaveProperty('balances', null)
    expect(api.sandbox.audit().ok).toBe(true)
  })

  test('wallets of the fixtures have addresses that are valid on their chains', async () => {
    const api = await openSandbox()
    const wallets = api.sandbox.tables.wallets.all()
    expect(wallets).toHaveLength(6)
    for (const { blockchain, wallet_address } of wallets) {
      expect(isValidAddress(blockchain, wallet_address), wallet_address).toBe(true)
    }
  })
})
