import type { AssumptionId } from '../../assumptions/ids.js'
import { auditEvidence } from './audits.js'
import { balanceEvidence } from './balances.js'
import { payoutEvidence } from './payouts.js'
import type { EvidenceOf } from './rows.js'
import { userEvidence } from './users.js'
import { walletEvidence } from './wallets.js'
import { wireEvidence } from './wire.js'

/** The evidence for each open question in traffic. */
export const evidence: EvidenceOf<AssumptionId> = {
  ...payoutEvidence,
  ...userEvidence,
  ...walletEvidence,
  ...auditEvidence,
  ...balanceEvidence,
  ...wireEvidence,
}
