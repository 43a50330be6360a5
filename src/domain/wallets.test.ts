import { describe, expect, test } from 'vitest'
import { BY, emptyWorld, fixtures as given } from '../../test/support/domain-world.js'
import { chainTotals, tokenTotals } from './wallets.js'

describe('tokenTotals', () => {
  test.each(['polygon', 'solana'])('keeps the decimals that a token has only on %s', (finest) => {
    const tokens = given.tokens.map((it) =>
      it.symbol === 'USDC' && it.chain === finest ? { ...it, decimals: 9 } : it,
    )
    const world = emptyWorld()
    const set = { ...given, tokens, wallets: [], deposits: [], payouts: [] }
    world.run('fixtures.load', { ...set, instructions: [], offramps: [], transfers: [] }, BY)
    for (const [i, chain] of ['polygon', 'solana'].entries()) {
      const customer_wallet_ref = `eeeeeeee-eeee-4eee-8eee-00000000000${i}`
      const user_id = given.users[0]?.id ?? ''
      const input = { user_id, chain, customer_wallet_ref }
      const { wallet } = world.run('wallet.create', input, BY)
      const amount = chain === finest ? '0.000000001' : '1.5'
      world.run('deposit.receive', { address: wallet.wallet_address, amount }, BY)
    }
    const { tables } = world
    const shown = (all: ReturnType<typeof chainTotals>) =>
      all.filter(({ token }) => token.symbol === 'USDC').map(({ amount }) => amount)
    expect(shown(tokenTotals(tables))).toEqual(['1.500000001'])
    const [first] = tables.tokens.list('symbol', 'USDC')
    expect(tokenTotals(tables).map(({ token }) => token)).toContain(first)
    expect(shown(chainTotals(tables))).toEqual(expect.arrayContaining(['0.000000001', '1.500000']))
  })
})
