import type { Operation } from '../../http/operation/operation.js'
import { listUserAccounts, registerAccount } from './accounts.js'
import { listActivity } from './activity.js'
import { createApiKey, listApiKeys, setApiKey } from './api-keys.js'
import { chooseReading, listAssumptions, readAssumption } from './assumptions.js'
import { creditUser, listUserBalances, readUserStatement } from './balances.js'
import { advanceClock, cancelTimer, fireTimer, getClock, setClock } from './clock.js'
import { compare } from './compare.js'
import { readConduct } from './conduct.js'
import { deposits, receiveDeposit } from './deposits.js'
import { readFixtures } from './fixtures.js'
import { getHealth, getReady } from './health.js'
import { readJournal } from './journal.js'
import { withNames } from './names.js'
import { armNextCall, disarmNextCalls, listNextCalls } from './next.js'
import { offramps } from './offramps.js'
import { advancePayout, payouts } from './payouts.js'
import { reportOpenQuestions } from './questions.js'
import { listRates, setRate } from './rates.js'
import { readRecord } from './records.js'
import {
  clearRequests,
  exportRequests,
  listRequests,
  readRequest,
  streamRequests,
} from './requests.js'
import { activateScenarios, listScenarios, postScenario, readScenarioText } from './scenarios.js'
import { searchWorld } from './search.js'
import {
  deleteSnapshot,
  forkSnapshot,
  listSnapshots,
  restoreSnapshot,
  takeSnapshot,
} from './snapshots.js'
import { readRecordStory } from './story.js'
import { advanceTransfer, startTransfer, transfers } from './transfers.js'
import { moveUser, users } from './users.js'
import { verifyWorld } from './verify.js'
import { wallets } from './wallets.js'
import { why } from './why.js'
import { getAudit, previewUndo, redo, reset, undo } from './world.js'
import { createWorld, deleteWorld, deleteWorlds, listWorlds, renameWorld } from './worlds.js'

const operations: readonly Operation[] = [
  getHealth,
  getReady,
  readFixtures,
  readRecord,
  getClock,
  setClock,
  advanceClock,
  fireTimer,
  cancelTimer,
  listScenarios,
  activateScenarios,
  postScenario,
  readScenarioText,
  listNextCalls,
  armNextCall,
  disarmNextCalls,
  receiveDeposit,
  ...deposits,
  ...transfers,
  startTransfer,
  advanceTransfer,
  ...users,
  moveUser,
  listUserBalances,
  readUserStatement,
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
  why,
  readRecordStory,
  searchWorld,
  listActivity,
  listRequests,
  streamRequests,
  readRequest,
  exportRequests,
  clearRequests,
  readConduct,
  listAssumptions,
  reportOpenQuestions,
  readAssumption,
  chooseReading,
  getAudit,
  verifyWorld,
  reset,
  previewUndo,
  undo,
  redo,
  listSnapshots,
  takeSnapshot,
  deleteSnapshot,
  restoreSnapshot,
  forkSnapshot,
  listWorlds,
  compare,
  createWorld,
  renameWorld,
  deleteWorld,
  deleteWorlds,
]

export const controlOperations = operations.map(withNames)
