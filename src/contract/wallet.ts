import * as z from 'zod'
import type { Readings } from '../assumptions/use.js'
import { toNumber } from '../domain/money.js'
import type { Wallet } from '../domain/schema.js'
import type { TokenBalance } from '../domain/wallets.js'
import { chain, uuid } from './fields.js'
import { documented, observed } from './provenance.js'

export const walletRequest = z
  .object({
    user_id: documented(uuid(), 'Owner of the wallet', '11111111-1111-4111-8111-000000000001'),
    chain: documented(chain(), 'Blockchain network', 'polygon'),
    customer_wallet_ref: documented(
      uuid(),
      'Your own reference of the wallet',
      'b0b00000-0000-4000-8000-000000000001',
      'wallet.repeat',
    ),
  })
  .meta({ id: 'CustodyWalletRequest' })

export const balanceEntry = z
  .object({
    balance: documented(z.number(), 'Balance of the token', 250.5),
    crypto: documented(z.string(), 'Token symbol, in lower case', 'usdc'),
    contract_address: documented(
      z.string(),
      'Contract address of the token on the chain',
      '0x3c499c542cEF5E3811e1192ce70d8cC03d5c3359',
    ),
  })
  .meta({ id: 'BalanceEntry' })

export const wallet = z
  .object({
    id: documented(z.uuid(), 'Identifier of the wallet', '33333333-3333-4333-8333-000000000001'),
    crypto: documented(z.string().nullable(), 'Primary token; null when not set', null),
    balances: documented(
      z.array(balanceEntry).nullable(),
      'Null in the create response, populated when the wallet is read',
      null,
    ),
    blockchain: documented(z.string(), 'Blockchain network', 'polygon'),
    status: observed(z.string(), 'ACTIVE is the one observed value', 'ACTIVE', 'wallet.status'),
    user_id: documented(z.uuid(), 'Owner', '11111111-1111-4111-8111-000000000001'),
    wallet_address: documented(
      z.string(),
      'Address on the chain',
      '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
    ),
    customer_wallet_ref: documented(
      z.guid(),
      'Your own reference of the wallet',
      'b0b00000-0000-4000-8000-000000000001',
    ),
  })
  .meta({ id: 'CustodyWallet' })

export const totalBalances = documented(
  z.array(balanceEntry),
  'One entry per supported token',
  undefined,
  'balance.total',
)

export const cryptoBalancePath = z.object({
  crypto: documented(
    z.string(),
    'Token symbol, for example USDC or USDT',
    'USDC',
    'crypto.unknown',
  ),
  blockchain: documented(
    z.string(),
    'Network, for example solana, ethereum or polygon',
    'polygon',
    'crypto.unknown',
  ),
  user_id: documented(uuid(), 'The user', '11111111-1111-4111-8111-000000000001'),
})

export const cryptoBalance = documented(
  z.number(),
  'A bare decimal number: the user’s balance of the token, in USD',
  250.5,
  'balance.scope',
)

/** `balances` is null in the create response. */
export const toWalletResponse = (
  record: Wallet,
  balances: z.input<typeof wallet>['balances'] = null,
): z.input<typeof wallet> => ({
  id: record.id,
  crypto: null,
  balances,
  blockchain: record.blockchain,
  status: record.status,
  user_id: record.user_id,
  wallet_address: record.wallet_address,
  customer_wallet_ref: record.customer_wallet_ref,
})

/** wallet.status can make a new wallet PENDING. */
export const toNewWalletResponse = (
  record: Wallet,
  readings: Readings,
): z.input<typeof wallet> => ({
  ...toWalletResponse(record),
  status: readings.wallet.status === 'active' ? record.status : 'PENDING',
})

export const toBalanceResponse = ({
  token,
  amount,
}: TokenBalance): z.input<typeof balanceEntry> => ({
  balance: toNumber(amount),
  crypto: token.symbol.toLowerCase(),
  contract_address: token.contract_address,
})
