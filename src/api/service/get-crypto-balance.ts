import { cryptoBalancePath, cryptoBalance as schema } from '../../contract/wallet.js'
import { cryptoBalance } from '../../domain/crypto-balance.js'
import { toNumber } from '../../domain/money.js'
import { ok, operation } from '../../http/operation/operation.js'

export const getCryptoBalance = operation({
  id: 'getCryptoBalance',
  method: 'get',
  path: '/payment/api/v1/offramp-audit/crypto-balance/{crypto}/{blockchain}/{user_id}',
  tag: 'Wallets',
  summary: 'Get crypto balance',
  description: 'Returns the user’s balance of a token on a chain, in USD, as a bare number.',
  params: cryptoBalancePath,
  answers: { 200: { description: 'The balance in USD', schema, provenance: 'documented' } },
  errors: ['4000', '4040'],
  handle: ({ world: { tables }, params, readings }) =>
    ok(toNumber(cryptoBalance(tables, readings, params))),
})
