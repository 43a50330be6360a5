import type { Readings } from '../assumptions/use.js'
import { toAsset } from './chains.js'
import { isRounded } from './conversion.js'
import { hasDepositsRoutedBy } from './deposits.js'
import { isBelowFee, type Offramp, ROUTING_READINGS, type Tables, type Transfer } from './schema.js'
import { hasFailedFunds } from './transfers.js'

/**
 * Records the assumptions behind a transfer as it is now: rounding, return after payment, deposit.
 */
export const recordTransferAssumptions = (
  tables: Tables,
  readings: Readings,
  transfer: Transfer,
): void => {
  if (isRounded(transfer)) readings.record('conversion.rounding', transfer.rounding ?? 'half_even')
  if (transfer.rate_fixed) readings.record('conversion.rate_fixed', transfer.rate_fixed)
  if (isReturned(transfer)) readings.record('transfer.transitions', 'sandbox')
  recordDepositAssumptions(tables, readings, transfer)
}

/** A client that reads the outcome of a transfer next looks for its money. */
export const recordStatusAssumptions = (
  tables: Tables,
  readings: Readings,
  transfer: Transfer,
): void => {
  recordTransferAssumptions(tables, readings, transfer)
  if (hasFailedFunds(transfer)) {
    readings.record('transfer.failed_funds', transfer.failed_funds ?? 'sender')
  }
}

const isReturned = ({ status, reached }: Transfer): boolean =>
  status === 'FAILED' && reached.PAYMENT_PROCESSED !== undefined

export const recordDepositAssumptions = (
  tables: Tables,
  readings: Readings,
  transfer: Transfer,
): void => {
  if (isBelowFee(transfer)) readings.record('offramp.below_fee', 'failed')
  const offramp = tables.offramps.first('transfer', transfer.id)
  if (!offramp) return
  if (!wasExpected(tables, offramp, transfer)) readings.record('offramp.other_token', 'converted')
  const { inactive_user, beyond_limits } = offramp
  if (inactive_user) readings.record('deposit.inactive_user', inactive_user)
  if (beyond_limits) readings.record('deposit.limits', 'any')
}

const wasExpected = (
  tables: Tables,
  { instruction_id }: Offramp,
  { source_asset }: Transfer,
): boolean => {
  const expected = tables.instructions.get(instruction_id)
  return !expected || toAsset(expected.crypto, expected.chain) === source_asset
}

/** Records the assumptions that decide which deposits of a user are listed on any page. */
export const recordListAssumptions = (
  tables: Tables,
  readings: Readings,
  user_id: string,
): void => {
  if (tables.transfers.count('below_fee', user_id) > 0)
    readings.record('offramp.below_fee', 'failed')
  if (tables.offramps.count('beyond_limits', user_id) > 0) readings.record('deposit.limits', 'any')
  for (const id of ROUTING_READINGS) {
    if (hasDepositsRoutedBy(tables, user_id, id)) readings.record(id, 'unmatched')
  }
}
