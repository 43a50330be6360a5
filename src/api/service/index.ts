import type { Operation } from '../../http/operation/operation.js'
import { getOfframpAudit, initiateOfframp } from './offramps.js'
import { createPayout } from './payouts.js'
import { getTransferAudit, getTransferStatus } from './transfers.js'
import { createConsent, createUser, listUsers } from './users.js'
import { createCustodyWallet, getCryptoBalance, getTotalCustodyBalances } from './wallets.js'

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
