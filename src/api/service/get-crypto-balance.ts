import type * as z from 'zod'
import type { Readings } from '../../assumptions/use.js'
import { cryptoBalance, cryptoBalancePath } from '../../contract/wallet.js'
import { findToken, toAsset } from '../../domain/chains.js'
import { depositsRoutedBy } from '../../domain/deposits.js'
import { type Amount, plus, round, toNumber } from '../../domain/money.js'
import { inFlightAmount, inFlightTransfers } from '../../domain/offramps.js'
import { inUsd } from '../../domain/rails.js'
import type { Deposit, Tables, Token } from '../../domain/schema.js'
import { resolveUser } from '../../domain/users.js'
import { userTokenBalance } from '../../domain/wallets.js'
import { ApiError, badRequest } from '../../http/api-error.js'
import { ok, operation } from '../../http/operation.js'
import { notFound, Refusal } from '../../kernel/refusal.js'
import { joinMessages } from '../../lib/zod-errors.js'
import { recordDepositAssumptions } from './user-history.js'

export const getCryptoBalance = operation({
  id: 'getCryptoBalance',
  method: 'get',
  path: '/payment/api/v1/offramp-audit/crypto-balance/{crypto}/{blockchain}/{user_id}',
  tag: 'Wallets',
  summary: 'Get crypto balance',
  description: 'Returns the user’s balance of a token on a chain, in USD, as a bare number.',
  params: cryptoBalancePath,
  answers: {
    200: { description: 'The balance in USD', schema: cryptoBalance, provenance: 'documented' },
  },
  errors: ['4000', '4040'],
  handle: ({ world: { tables }, params, readings }) => {
    const token = namedToken(tables, params, readings)
    if (isNobody(tables, params.user_id, readings)) return ok(0)
    const { id } = resolveUser(tables, params.user_id, readings.asReader)
    if (!token) return ok(0)
    const amount = sumHeld(tables, id, token, readings)
    const inDollars = (decimals: number) => toNumber(inUsd(tables, token.symbol, amount, decimals))
    const [inCents, exact] = [inDollars(2), inDollars(token.decimals)]
    return ok(inCents === exact || readings.use('balance.scale') === 'cents' ? inCents : exact)
  },
})

/** Whether the user is unknown and has a balance of 0 (resource.unknown). */
const isNobody = (tables: Tables, user_id: string, readings: Readings): boolean =>
  tables.users.get(user_id) === undefined && readings.use('resource.unknown') === 'empty'

/** What the user has of the token, in wallets or besides (balance.scope). */
const sumHeld = (tables: Tables, user_id: string, token: Token, readings: Readings): Amount => {
  noteUnderWay(tables, user_id, token, readings)
  const inWallets = userTokenBalance(tables, user_id, token)
  const arrived = inFlightAmount(tables, user_id, token)
  const hasNone =
    inWallets === undefined &&
    (arrived === undefined || readings.use('balance.scope') === 'wallets')
  if (hasNone && readings.use('crypto.unknown') === 'not_found') {
    throw notFound('blockchain', `user ${user_id} has no wallet on ${token.chain}`)
  }
  const held = inWallets ?? '0'
  return arrived === undefined || readings.use('balance.scope') === 'wallets'
    ? held
    : round(plus(held, arrived), token.decimals)
}

/** Notes what it rests on which deposits are under way, where the balance counts these (balance.scope). */
const noteUnderWay = (tables: Tables, user_id: string, token: Token, readings: Readings): void => {
  if (readings.peek('balance.scope') === 'wallets') return
  for (const it of inFlightTransfers(tables, user_id, token))
    recordDepositAssumptions(tables, readings, it)
  const kept = depositsRoutedBy(tables, user_id, 'offramp.other_token')
  if (ofToken(kept, token).length > 0) readings.record('offramp.other_token', 'unmatched')
}

const ofToken = (deposits: readonly Deposit[], token: Token): Deposit[] =>
  deposits.filter(({ crypto, chain }) => toAsset(crypto, chain) === token.id)

type Named = z.output<typeof cryptoBalancePath>

/** The token of the path. Where users are looked up first, an unknown one goes before it (error.order). */
const namedToken = (tables: Tables, named: Named, readings: Readings): Token | undefined => {
  const { crypto, blockchain, user_id } = named
  try {
    const token = parseToken(tables, crypto, blockchain, readings)
    if (token) assertCase(named, { crypto: token.symbol, blockchain: token.chain }, readings)
    return token
  } catch (error) {
    const isFirst = !tables.users.get(user_id) && readings.use('error.order') === 'user_first'
    if (isFirst && !isNobody(tables, user_id, readings))
      resolveUser(tables, user_id, readings.asReader)
    throw error
  }
}

const CASED = ['crypto', 'blockchain'] as const

/** Refuses a token or a chain in another case than its own, where it has to be in that one (chain.spelling). */
const assertCase = (
  came: Named,
  own: Readonly<Record<(typeof CASED)[number], string>>,
  readings: Readings,
): void => {
  const wrong = CASED.filter((field) => came[field] !== own[field])
  if (wrong.length === 0 || readings.use('chain.spelling') !== 'exact') return
  const faults = wrong.map(
    (field) => `${field}: ${JSON.stringify(came[field])} came; accepted: ${own[field]}`,
  )
  throw badRequest(joinMessages(faults))
}

/** The token of the path; undefined for an unknown one of which everybody has nothing (crypto.unknown). */
const parseToken = (
  tables: Tables,
  crypto: string,
  blockchain: string,
  readings: Readings,
): Token | undefined => {
  try {
    return findToken(tables, crypto, blockchain, { crypto: 'crypto', chain: 'blockchain' })
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    const reading = readings.use('crypto.unknown')
    if (reading === 'zero') return undefined
    throw reading === 'invalid' ? error : new ApiError('4040', error.message)
  }
}
