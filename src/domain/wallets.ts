import type { ReadingOf } from '../assumptions/ids.js'
import { alreadyExists, ruleViolation } from '../kernel/refusal.js'
import { deriveAddress } from './addresses.js'
import { ALL_WALLETS } from './balance-index.js'
import { findChain } from './chains.js'
import { findByClientId } from './client-ids.js'
import { balanceOf } from './ledger.js'
import { type Amount, isZero, plus, round, ZERO } from './money.js'
import type { Chain, Tables, Token, Tx, Wallet } from './schema.js'
import { assertMayTransact, assertUserFirst, resolveUser } from './users.js'

export interface WalletInput {
  readonly user_id: string
  readonly chain: string
  /** Its own id, when none is given (required.fields). */
  readonly customer_wallet_ref?: string | undefined
  /** It runs beside another request with its reference, and is no repeat of that one (repeat.in_flight). */
  readonly doubled?: true
}

/**
 * Creates a wallet, or answers the one that already has this reference (wallet.repeat). Refusals in
 * order: unknown chain, unknown user, a reference used otherwise, user not active, chain taken.
 */
export const createWallet = (tx: Tx, input: WalletInput): { wallet: Wallet; created: boolean } => {
  const chain = chainFor(tx, input)
  const user = resolveUser(tx.tables, input.user_id, (it) => tx.useReading(it))
  const { customer_wallet_ref: ref } = input
  const isFirst = ref === undefined || input.doubled
  const [known] = isFirst ? [] : findByClientId(tx, tx.tables.wallets, 'ref', ref, user.id)
  const again = known && repeated(tx, known, { ...input, chain: chain.id })
  if (again) {
    tx.emit({ type: 'wallet.repeated', id: again.id })
    return { wallet: again, created: false }
  }
  assertMayTransact(tx, user, 'wallet')
  assertFree(tx, user.id, chain.id)
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

/** A user may have one wallet for each chain, and no more (wallet.same_chain). */
const assertFree = (tx: Tx, user_id: string, chain: string): void => {
  const other = tx.tables.wallets.first('user_chain', `${user_id} ${chain}`)
  if (!other || tx.useReading('wallet.same_chain') === 'allowed') return
  throw alreadyExists('chain', `user ${user_id} has wallet ${other.id} on ${chain} already`)
}

/** What answers a reference that came before; undefined where a second wallet is made. */
const repeated = (tx: Tx, known: Wallet, input: WalletInput): Wallet | undefined => {
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

/** The chain of the request. Where users are looked up first, an unknown one goes before it (error.order). */
const chainFor = (tx: Tx, { chain, user_id }: WalletInput): Pick<Chain, 'id' | 'family'> => {
  try {
    return knownChain(tx, chainNamed(tx, chain))
  } catch (error) {
    assertUserFirst(tx.tables, user_id, (it) => tx.useReading(it))
    throw error
  }
}

/** The name of a chain in the case that it is known by, where any case will do (chain.spelling). */
const chainNamed = (tx: Tx, name: string): string => {
  const known = name.toLowerCase()
  if (known === name || !tx.tables.chains.get(known)) return name
  const spelling = tx.useReading('chain.spelling')
  return spelling === 'any_case' || spelling === 'upper' ? known : name
}

/** The chain; one that is not known has addresses like most, where it is accepted (wallet.chain). */
const knownChain = (tx: Tx, name: string): Pick<Chain, 'id' | 'family'> =>
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

const held = (tables: Tables, account: string, token: Token): Amount =>
  round(balanceOf(tables, account, token.id) ?? ZERO, token.decimals)

/** One entry for each token of the wallet's chain, zero included, and for each that it holds on another. */
export const walletBalances = (tables: Tables, wallet: Wallet): TokenBalance[] => {
  const account = `wallet:${wallet.id}`
  return tables.tokens
    .list('all', '')
    .filter(({ id, chain }) => chain === wallet.blockchain || balanceOf(tables, account, id))
    .map((token) => ({ token, amount: held(tables, account, token) }))
}

/** What all wallets hold together, one entry for each token and chain. */
export const totalBalances = (tables: Tables): TokenBalance[] =>
  tables.tokens
    .list('all', '')
    .map((token) => ({ token, amount: held(tables, ALL_WALLETS, token) }))

/** The same, with one entry for each token: that of the first chain stands for all. */
export const tokenTotals = (tables: Tables): TokenBalance[] => {
  const totals = new Map<string, TokenBalance>()
  for (const { token, amount } of totalBalances(tables)) {
    const known = totals.get(token.symbol)
    const sum = known ? round(plus(known.amount, amount), finest(tables, token.symbol)) : amount
    totals.set(token.symbol, { token: known?.token ?? token, amount: sum })
  }
  return [...totals.values()]
}

export const listTotals = (tables: Tables, reading: ReadingOf<'balance.total'>): TokenBalance[] => {
  if (reading === 'per_token') return tokenTotals(tables)
  const totals = totalBalances(tables)
  return reading === 'per_chain' ? totals : totals.filter(({ amount }) => !isZero(amount))
}

/** A token may have more decimals on one chain than on another: none of them is to get lost. */
const finest = (tables: Tables, symbol: string): number =>
  Math.max(...tables.tokens.list('symbol', symbol).map(({ decimals }) => decimals))

/** What a user's wallets hold of a token together; undefined without a wallet that may hold it. */
export const userTokenBalance = (
  tables: Tables,
  user_id: string,
  token: Token,
): Amount | undefined => {
  const wallets = tables.wallets.list('user_chain', `${user_id} ${token.chain}`)
  if (wallets.length === 0) return undefined
  let sum = ZERO
  for (const { id } of wallets) sum = sum.plus(balanceOf(tables, `wallet:${id}`, token.id) ?? ZERO)
  return round(sum, token.decimals)
}
