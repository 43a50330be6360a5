import { showBalance, totalBalances } from '../contract/wallet.js'
import { ok, operation } from '../http/operation.js'
import { totalBalances as totals } from '../world/wallets.js'

export const getTotalCustodyBalances = operation({
  id: 'getTotalCustodyBalances',
  method: 'get',
  path: '/payment/api/v1/custody-wallet/total-balances',
  tag: 'Wallets',
  summary: 'Get total custody wallet balances',
  description: 'What all custody wallets hold together, token by token.',
  answers: {
    200: {
      description: 'One entry per token and chain, zero included',
      schema: totalBalances,
      provenance: 'documented',
      assumption: 'balance.total',
    },
  },
  errors: [],
  handle: ({ world }) => ok(totals(world.tables).map(showBalance)),
})
