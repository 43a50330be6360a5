import { describe, expect, test } from 'vitest'
import type { Client } from '../support/client.js'
import { type Deposit, walletAddress } from '../support/control.js'
import { addresses } from '../support/fixture-ids.js'
import { moneyOf } from '../support/ledger.js'
import { openSandbox } from '../support/open-sandbox.js'
import type { List } from '../support/wire.js'

const path = '/_sandbox/deposits'
const NOT_THERE = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'

const receive = (api: Client, body: object) => api.make<Deposit>(path, body)

describe('a deposit that nobody expects is kept aside', () => {
  const cases: [string, object, object][] = [
    [
      'another token than the address expects',
      { address: addresses.adaEur, crypto: 'USDT' },
      { chain: 'polygon', reason: 'the address expects USDC on polygon, not USDT on polygon' },
    ],
    [
      'another chain than the address expects',
      { address: addresses.adaEur, chain: 'base' },
      { crypto: 'USDC', reason: 'the address expects USDC on polygon, not USDC on base' },
    ],
    [
      'a token that nobody knows',
      { address: addresses.adaEur, crypto: 'DOGE' },
      { crypto: 'DOGE', reason: 'the address expects USDC on polygon, not DOGE on polygon' },
    ],
    [
      'an unknown address',
      { address: NOT_THERE },
      {
        crypto: 'USDC',
        chain: 'ethereum',
        address: NOT_THERE,
        reason: 'no offramp and no wallet has this address',
      },
    ],
    ['an unknown solana address', { address: '1'.repeat(32) }, { chain: 'solana' }],
    [
      'a solana address in another case',
      { address: addresses.adaNgn.toLowerCase() },
      { reason: 'no offramp and no wallet has this address' },
    ],
    ['an address that is none', { address: 'somewhere' }, { chain: 'unknown', crypto: 'USDC' }],
    [
      'a token and a chain that nobody knows',
      { address: 'somewhere', crypto: 'x', chain: '__proto__' },
      { crypto: 'X', chain: '__proto__' },
    ],
  ]
  test.each(cases)('%s', async (_, body, expected) => {
    const api = await openSandbox()
    const kept = await receive(api, { amount: '40', ...body })
    expect(kept).toMatchObject({
      matched: 'unmatched',
      amount: 40,
      user_id: null,
      wallet_id: null,
      offramp_id: null,
      transfer_id: null,
      ...expected,
    })
    const { items } = await api.read<List<Deposit>>(`${path}?matched=unmatched`)
    expect(items[0]).toEqual(kept)
    await moneyOf(api)
  })

  test('a wallet on another chain', async () => {
    const api = await openSandbox()
    const address = walletAddress(api, 2)
    expect(await receive(api, { address, amount: '40', chain: 'base' })).toMatchObject({
      matched: 'unmatched',
      wallet_id: null,
      reason: 'the wallet expects known tokens on polygon, not USDC on base',
    })
  })

  test('money of unmatched deposits is in the ledger', async () => {
    const api = await openSandbox()
    await receive(api, { address: 'somewhere', amount: '0.000001', crypto: 'DOGE' })
    expect((await moneyOf(api))['DOGE@unknown']).toEqual({
      unmatched: '0.000001',
      outside: '-0.000001',
    })
  })
})
