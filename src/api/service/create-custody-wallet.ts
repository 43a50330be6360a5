import {
  toNewWalletResponse,
  toWalletResponse,
  wallet,
  walletRequest,
  walletVariants,
} from '../../contract/wallet.js'
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
  bodyVariants: walletVariants,
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
  handle: ({ world, body, cause, readings, isDoubled }) => {
    const input = isDoubled ? { ...body, doubled: true as const } : body
    const { wallet, created } = world.run('wallet.create', input, cause, readings)
    const { asReader } = readings
    if (created) return createdOrOk(readings, 201, toNewWalletResponse(wallet, asReader))
    return ok(toWalletResponse(wallet, undefined, asReader))
  },
})
