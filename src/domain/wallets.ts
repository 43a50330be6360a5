import { alreadyExists, ruleViolation } from '../kernel/refusal.js'
import { deriveAddress } from './addresses.js'
import { ALL_WALLETS } from './balance-index.js'
import { findChain } from './chains.js'
import { getBalance } from './ledger.js'
import { type Amount, plus, round, ZERO } from './money.js'
import type { Tables, Token, Tx, Wallet } from './schema.js'
import { assertMayTransact, getUser } from './users.js'

export interface WalletInput {
  readonly user_id: string
  readonly chain: string
  readonly customer_wallet_ref: string
}

/**
 * A known reference returns its wallet (wallet.repeat). Refusals in order: unknown chain, unknown
 * user, reference of another request, user not active, chain taken.
 */
export const createWallet = (tx: Tx, input: WalletInput): { wallet: Wallet; created: boolean } => {
  const chain = findChain(tx.tables, input.chain)
  const user = getUser(tx.tables, input.user_id)
  const known = tx.tables.wallets.first('ref', input.customer_wallet_ref)
  const again = known && findRepeatedWallet(tx, known, input)
  if (again) {
    tx.emit({ type: 'wallet.repeated', id: again.id })
    return { wallet: again, created: false }
  }
  assertMayTransact(tx, user)
  assertChainFree(tx, user.id, chain.id)
  const wallet = tx.add('wallets', {
    id: tx.uuid(),
    n: tx.tables.wallets.next,
    user_id: input.user_id,
    blockchain: chain.id,
    status: 'ACTIVE',
    wallet_address: deriveAddress(chain.family, tx.bytes()),
    customer_wallet_ref: input.customer_wallet_ref,
    created_at: tx.at,
  })
  tx.emit({ type: 'wallet.created', id: wallet.id })
  return { wallet, created: true }
}

/** Some readings allow one wallet per chain (wallet.same_chain). */
const assertChainFree = (tx: Tx, user_id: string, chain: string): void => {
  const other = tx.tables.wallets.first('user_chain', `${user_id} ${chain}`)
  if (!other || tx.readings.wallet.same_chain === 'allowed') return
  throw alreadyExists('chain', `user ${user_id} has wallet ${other.id} on ${chain} already`)
}

/** Undefined if the request creates a second wallet (wallet.repeat). */
const findRepeatedWallet = (tx: Tx, known: Wallet, input: WalletInput): Wallet | undefined => {
  switch (tx.readings.wallet.repeat) {
    case 'same':
      return sameWallet(known, input)
    case 'conflict':
      throw alreadyExists(
        'customer_wallet_ref',
        `${known.customer_wallet_ref} already names a wallet`,
      )
    case 'second':
      return undefined
  }
}

const sameWallet = (known: Wallet, input: WalletInput): Wallet => {
  const differs =
    known.user_id !== input.user_id
      ? 'user_id'
      : known.blockchain !== input.chain
        ? 'chain'
        : undefined
  if (!differs) return known
  throw ruleViolation(
    'customer_wallet_ref',
    `${input.customer_wallet_ref} already names wallet ${known.id} with another ${differs}`,
  )
}

export interface TokenBalance {
  readonly token: Token
  readonly amount: Amount
}

const roundedBalance = (tables: Tables, account: string, token: Token): Amount =>
  round(getBalance(tables, account, token.id) ?? ZERO, token.decimals)

/** All tokens of the wallet's chain, zero included, and tokens of other chains that it holds. */
export const walletBalances = (tables: Tables, wallet: Wallet): TokenBalance[] => {
  const account = `wallet:${wallet.id}`
  return tables.tokens
    .list('all', '')
    .filter(({ id, chain }) => chain === wallet.blockchain || getBalance(tables, account, id))
    .map((token) => ({ token, amount: roundedBalance(tables, account, token) }))
}

/** One entry per token and chain. */
export const chainTotals = (tables: Tables): TokenBalance[] =>
  tables.tokens
    .list('all', '')
    .map((token) => ({ token, amount: roundedBalance(tables, ALL_WALLETS, token) }))

/** One entry per token; the first chain represents all. */
export const tokenTotals = (tables: Tables): TokenBalance[] => {
  const totals = new Map<string, TokenBalance>()
  for (const { token, amount } of chainTotals(tables)) {
    const known = totals.get(token.symbol)
    const sum = known
      ? round(plus(known.amount, amount), maxDecimals(tables, token.symbol))
      : amount
    totals.set(token.symbol, { token: known?.token ?? token, amount: sum })
  }
  return [...totals.values()]
}

/** A token can have more decimals on one chain than on another; the sum keeps all of them. */
const maxDecimals = (tables: Tables, symbol: string): number =>
  Math.max(...tables.tokens.list('symbol', symbol).map(({ decimals }) => decimals))

/** Undefined if the user has no wallet on the token's chain. */
export const userTokenBalance = (
  tables: Tables,
  user_id: string,
  token: Token,
): Amount | undefined => {
  const wallets = tables.wallets.list('user_chain', `${user_id} ${token.chain}`)
  if (wallets.length === 0) return undefined
  let sum = ZERO
  for (const { id } of wallets) sum = sum.plus(getBalance(tables, `wallet:${id}`, token.id) ?? ZERO)
  return round(sum, token.decimals)
}
