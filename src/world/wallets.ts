import { addressKey, addressOf } from './addresses.js'
import { assetOf, chainOf, type Token } from './chains.js'
import { broken } from './kernel/refusal.js'
import { layout, type Row } from './kernel/table.js'
import { balanceOf } from './ledger.js'
import { type Amount, round, ZERO } from './money.js'
import { assertAdmitted, userOf } from './users.js'
import type { Tables, Tx } from './world.js'

/** A custody wallet of a user on a chain (contract, Resources, Custody wallet). */
export interface Wallet extends Row {
  readonly user_id: string
  readonly blockchain: string
  readonly status: 'ACTIVE'
  readonly wallet_address: string
  readonly customer_wallet_ref: string
  readonly created_at: string
}

export const walletsLayout = layout<Wallet>()({
  all: () => '',
  user: (wallet) => wallet.user_id,
  ref: (wallet) => wallet.customer_wallet_ref,
  address: (wallet) => addressKey(wallet.wallet_address),
})

export interface WalletInput {
  readonly user_id: string
  readonly chain: string
  readonly customer_wallet_ref: string
}

/**
 * Creates a wallet, or answers the one that already has this reference (reading wallet.repeat).
 * Refusals in order: unknown user, a reference used otherwise, user not active, unknown chain.
 */
export const createWallet = (tx: Tx, input: WalletInput): { wallet: Wallet; created: boolean } => {
  const user = userOf(tx.tables, input.user_id)
  const known = tx.tables.wallets.first('ref', input.customer_wallet_ref)
  if (known) return { wallet: sameWallet(known, input), created: false }
  assertAdmitted(tx, user)
  const chain = chainOf(tx.tables, input.chain)
  const wallet = tx.add('wallets', {
    id: tx.uuid(),
    n: tx.tables.wallets.next,
    user_id: input.user_id,
    blockchain: chain.id,
    status: 'ACTIVE',
    wallet_address: addressOf(chain.family, tx.bytes()),
    customer_wallet_ref: input.customer_wallet_ref,
    created_at: tx.at,
  })
  tx.emit({ type: 'wallet.created', id: wallet.id })
  return { wallet, created: true }
}

const sameWallet = (known: Wallet, input: WalletInput): Wallet => {
  const differs =
    known.user_id !== input.user_id
      ? 'user_id'
      : known.blockchain !== input.chain
        ? 'chain'
        : undefined
  if (!differs) return known
  throw broken(
    'customer_wallet_ref',
    `${input.customer_wallet_ref} already names wallet ${known.id} with another ${differs}`,
  )
}

export interface TokenBalance {
  readonly token: Token
  readonly amount: Amount
}

const held = (tables: Tables, account: string, token: Token): Amount => {
  const amount = balanceOf(tables, account, token.id)
  return amount ? round(amount, token.decimals) : round(ZERO, token.decimals)
}

/** One entry for each token of the wallet's chain, zero included. */
export const walletBalances = (tables: Tables, wallet: Wallet): TokenBalance[] =>
  tables.tokens
    .list('all', '')
    .filter((token) => token.chain === wallet.blockchain)
    .map((token) => ({ token, amount: held(tables, `wallet:${wallet.id}`, token) }))

/** What all wallets hold together, one entry for each token and chain (reading balance.total). */
export const totalBalances = (tables: Tables): TokenBalance[] =>
  tables.tokens.list('all', '').map((token) => ({ token, amount: held(tables, 'wallet', token) }))

/** What a user's wallets on the token's chain hold of it together; zero without such a wallet. */
export const userTokenBalance = (tables: Tables, user_id: string, token: Token): Amount => {
  let sum = ZERO
  for (const wallet of tables.wallets.list('user', user_id)) {
    if (wallet.blockchain !== token.chain) continue
    sum = sum.plus(
      balanceOf(tables, `wallet:${wallet.id}`, assetOf(token.symbol, token.chain)) ?? 0,
    )
  }
  return round(sum, token.decimals)
}
