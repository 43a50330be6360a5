import {
  cryptoBalancePath,
  cryptoBalance as cryptoBalanceSchema,
  toBalanceResponse,
  toNewWalletResponse,
  totalBalances,
  toWalletResponse,
  wallet,
  walletRequest,
} from '../../contract/wallet.js'
import { cryptoBalance } from '../../domain/crypto-balance.js'
import { toNumber } from '../../domain/money.js'
import { chainTotals, tokenTotals } from '../../domain/wallets.js'
import { createdAnswers, createdOrOk, ok, operation } from '../../http/operation/operation.js'

const onCreate = createdAnswers(201, 'The wallet; crypto and balances are null on create', wallet)

export const createCustodyWallet = operation({
  id: 'createCustodyWallet',
  method: 'post',
  path: '/payment/api/v1/custody-wallet',
  tag: 'Wallets',
  summary: 'Create custody wallet',
  description: 'Creates a custody wallet for a user on a chain.',
  body: walletRequest,
  answers: {
    ...onCreate,
    200: {
      ...onCreate[200],
      assumption: 'wallet.repeat',
      answeredIf: (mayRead) =>
        mayRead('wallet.repeat', 'same') || onCreate[200].answeredIf?.(mayRead) === true,
    },
  },
  errors: ['4000', '4004', '4040'],
  handle: ({ world, body, cause, readings }) => {
    const { wallet, created } = world.run('wallet.create', body, cause, readings)
    if (created) return createdOrOk(readings, 201, toNewWalletResponse(wallet, readings))
    return ok(toWalletResponse(wallet))
  },
})

export const getTotalCustodyBalances = operation({
  id: 'getTotalCustodyBalances',
  method: 'get',
  path: '/payment/api/v1/custody-wallet/total-balances',
  tag: 'Wallets',
  summary: 'Get total custody wallet balances',
  description: 'Returns the balances of all custody wallets together, one entry per token.',
  answers: {
    200: {
      description: 'One entry per supported token',
      schema: totalBalances,
      provenance: 'documented',
      assumption: 'balance.total',
    },
  },
  handle: ({ world: { tables }, readings }) => {
    const totals = readings.balance.total === 'per_token' ? tokenTotals : chainTotals
    return ok(totals(tables).map(toBalanceResponse))
  },
})

export const getCryptoBalance = operation({
  id: 'getCryptoBalance',
  method: 'get',
  path: '/payment/api/v1/offramp-audit/crypto-balance/{crypto}/{blockchain}/{user_id}',
  tag: 'Wallets',
  summary: 'Get crypto balance',
  description: 'Returns the user’s balance of a token on a chain, in USD, as a bare number.',
  params: cryptoBalancePath,
  answers: {
    200: {
      description: 'The balance in USD',
      schema: cryptoBalanceSchema,
      provenance: 'documented',
    },
  },
  errors: ['4000', '4040'],
  handle: ({ world: { tables }, params, readings }) =>
    ok(toNumber(cryptoBalance(tables, readings, params))),
})
