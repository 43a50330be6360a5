import type { Assumption } from './assumption.js'
import { auditAssumptions } from './audits.js'
import { offrampAssumptions, walletAssumptions } from './offramps.js'
import { balanceAssumptions, payoutAssumptions } from './payouts.js'
import { userAssumptions } from './users.js'
import { wireAssumptions } from './wire.js'

/** The register: everything that the contract leaves open, by id. */
export const assumptions = {
  ...payoutAssumptions,
  ...userAssumptions,
  ...walletAssumptions,
  ...offrampAssumptions,
  ...auditAssumptions,
  ...balanceAssumptions,
  ...wireAssumptions,
} as const satisfies Record<string, Assumption>

export type AssumptionId = keyof typeof assumptions
