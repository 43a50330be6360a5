import { cryptoBalance, cryptoBalancePath } from '../contract/wallet.js'
import { ok, operation } from '../http/operation.js'
import { findToken } from '../world/chains.js'
import { toNumber } from '../world/money.js'
import { inUsd } from '../world/rails.js'
import { userOf } from '../world/users.js'
import { userTokenBalance } from '../world/wallets.js'

export const getCryptoBalance = operation({
  id: 'getCryptoBalance',
  method: 'get',
  path: '/payment/api/v1/offramp-audit/crypto-balance/{crypto}/{blockchain}/{user_id}',
  tag: 'Wallets',
  summary: 'Get crypto balance',
  description: 'What a user’s custody wallets on a chain hold of a token, in USD: a bare number.',
  params: cryptoBalancePath,
  answers: {
    200: { description: 'The balance in USD', schema: cryptoBalance, provenance: 'documented' },
  },
  errors: ['4000', '4040'],
  assumptions: ['balance.none', 'balance.scale', 'path.case', 'crypto.unknown'],
  handle: ({ world: { tables }, params }) => {
    const token = findToken(tables, params.crypto, params.blockchain, {
      crypto: 'crypto',
      chain: 'blockchain',
    })
    const { id } = userOf(tables, params.user_id)
    return ok(toNumber(inUsd(tables, token.symbol, userTokenBalance(tables, id, token))))
  },
})
