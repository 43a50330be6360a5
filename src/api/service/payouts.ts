import { payoutAs, payoutRequest, toPayoutResponse } from '../../contract/payout.js'
import { shownPayout } from '../../domain/payouts.js'
import { ok, operation } from '../../http/operation/operation.js'

export const createPayout = operation({
  id: 'createPayout',
  method: 'post',
  path: '/payment/api/v1/payout',
  tag: 'Payouts',
  summary: 'Create payout',
  description:
    'Pays an amount in local currency from the user’s available balance to a bank account or wallet.',
  body: payoutRequest,
  answers: { 200: { description: 'The payout', schema: payoutAs, provenance: 'documented' } },
  errors: ['4000', '4004', '4040'],
  // For a missing key the contract has 401 on this page and 403 elsewhere.
  contradictedStatus: 403,
  handle: ({ world, body, cause, readings }) => {
    const before = world.tables.payouts.next
    const payout = world.run('payout.create', body, cause, readings)
    const shown = shownPayout(world.tables, readings, payout, payout.n >= before)
    return ok(toPayoutResponse(shown, readings))
  },
})
