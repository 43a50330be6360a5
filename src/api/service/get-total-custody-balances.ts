import { toBalanceResponse, totalBalances } from '../../contract/wallet.js'
import { listTotals } from '../../domain/wallets.js'
import { ok, operation } from '../../http/operation/operation.js'

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
  errors: [],
  handle: ({ world: { tables }, readings }) =>
    ok(
      listTotals(tables, readings.use('balance.total')).map((it) =>
        toBalanceResponse(it, readings.asReader),
      ),
    ),
})
