import { expect, test } from 'vitest'
import { type ChainFamily, isAddress } from '../../src/domain/addresses.js'
import { ownId, users } from '../support/fixture-ids.js'
import { openSandbox } from '../support/open-sandbox.js'
import { walletRequest } from '../support/requests.js'
import type { Instruction, Wallet } from '../support/wire.js'

test.each<[string, ChainFamily]>([
  ['ethereum', 'evm'],
  ['polygon', 'evm'],
  ['base', 'evm'],
  ['arbitrum', 'evm'],
  ['solana', 'solana'],
  ['tron', 'tron'],
])('wallets and offramps on %s have valid addresses of their own', async (chain, family) => {
  const api = await openSandbox()
  const seen: string[] = []
  for (let n = 0; n < 5; n++) {
    const request = { ...walletRequest(), chain, customer_wallet_ref: ownId(200 + n) }
    const wallet = await api.make<Wallet>('/payment/api/v1/custody-wallet', request)
    seen.push(wallet.wallet_address)
  }
  const crypto = chain === 'tron' ? 'USDT' : 'USDC'
  const { account_id } = await api.make<{ account_id: string }>(
    `/_sandbox/users/${users.hanna}/accounts`,
    { currency: 'EUR', account_number: '12345678', crypto, chain },
  )
  const request = { user_id: users.hanna, account_id }
  seen.push((await api.make<Instruction>('/payment/api/v1/offramp', request)).address)
  expect(new Set(seen).size).toBe(6)
  expect(seen.filter((address) => !isAddress(family, address))).toEqual([])
})
