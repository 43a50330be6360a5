import type { Readings } from '../assumptions/use.js'
import { invalidInput, notFound, Refusal } from '../kernel/refusal.js'
import { findToken } from './chains.js'
import { type Amount, plus, round } from './money.js'
import { inFlightAmount } from './offramps.js'
import { toUsd } from './rails.js'
import type { Tables, Token } from './schema.js'
import { getUser } from './users.js'
import { userTokenBalance } from './wallets.js'

interface CryptoBalanceQuery {
  readonly crypto: string
  readonly blockchain: string
  readonly user_id: string
}

/** A user’s balance of a token on a chain, in US dollars. */
export const cryptoBalance = (
  tables: Tables,
  readings: Readings,
  query: CryptoBalanceQuery,
): Amount => {
  const token = tokenFor(tables, readings, query)
  if (!tables.users.get(query.user_id) && readings.resource.unknown === 'empty') return '0'
  const { id } = getUser(tables, query.user_id)
  return toUsd(tables, token.symbol, sumHeld(tables, readings, id, token), token.decimals)
}

/** Sums wallets and unconverted deposits (balance.scope). */
const sumHeld = (tables: Tables, readings: Readings, user_id: string, token: Token): Amount => {
  const inWallets = userTokenBalance(tables, user_id, token)
  const inFlight = inFlightAmount(tables, user_id, token)
  if (inFlight !== undefined && readings.balance.scope === 'with_offramps')
    return round(plus(inWallets ?? '0', inFlight), token.decimals)
  if (inWallets !== undefined) return inWallets
  if (readings.crypto.unknown === 'invalid') return '0'
  throw notFound('blockchain', `user ${user_id} has no wallet on ${token.chain}`)
}

/** An unknown token is invalid or not found (crypto.unknown), as may be another spelling (chain.spelling). */
const tokenFor = (tables: Tables, readings: Readings, query: CryptoBalanceQuery): Token => {
  const { crypto, blockchain } = query
  const token = findQueriedToken(tables, readings, query)
  const isExact = token.symbol === crypto && token.chain === blockchain
  if (isExact || readings.chain.spelling === 'any_case') return token
  throw token.symbol === crypto
    ? invalidInput('blockchain', blockchain, token.chain)
    : invalidInput('crypto', crypto, token.symbol)
}

const findQueriedToken = (
  tables: Tables,
  readings: Readings,
  { crypto, blockchain }: CryptoBalanceQuery,
): Token => {
  try {
    return findToken(tables, crypto, blockchain, { crypto: 'crypto', chain: 'blockchain' })
  } catch (error) {
    if (!(error instanceof Refusal) || readings.crypto.unknown === 'invalid') throw error
    throw new Refusal('unknown', error.message)
  }
}
