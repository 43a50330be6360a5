import type { ReadingOf } from '../assumptions/ids.js'
import { alreadyExists, ruleViolation } from '../kernel/refusal.js'
import { deriveAddress } from './addresses.js'
import { ALL_WALLETS } from './balance-index.js'
import { findChain } from './chains.js'
import { type Doubled, findByClientId } from './client-ids.js'
import { getBalance } from './ledger.js'
import { type Amount, isZero, plus, round, ZERO } from './money.js'
import type { Chain, Tables, Token, Tx, Wallet } from './schema.js'
import { assertMayTransact, assertUserFirst, resolveUser } from './users.js'

export interface WalletInput {
  readonly user_id: string
  readonly chain: string
  /** The wallet's own id if absent (required.fields). */
  readonly customer_wallet_ref?: string | undefined
}

/**
 * A known reference returns its wallet (wallet.repeat). Refusals in order: unknown chain, unknown
 * user, reference of another request, user not active, chain taken.
 */
export const createWallet = (
  tx: Tx,
  input: WalletInput & Doubled,
): { wallet: Wallet; created: boolean } => {
  const chain = chainFor(tx, input)
  const user = resolveUser(tx.tables, input.user_id, (it) => tx.useReading(it))
  const { customer_wallet_ref: ref } = input
  const isFirst = ref === undefined || input.doubled
  const [known] = isFirst ? [] : findByClientId(tx, tx.tables.wallets, 'ref', ref, user.id)
  const again = known && findRepeatedWallet(tx, known, { ...input, chain: chain.id })
  if (again) {
    tx.emit({ type: 'wallet.repeated', id: again.id })
    return { wallet: again, created: false }
  }
  assertMayTransact(tx, user, 'wallet')
  assertChainFree(tx, user.id, chain.id)
  const id = tx.uuid()
  const wallet = tx.add('wallets', {
    id,
    n: tx.tables.wallets.next,
    user_id: input.user_id,
    blockchain: chain.id,
    status: 'ACTIVE',
    wallet_address: deriveAddress(chain.family, tx.bytes()),
    customer_wallet_ref: ref ?? id,
    created_at: tx.at,
  })
  tx.emit({ type: 'wallet.created', id: wallet.id })
  return { wallet, created: true }
}

/** Some readings allow one wallet per chain (wallet.same_chain). */
const assertChainFree = (tx: Tx, user_id: string, chain: string): void => {
  const other = tx.tables.wallets.first('user_chain', `${user_id} ${chain}`)
  if (!other || tx.useReading('wallet.same_chain') === 'allowed') return
  throw alreadyExists('chain', `user ${user_id} has wallet ${other.id} on ${chain} already`)
}

/** Undefined if the request creates a second wallet (wallet.repeat). */
const findRepeatedWallet = (tx: Tx, known: Wallet, input: WalletInput): Wallet | undefined => {
  switch (tx.useReading('wallet.repeat')) {
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

/** An unknown user may be refused before an unknown chain (error.order). */
const chainFor = (tx: Tx, { chain, user_id }: WalletInput): Pick<Chain, 'id' | 'family'> => {
  try {
    return findOrAcceptChain(tx, normalizeChainName(tx, chain))
  } catch (error) {
    assertUserFirst(tx.tables, user_id, (it) => tx.useReading(it))
    throw error
  }
}

/** Lower case, if any case is accepted (chain.spelling). */
const normalizeChainName = (tx: Tx, name: string): string => {
  const known = name.toLowerCase()
  if (known === name || !tx.tables.chains.get(known)) return name
  const spelling = tx.useReading('chain.spelling')
  return spelling === 'any_case' || spelling === 'upper' ? known : name
}

/** An accepted unknown chain has EVM addresses (wallet.chain). */
const findOrAcceptChain = (tx: Tx, name: string): Pick<Chain, 'id' | 'family'> =>
  tx.tables.chains.get(name) === undefined && tx.useReading('wallet.chain') === 'accepted'
    ? { id: name, family: 'evm' }
    : findChain(tx.tables, name)

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
export const totalBalances = (tables: Tables): TokenBalance[] =>
  tables.tokens
    .list('all', '')
    .map((token) => ({ token, amount: roundedBalance(tables, ALL_WALLETS, token) }))

/** One entry per token; the first chain represents all. */
export const tokenTotals = (tables: Tables): TokenBalance[] => {
  const totals = new Map<string, TokenBalance>()
  for (const { token, amount } of totalBalances(tables)) {
    const known = totals.get(token.symbol)
    const sum = known
      ? round(plus(known.amount, amount), maxDecimals(tables, token.symbol))
      : amount
    totals.set(token.symbol, { token: known?.token ?? token, amount: sum })
  }
  return [...totals.values()]
}

export const listTotals = (tables: Tables, reading: ReadingOf<'balance.total'>): TokenBalance[] => {
  if (reading === 'per_token') return tokenTotals(tables)
  const totals = totalBalances(tables)
  return reading === 'per_chain' ? totals : totals.filter(({ amount }) => !isZero(amount))
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
