import { chooseReading, readingsLayout } from '../assumptions/use.js'
import type { Change } from '../kernel/entry.js'
import { Kernel, type KernelOptions } from '../kernel/kernel.js'
import type { Start } from '../kernel/overlay-map.js'
import { ruleCountsLayout } from '../kernel/rules.js'
import { type DerivedIndex, type Row, Table, type TableLayout } from '../kernel/table.js'
import type { Instant } from '../kernel/time.js'
import { timersLayout } from '../kernel/timers.js'
import type { Transaction } from '../kernel/transaction.js'
import { accountsLayout, registerAccount } from './accounts.js'
import { apiKeysLayout, createApiKey, setApiKey } from './api-keys.js'
import { creditBalance } from './balances.js'
import { startBankTransfer } from './bank-transfers.js'
import { chainsLayout, tokensLayout } from './chains.js'
import { clockLayout, setClock } from './clock.js'
import { consentsLayout, createConsent } from './consents.js'
import { depositsLayout, receiveDeposit } from './deposits.js'
import { loadFixtures } from './fixtures/load.js'
import { Balances, ledgerLayout } from './ledger.js'
import { initiateOfframp, instructionsLayout, offrampsLayout } from './offramps.js'
import { createPayout, payoutsLayout, transitionPayout } from './payouts.js'
import { railsLayout, ratesLayout } from './rails.js'
import { setRate } from './rates.js'
import {
  activateScenarios,
  activeScenariosLayout,
  fireRule,
  uploadedLayout,
  uploadScenario,
} from './scenario-state.js'
import { dropSnapshot, forkWorld, restoreSnapshot, takeSnapshot } from './snapshots.js'
import { recordPoll } from './status-polls.js'
import { transfersLayout, transitionTransfer } from './transfers.js'
import { createUser, transitionUser, usersLayout } from './users.js'
import { createWallet, walletsLayout } from './wallets.js'
import { beginWorld } from './world-lifecycle.js'

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
  posted: uploadedLayout,
  playlist: activeScenariosLayout,
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
  'user.move': transitionUser,
  'account.register': registerAccount,
  'balance.credit': creditBalance,
  'wallet.create': createWallet,
  'offramp.initiate': initiateOfframp,
  'deposit.receive': receiveDeposit,
  'transfer.start': startBankTransfer,
  'transfer.move': transitionTransfer,
  'transfer.read': recordPoll,
  'payout.create': createPayout,
  'payout.move': transitionPayout,
  'scenario.post': uploadScenario,
  'scenarios.activate': activateScenarios,
  'rate.set': setRate,
  'reading.choose': chooseReading,
  'rule.fire': fireRule,
  'snapshot.take': takeSnapshot,
  'snapshot.drop': dropSnapshot,
  'snapshot.restore': restoreSnapshot,
  'world.fork': forkWorld,
}
/** Commands that stand for what is done with whole worlds: alone they would be half of that. */
const worldCommands = [
  'fixtures.load',
  'world.begin',
  'world.fork',
  'snapshot.take',
  'snapshot.drop',
  'snapshot.restore',
] as const satisfies readonly (keyof typeof commands)[]

export type Commands = typeof commands
export type CommandName = keyof Commands
/** The others: what changes records of a world. */
export type RecordCommand = Exclude<CommandName, (typeof worldCommands)[number]>
export const recordCommands: readonly string[] = Object.keys(commands).filter(
  (name) => !(worldCommands as readonly string[]).includes(name),
)

export type Tx = Transaction<Tables>
export type World = Kernel<Tables, Commands>

/** Empty tables, a layer over tables that stay as they are, or a copy that shares their records. */
const createTables = (from?: Tables, start?: Start): Tables => {
  const balances = new Balances(from?.balances, start)
  const table = <N extends TableName>(name: N, derived?: DerivedIndex<never>[]): Tables[N] => {
    const layout = layouts[name] as TableLayout<never, string>
    return new Table(layout, from?.[name] as never, derived, start) as unknown as Tables[N]
  }
  // Written out: an object that is filled name by name is larger, and slower to read from.
  return {
    balances,
    chains: table('chains'),
    tokens: table('tokens'),
    rails: table('rails'),
    rates: table('rates'),
    api_keys: table('api_keys'),
    consents: table('consents'),
    users: table('users'),
    accounts: table('accounts'),
    wallets: table('wallets'),
    instructions: table('instructions'),
    offramps: table('offramps'),
    transfers: table('transfers'),
    payouts: table('payouts'),
    deposits: table('deposits'),
    ledger: table('ledger', [balances]),
    clock: table('clock'),
    posted: table('posted'),
    playlist: table('playlist'),
    readings: table('readings'),
    rule_counts: table('rule_counts'),
    timers: table('timers'),
  }
}

/** Hears of each entry of a world. */
export type Recorder = KernelOptions<Tables, Commands>['record']

export type WorldOptions = Omit<KernelOptions<Tables, Commands>, 'tables' | 'commands'> & {
  /** A world that this one starts from and never changes. */
  readonly base?: World
}

export const createWorld = ({ base, ...options }: WorldOptions): World =>
  new Kernel<Tables, Commands>({
    ...options,
    tables: loadTables(base?.tables),
    commands,
    count: base?.seq ?? 0,
  })

/** All that a world is at one moment, apart from how it goes on. */
export interface WorldState {
  readonly tables: Tables
  readonly seed: string
  readonly now: Instant
  readonly seq: number
  readonly count: number
}

/** A world that goes on from a state, which is its own from here on. */
export const openWorld = (
  state: WorldState,
  how: Pick<WorldOptions, 'evaluateRules' | 'record'>,
): World => new Kernel<Tables, Commands>({ ...state, ...how, commands })

/** Tables that start empty, or on top of others. */
export const loadTables = (base?: Tables): Tables => createTables(base)

/** Tables that start as others are, and share their records. */
export const copyTables = (tables: Tables): Tables => createTables(tables, 'copy')

/** A world like another one, which from here on goes its own way. Costs a shallow copy. */
export const copyWorld = (
  { tables, seed, now, count }: World,
  { evaluateRules, record, seq }: Pick<WorldOptions, 'evaluateRules' | 'record' | 'seq'>,
): World =>
  new Kernel<Tables, Commands>({
    tables: copyTables(tables),
    commands,
    seed,
    now,
    count,
    evaluateRules,
    record,
    ...(seq === undefined ? {} : { seq }),
  })

/** What leads from the records of one world to those of another upon the same base. */
export const changesBetween = (from: Tables, to: Tables): Change[] => {
  const changes: Change[] = []
  for (const name of tableNames) {
    const now: Table<Row> = from[name] as never
    const then: Table<Row> = to[name] as never
    for (const id of new Set([...now.changedIds(), ...then.changedIds()])) {
      const record = then.get(id)
      if (record !== now.get(id)) changes.push({ table: name, id, record: record ?? null })
    }
  }
  return changes
}
