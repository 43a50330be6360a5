import { payout, payoutRequest, showPayout } from '../contract/payout.js'
import { ok, operation } from '../http/operation.js'
import { payoutOf } from '../world/payouts.js'

export const createPayout = operation({
  id: 'createPayout',
  method: 'post',
  path: '/payment/api/v1/payout',
  tag: 'Payouts',
  summary: 'Create payout',
  description:
    'Pays an amount in local currency from the user’s available balance to a bank account or wallet. ' +
    'Amount and rail fee leave the balance together. Retrying with the same `customer_payout_id` ' +
    'answers the same payout and pays once.',
  body: payoutRequest,
  answers: { 200: { description: 'The payout', schema: payout, provenance: 'documented' } },
  errors: ['4000', '4004', '4040', '4130', '4150'],
  assumptions: [
    'payout.missing_key',
    'payout.repeat',
    'payout.insufficient_balance',
    'payout.no_balance',
    'payout.status',
    'payout.fee',
    'payout.rail',
    'payout.no_rail',
    'payout.amount_scale',
    'payout.amount_limits',
    'currency.case',
    'user.gate',
  ],
  handle: ({ world, body, cause }) => {
    const { id } = world.run('payout.create', body, cause)
    // Steps that were due at once have run: read what became of it.
    return ok(showPayout(payoutOf(world.tables, id)))
  },
})
