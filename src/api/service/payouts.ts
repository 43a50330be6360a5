import {
  payoutAs,
  payoutRequest,
  payoutVariants,
  readAtFirst,
  toPayoutResponse,
} from '../../contract/payout.js'
import { selectResponse } from '../../domain/payouts.js'
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
  bodyVariants: payoutVariants,
  answers: { 200: { description: 'The payout', schema: payoutAs, provenance: 'documented' } },
  errors: ['4000', '4004', '4040'],
  // The contract has 401 on this page and 403 elsewhere.
  errorDoubts: { 403: 'payout.key' },
  handle: ({ world, body, cause, readings, isDoubled }) => {
    const before = world.tables.payouts.next
    const input = isDoubled ? { ...body, doubled: true as const } : body
    const created = world.run('payout.create', input, cause, readings)
    const isNew = created.n >= before
    const { payout, isReplay } = selectResponse(world.tables, readings, created, isNew)
    return ok(toPayoutResponse(payout, isReplay ? readAtFirst(payout) : readings.asReader))
  },
})
