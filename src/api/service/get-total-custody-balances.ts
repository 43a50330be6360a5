import type { ReadingOf } from '../../assumptions/ids.js'
import { toBalanceResponse, totalBalances } from '../../contract/wallet.js'
import { isZero } from '../../domain/money.js'
import type { Tables } from '../../domain/schema.js'
import { type TokenBalance, tokenTotals, totalBalances as totals } from '../../domain/wallets.js'
import { ok, operation } from '../../http/operation.js'

export const getTotalCustodyBalances = operation({
  id: 'getTotalCustodyBalances',
  method: 'get',
  path: '/payment/api/v1/custody-wallet/total-balances',
  tag: 'Wallets',
  summary: 'Get total custody wallet balances',
  description: 'Returns the balances of all custody wallets together, one entry per token.',
  answers: {
    200: {
      description: 'One entry per token and chain, zero included',
      schema: totalBalances,
      provenance: 'documented',
      assumption: 'balance.total',
    },
  },
  errors: [],
  handle: ({ world: { tables }, readings }) =>
    ok(
      TOTALS[readings.use('balance.total')](tables).map((it) =>
        toBalanceResponse(it, readings.asReader),
      ),
    ),
})

const TOTALS: Readonly<Record<ReadingOf<'balance.total'>, (tables: Tables) => TokenBalance[]>> = {
  per_chain: totals,
  per_token: tokenTotals,
  above_zero: (tables) => totals(tables).filter(({ amount }) => !isZero(amount)),
}
