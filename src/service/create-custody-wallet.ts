import {
  showNewWallet,
  showWallet,
  wallet,
  walletDoubts,
  walletRequest,
} from '../contract/wallet.js'
import { made, ok, operation } from '../http/operation.js'

export const createCustodyWallet = operation({
  id: 'createCustodyWallet',
  method: 'post',
  path: '/payment/api/v1/custody-wallet',
  tag: 'Wallets',
  summary: 'Create custody wallet',
  description:
    'Creates a custody wallet for a user on a chain. Crypto sent to its address raises its balances.',
  body: walletRequest,
  bodyDoubts: walletDoubts,
  answers: {
    200: {
      description: 'The wallet that already has this customer_wallet_ref',
      schema: wallet,
      provenance: 'assumed',
      assumption: 'wallet.repeat',
    },
    201: {
      description: 'The new wallet; crypto and balances are null',
      schema: wallet,
      provenance: 'assumed',
      assumption: 'created.status',
    },
  },
  errors: ['4000', '4004', '4040', '4130', '4150'],
  handle: ({ world, body, cause, readings, isDoubled }) => {
    const input = isDoubled ? { ...body, doubled: true as const } : body
    const { wallet, created } = world.run('wallet.create', input, cause, readings)
    const { read } = readings
    if (created) return made(readings, 201, showNewWallet(wallet, read))
    return ok(showWallet(wallet, undefined, read))
  },
})
