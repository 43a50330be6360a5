import { describe, expect, test } from 'vitest'
import { BY, fixtureWorld, fixtures as given } from '../../test/support/domain-world.js'
import { audit } from './audit.js'
import type { DepositInput } from './deposits.js'
import type { Tables } from './schema.js'
import { walletBalances } from './wallets.js'

const open = () => {
  const world = fixtureWorld()
  const deposit = (input: DepositInput) => world.run('deposit.receive', input, BY)
  return { world, tables: world.tables, deposit }
}

const instructionOn = (chain: string) => {
  const found = given.instructions.find((it) => it.chain === chain)
  if (!found) throw new Error(`the fixtures have no instruction on ${chain}`)
  return found
}
const walletOn = (chain: string) => {
  const found = given.wallets.find((it) => it.blockchain === chain)
  if (!found) throw new Error(`the fixtures have no wallet on ${chain}`)
  return found
}

/** Balances of a wallet above zero. */
const held = (tables: Tables, id: string): Record<string, string> => {
  const wallet = tables.wallets.get(id)
  const balances = wallet ? walletBalances(tables, wallet) : []
  return Object.fromEntries(
    balances
      .filter(({ amount }) => Number(amount) > 0)
      .map(({ token, amount }) => [token.id, amount]),
  )
}

const unmatched = (tables: Tables, asset: string): string =>
  audit(tables).assets.find((it) => it.asset === asset)?.accounts.unmatched ?? '0'

describe('deposits that no reading converts', () => {
  test.each([
    { crypto: 'USDC', chain: 'moon' },
    { crypto: 'DOGE', chain: 'polygon' },
  ])('stay unmatched without an assumption: %j', (token) => {
    const made = open().deposit({
      address: instructionOn('polygon').address,
      amount: '5',
      ...token,
    })
    expect(made.matched).toBe('unmatched')
    expect(made).not.toHaveProperty('kept')
  })
})

describe('deposits to an offramp', () => {
  test('match any spelling of the address and the token', () => {
    const { tables, deposit } = open()
    const { address } = instructionOn('polygon')
    const made = deposit({
      address: address.toLowerCase(),
      amount: '1',
      crypto: 'usdc',
      chain: 'Polygon',
    })
    expect(made).toMatchObject({ matched: 'offramp', crypto: 'USDC', chain: 'polygon' })
    expect(tables.transfers.get(made.transfer_id ?? '')?.source.masked_details).toBe(
      `${address.slice(0, 6)}****${address.slice(-4)}`,
    )
  })
})

describe('deposits to a wallet', () => {
  test.each([
    ['of another chain', { chain: 'polygon' }],
    ['of a token that the chain lacks', { crypto: 'DOGE' }],
    ['of a token that the other chain lacks', { crypto: 'DOGE', chain: 'polygon' }],
    ['of a chain where the address is none', { chain: 'solana' }],
  ])('stays unmatched when it is %s', (_, came) => {
    const { tables, deposit } = open()
    const { id, wallet_address: address } = walletOn('ethereum')
    const before = held(tables, id)
    const made = deposit({ address, amount: '5', ...came })
    expect(made).toMatchObject({ matched: 'unmatched', wallet_id: null })
    expect(made.reason).toContain('the wallet expects known tokens on ethereum')
    expect(held(tables, id)).toEqual(before)
  })
})

describe('deposits to an unknown address', () => {
  test.each([
    [`0x${'12'.repeat(20)}`, 'ethereum'],
    ['EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v', 'solana'],
    ['TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t', 'tron'],
    ['somewhere', 'unknown'],
  ])('at %s are unmatched, on chain %s', (address, chain) => {
    const { tables, deposit } = open()
    const asset = `USDC@${chain}`
    const before = Number(unmatched(tables, asset))
    expect(deposit({ address, amount: '3' })).toMatchObject({
      address,
      chain,
      matched: 'unmatched',
      reason: 'no offramp and no wallet has this address',
    })
    expect(Number(unmatched(tables, asset))).toBe(before + 3)
    expect(audit(tables).violations).toEqual([])
  })
})
