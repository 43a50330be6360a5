import {
  payoutAs,
  payoutRequest,
  payoutVariants,
  readAtFirst,
  toPayoutResponse,
} from '../../contract/payout.js'
import { isZero } from '../../domain/money.js'
import { toOriginalResponse } from '../../domain/payout-idempotency.js'
import { getPayout } from '../../domain/payouts.js'
import { ok, operation } from '../../http/operation.js'

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
  // The payout page says 401 of a missing key.
  errorDoubts: { 403: 'payout.key' },
  handle: ({ world, body, cause, readings, isDoubled }) => {
    const before = world.tables.payouts.next
    const input = isDoubled ? { ...body, doubled: true as const } : body
    const made = world.run('payout.create', input, cause, readings)
    // Steps that were due at once have run: read what became of it.
    const now = getPayout(world.tables, made.id)
    const isNew = made.n >= before
    if (!isNew && readings.peek('payout.repeat') === 'replay') {
      return ok(toPayoutResponse(toOriginalResponse(now), readAtFirst(now)))
    }
    const isPendingFirst = isNew && now !== made && readings.use('payout.status') === 'pending'
    const shown = isPendingFirst ? made : now
    if (shown.status === 'PAYOUT_FAILED' && !isZero(shown.rail_fee)) {
      readings.record('payout.failed_fee', shown.fee_kept ? 'kept' : 'returned')
    }
    return ok(toPayoutResponse(shown, readings.asReader))
  },
})
