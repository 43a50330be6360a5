import { describe, expect, test } from 'vitest'
import { openSandbox } from '../support/open-sandbox.js'
import type { BalanceEntry, List } from '../support/wire.js'

const path = '/payment/api/v1/custody-wallet/total-balances'

/** All tokens with their contract addresses, and what the wallets of the fixtures hold of them. */
const HELD: readonly [string, string, number][] = [
  ['usdc', '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48', 1_500],
  ['usdt', '0xdAC17F958D2ee523a2206206994597C13D831ec7', 400 + 300],
  ['usdc', '0x3c499c542cEF5E3811e1192ce70d8cC03d5c3359', 750.25 + 125],
  ['usdt', '0xc2132D05D31c914a87C6611C10748AEb04B58e8F', 0],
  ['usdc', '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913', 0],
  ['usdc', '0xaf88d065e77c8cC2239327C5EDb3A432268e5831', 0],
  ['usdt', '0xFd086bC7CD5C481DCC9C85ebE478A1C0b69FCbb9', 0],
  ['dai', '0xDA10009cBd5D07dd0CeCc66161FC93D7c9000da1', 0],
  ['usdc', 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v', 420.5 + 60.75],
  ['usdt', 'Es9vMFrzaCERmJfrF4H2FYD4KCoNkY11McCe8BenwNYB', 50],
  ['usdt', 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t', 0],
]

describe('getTotalCustodyBalances', () => {
  test('answers a bare array, one entry per token and chain, zero included', async () => {
    const api = await openSandbox()
    const entries = HELD.map(([crypto, contract_address, balance]) => ({
      balance,
      crypto,
      contract_address,
    }))
    expect(await api.read<BalanceEntry[]>(path)).toEqual(entries)
  })

  test('is the sum of all wallets, before and after a deposit', async () => {
    const api = await openSandbox()
    interface Holding {
      readonly wallet_address: string
      readonly balances: readonly BalanceEntry[]
    }
    const compare = async () => {
      const { items } = await api.read<List<Holding>>('/_sandbox/wallets')
      for (const { contract_address, balance } of await api.read<BalanceEntry[]>(path)) {
        const held = items
          .flatMap(({ balances }) => balances)
          .filter((it) => it.contract_address === contract_address)
        expect(held.reduce((sum, it) => sum + it.balance, 0)).toBe(balance)
      }
      return items
    }
    const [newest] = await compare()
    const address = newest?.wallet_address
    await api.make('/_sandbox/deposits', { address, amount: '0.5', crypto: 'usdt' })
    await compare()
  })

  test('query parameters are ignored, for there are none', async () => {
    const api = await openSandbox()
    expect(await api.read<BalanceEntry[]>(`${path}?size=1&size=2`)).toHaveLength(HELD.length)
  })
})
