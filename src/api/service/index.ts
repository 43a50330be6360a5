import type { Operation } from '../../http/operation/operation.js'
import { createConsent } from './create-consent.js'
import { createCustodyWallet } from './create-custody-wallet.js'
import { createPayout } from './create-payout.js'
import { createUser } from './create-user.js'
import { getCryptoBalance } from './get-crypto-balance.js'
import { getOfframpAudit } from './get-offramp-audit.js'
import { getTotalCustodyBalances } from './get-total-custody-balances.js'
import { getTransferAudit } from './get-transfer-audit.js'
import { getTransferStatus } from './get-transfer-status.js'
import { initiateOfframp } from './initiate-offramp.js'
import { listUsers } from './list-users.js'

export const serviceOperations: readonly Operation[] = [
  createPayout,
  createCustodyWallet,
  initiateOfframp,
  createUser,
  createConsent,
  listUsers,
  getOfframpAudit,
  getTransferAudit,
  getTotalCustodyBalances,
  getTransferStatus,
  getCryptoBalance,
]
