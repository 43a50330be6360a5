import { accountsLayout, registerAccount } from './accounts.js'
import { apiKeysLayout, createApiKey, setApiKey } from './api-keys.js'
import { creditBalance } from './balances.js'
import { startBankTransfer } from './bank-transfers.js'
import { beginWorld } from './beginning.js'
import { chainsLayout, tokensLayout } from './chains.js'
import { clockLayout, setClock } from './clock.js'
import { consentsLayout, createConsent } from './consents.js'
import { depositsLayout, receiveDeposit } from './deposits.js'
import { loadFixtures } from './fixtures.js'
import { Kernel, type KernelOptions } from './kernel/kernel.js'
import { ruleCountsLayout } from './kernel/rules.js'
import { Table, type TableLayout } from './kernel/table.js'
import { timersLayout } from './kernel/timers.js'
import type { Transaction } from './kernel/transaction.js'
import { Balances, ledgerLayout } from './ledger.js'
import { initiateOfframp, instructionsLayout, offrampsLayout } from './offramps.js'
import { createPayout, movePayout, payoutsLayout } from './payouts.js'
import { railsLayout, ratesLayout } from './rails.js'
import { chooseReading, readingsLayout } from './readings.js'
import { countRead } from './reads.js'
import {
  activateScenarios,
  fireRule,
  playlistLayout,
  postedLayout,
  postScenario,
} from './steering.js'
import { moveTransfer, transfersLayout } from './transfers.js'
import { createUser, moveUser, usersLayout } from './users.js'
import { createWallet, walletsLayout } from './wallets.js'

/** All that a world remembers, table by table. */
const layouts = {
  chains: chainsLayout,
  tokens: tokensLayout,
  rails: railsLayout,
  rates: ratesLayout,
  api_keys: apiKeysLayout,
  consents: consentsLayout,
  users: usersLayout,
  accounts: accountsLayout,
  wallets: walletsLayout,
  instructions: instructionsLayout,
  offramps: offrampsLayout,
  transfers: transfersLayout,
  payouts: payoutsLayout,
  deposits: depositsLayout,
  ledger: ledgerLayout,
  clock: clockLayout,
  posted: postedLayout,
  playlist: playlistLayout,
  readings: readingsLayout,
  rule_counts: ruleCountsLayout,
  timers: timersLayout,
}
type Layouts = typeof layouts
export type TableName = keyof Layouts
type TableOf<L> = L extends TableLayout<infer R, infer Index> ? Table<R, Index> : never

/** A world's tables, and the balances that its ledger adds up to. */
export type Tables = { readonly [Name in TableName]: TableOf<Layouts[Name]> } & {
  readonly balances: Balances
}

export const tableNames = Object.keys(layouts) as TableName[]

/** Every verb that changes a world. */
export const commands = {
  'fixtures.load': loadFixtures,
  'world.begin': beginWorld,
  'clock.set': setClock,
  'api_key.create': createApiKey,
  'api_key.set': setApiKey,
  'consent.create': createConsent,
  'user.create': createUser,
  'user.move': moveUser,
  'account.register': registerAccount,
  'balance.credit': creditBalance,
  'wallet.create': createWallet,
  'offramp.initiate': initiateOfframp,
  'deposit.receive': receiveDeposit,
  'transfer.start': startBankTransfer,
  'transfer.move': moveTransfer,
  'transfer.read': countRead,
  'payout.create': createPayout,
  'payout.move': movePayout,
  'scenario.post': postScenario,
  'scenarios.activate': activateScenarios,
  'reading.choose': chooseReading,
  'rule.fire': fireRule,
}
export type Commands = typeof commands
export type CommandName = keyof Commands

export type Tx = Transaction<Tables>
export type World = Kernel<Tables, Commands>

/** Empty tables, or a layer over the tables of a base that stays as it is. */
const createTables = (base?: Tables): Tables => {
  const balances = new Balances(base?.balances)
  const tables: Record<string, unknown> = { balances }
  for (const name of tableNames) {
    const layout = layouts[name] as TableLayout<never, string>
    const below = base?.[name] as Table<never> | undefined
    tables[name] = new Table(layout, below, name === 'ledger' ? [balances as never] : [])
  }
  return tables as Tables
}

export type WorldOptions = Omit<KernelOptions<Tables, Commands>, 'tables' | 'commands'> & {
  /** A world that this one starts from and never changes. */
  readonly base?: World
}

export const createWorld = ({ base, ...options }: WorldOptions): World =>
  new Kernel<Tables, Commands>({
    ...options,
    tables: createTables(base?.tables),
    commands,
    count: base?.seq ?? 0,
  })
