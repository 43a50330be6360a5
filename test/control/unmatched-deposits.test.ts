import { describe, expect, test } from 'vitest'
import { pagingCases } from '../support/cases/paging-cases.js'
import { type Client, expectRefusal } from '../support/client.js'
import { type Deposit, walletAddress } from '../support/control.js'
import { addresses, depositId } from '../support/fixture-ids.js'
import { invalid } from '../support/invalid.js'
import { moneyOf } from '../support/ledger.js'
import { openSandbox } from '../support/open-sandbox.js'
import type { List } from '../support/wire.js'

const path = '/_sandbox/deposits'
const over = 'fetch'
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

describe('listDeposits', () => {
  pagingCases({ over, path, defaultSize: 50, largestSize: 1_000 })

  test.each([
    ['', 17],
    ['?matched=offramp', 8],
    ['?matched=wallet', 8],
    ['?matched=unmatched', 1],
  ])('%s', async (query, count) => {
    const api = await openSandbox()
    const { items, pagination } = await api.read<List<Deposit>>(`${path}${query}`)
    expect(items).toHaveLength(count)
    expect(pagination).toEqual({ page: 0, size: 50, total_pages: 1, total_elements: count })
  })

  test('the newest first', async () => {
    const api = await openSandbox()
    const { items } = await api.read<List<Deposit>>(path)
    expect(items.map(({ id }) => id)).toEqual(
      Array.from({ length: 17 }, (_, n) => depositId(17 - n)),
    )
    const made = await receive(api, { address: addresses.adaEur, amount: 5 })
    expect((await api.read<List<Deposit>>(`${path}?size=1`)).items).toEqual([made])
  })

  test('a filter that there is not is refused', async () => {
    const api = await openSandbox()
    const words = invalid('matched', 'lost', '"offramp", "wallet", "unmatched"')
    expectRefusal(await api.get(`${path}?matched=lost`), 400, '4000', words)
  })
})
