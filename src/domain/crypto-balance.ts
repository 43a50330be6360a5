import type { Readings } from '../assumptions/use.js'
import { notFound, Refusal } from '../kernel/refusal.js'
import { formatInvalid } from '../lib/app-error.js'
import { findToken, toAsset } from './chains.js'
import { depositsRoutedBy } from './deposits.js'
import { type Amount, isSame, plus, round } from './money.js'
import { inFlightAmount, inFlightTransfers } from './offramps.js'
import { toUsd } from './rails.js'
import type { Tables, Token } from './schema.js'
import { recordDepositAssumptions } from './transfer-assumptions.js'
import { resolveUser } from './users.js'
import { userTokenBalance } from './wallets.js'

export interface CryptoBalanceQuery {
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
  if (isUnknownAccepted(tables, readings, query.user_id)) return '0'
  const { id } = resolveUser(tables, query.user_id, readings.asReader)
  if (!token) return '0'
  const amount = sumHeld(tables, readings, id, token)
  const inCents = toUsd(tables, token.symbol, amount, 2)
  const exact = toUsd(tables, token.symbol, amount, token.decimals)
  return isSame(inCents, exact) || readings.use('balance.scale') === 'cents' ? inCents : exact
}

/** An unknown user may have a balance of zero (resource.unknown). */
const isUnknownAccepted = (tables: Tables, readings: Readings, user_id: string): boolean =>
  tables.users.get(user_id) === undefined && readings.use('resource.unknown') === 'empty'

/** Sums wallets and unconverted deposits (balance.scope). */
const sumHeld = (tables: Tables, readings: Readings, user_id: string, token: Token): Amount => {
  recordInFlightAssumptions(tables, readings, user_id, token)
  const inWallets = userTokenBalance(tables, user_id, token)
  const inFlight = inFlightAmount(tables, user_id, token)
  const countsWallets = inFlight === undefined || readings.use('balance.scope') === 'wallets'
  if (inWallets === undefined && countsWallets && readings.use('crypto.unknown') === 'not_found') {
    throw notFound('blockchain', `user ${user_id} has no wallet on ${token.chain}`)
  }
  const held = inWallets ?? '0'
  return countsWallets ? held : round(plus(held, inFlight), token.decimals)
}

const recordInFlightAssumptions = (
  tables: Tables,
  readings: Readings,
  user_id: string,
  token: Token,
): void => {
  if (readings.peek('balance.scope') === 'wallets') return
  for (const transfer of inFlightTransfers(tables, user_id, token)) {
    recordDepositAssumptions(tables, readings, transfer)
  }
  const isUnmatched = depositsRoutedBy(tables, user_id, 'offramp.other_token').some(
    ({ crypto, chain }) => toAsset(crypto, chain) === token.id,
  )
  if (isUnmatched) readings.record('offramp.other_token', 'unmatched')
}

/** An unknown user may be refused before an unknown token (error.order). */
const tokenFor = (
  tables: Tables,
  readings: Readings,
  query: CryptoBalanceQuery,
): Token | undefined => {
  const { user_id } = query
  try {
    const token = findQueriedToken(tables, readings, query)
    if (token) assertSpelling(readings, query, token)
    return token
  } catch (error) {
    const isUserFirst = !tables.users.get(user_id) && readings.use('error.order') === 'user_first'
    if (isUserFirst && !isUnknownAccepted(tables, readings, user_id)) {
      resolveUser(tables, user_id, readings.asReader)
    }
    throw error
  }
}

/** Undefined for an unknown token whose balance is zero for all users (crypto.unknown). */
const findQueriedToken = (
  tables: Tables,
  readings: Readings,
  { crypto, blockchain }: CryptoBalanceQuery,
): Token | undefined => {
  try {
    return findToken(tables, crypto, blockchain, { crypto: 'crypto', chain: 'blockchain' })
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    const reading = readings.use('crypto.unknown')
    if (reading === 'zero') return undefined
    throw reading === 'invalid' ? error : new Refusal('unknown', error.message)
  }
}

/** Refuses another case than the token's own (chain.spelling `exact`). */
const assertSpelling = (
  readings: Readings,
  query: CryptoBalanceQuery,
  { symbol, chain }: Token,
): void => {
  const names = [
    ['crypto', query.crypto, symbol],
    ['blockchain', query.blockchain, chain],
  ] as const
  const wrong = names.filter(([, received, own]) => received !== own)
  if (wrong.length === 0 || readings.use('chain.spelling') !== 'exact') return
  const faults = wrong.map(([field, received, own]) => formatInvalid(field, received, own))
  throw new Refusal('rule', faults.join(' | '))
}
