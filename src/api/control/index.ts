import type { Operation } from '../../http/operation/operation.js'
import { listUserAccounts, registerAccount } from './accounts.js'
import { createApiKey, listApiKeys, setApiKey } from './api-keys.js'
import { chooseReading, listAssumptions, readAssumption } from './assumptions.js'
import { creditUser, listUserBalances } from './balances.js'
import { advanceClock, getClock, setClock } from './clock.js'
import { deposits, receiveDeposit } from './deposits.js'
import { getHealth } from './health.js'
import { readJournal, streamJournal } from './journal.js'
import { callsOperation } from './list-calls.js'
import { offramps } from './offramps.js'
import { advancePayout, payouts } from './payouts.js'
import { reportOpenQuestions } from './questions.js'
import { listRates, setRate } from './rates.js'
import { clearRequests, exportRequests, listRequests, readRequest } from './requests.js'
import { activateScenarios, listScenarios, postScenario, readScenarioText } from './scenarios.js'
import {
  deleteSnapshot,
  forkSnapshot,
  listSnapshots,
  restoreSnapshot,
  takeSnapshot,
} from './snapshots.js'
import { advanceTransfer, startTransfer, transfers } from './transfers.js'
import { moveUser, users } from './users.js'
import { verifyWorld } from './verify.js'
import { wallets } from './wallets.js'
import { whyOperations } from './why.js'
import { getAudit, reset, undo } from './world.js'
import { createWorld, deleteWorld, listWorlds } from './worlds.js'

/** All operations of the control API. */
export const controlOperations: readonly Operation[] = [
  callsOperation(() => controlOperations),
  getHealth,
  getClock,
  setClock,
  advanceClock,
  listScenarios,
  activateScenarios,
  postScenario,
  readScenarioText,
  receiveDeposit,
  ...deposits,
  ...transfers,
  startTransfer,
  advanceTransfer,
  ...users,
  moveUser,
  listUserBalances,
  creditUser,
  listUserAccounts,
  registerAccount,
  ...wallets,
  ...offramps,
  ...payouts,
  advancePayout,
  listRates,
  setRate,
  listApiKeys,
  createApiKey,
  setApiKey,
  readJournal,
  streamJournal,
  ...whyOperations,
  listRequests,
  readRequest,
  exportRequests,
  clearRequests,
  listAssumptions,
  reportOpenQuestions,
  readAssumption,
  chooseReading,
  getAudit,
  verifyWorld,
  reset,
  undo,
  listSnapshots,
  takeSnapshot,
  deleteSnapshot,
  restoreSnapshot,
  forkSnapshot,
  listWorlds,
  createWorld,
  deleteWorld,
]
