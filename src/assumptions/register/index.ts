import type { AssumptionId, READINGS } from '../ids.js'
import type { Assumption } from './assumption.js'
import { auditAssumptions } from './audits.js'
import { offrampAssumptions, walletAssumptions } from './offramps.js'
import { balanceAssumptions, payoutAssumptions } from './payouts.js'
import { userAssumptions } from './users.js'
import { wireAssumptions } from './wire.js'

/** All open questions of the contract, in the order of their ids. */
export const assumptions = {
  ...payoutAssumptions,
  ...userAssumptions,
  ...walletAssumptions,
  ...offrampAssumptions,
  ...auditAssumptions,
  ...balanceAssumptions,
  ...wireAssumptions,
} as const satisfies { readonly [Id in AssumptionId]: Assumption<(typeof READINGS)[Id]> }

export type { AssumptionId }

/** Whether an assumption concerns an operation. Assumptions that name none concern all of them. */
export const concerns = (id: AssumptionId, operation: string | undefined): boolean => {
  const operations: readonly string[] = assumptions[id].operations
  return operation === undefined || operations.length === 0 || operations.includes(operation)
}
