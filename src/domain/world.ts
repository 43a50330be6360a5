import { Readings } from '../assumptions/use.js'
import type { Cause, RuleCause } from '../kernel/entry.js'
import { Kernel, type KernelOptions } from '../kernel/kernel.js'
import type { Start } from '../kernel/overlay-map.js'
import type { Row } from '../kernel/row.js'
import type { DerivedIndex } from '../kernel/secondary-index.js'
import { Table, type TableLayout } from '../kernel/table.js'
import type { Instant } from '../kernel/time.js'
import { registerAccount } from './accounts.js'
import { createApiKey, setApiKey } from './api-keys.js'
import { chooseReading } from './assumptions.js'
import { Balances } from './balance-index.js'
import { creditBalance } from './balances.js'
import { cancelTimer, fireTimer, setClock } from './clock.js'
import { createConsent } from './consents.js'
import { receiveDeposit } from './deposits.js'
import { armNextCall, disarmNextCalls } from './next-calls.js'
import { initiateOfframp } from './offramps.js'
import { createPayout, transitionPayout } from './payouts.js'
import { setRate } from './rates.js'
import { activateScenarios, fireRule, uploadScenario } from './scenario-state.js'
import { layouts, type Tables } from './schema.js'
import { loadFixtures } from './seed-data/load.js'
import { recordPoll, resumeTransfer, startBankTransfer, transitionTransfer } from './transfers.js'
import { createUser, transitionUser } from './users.js'
import { createWallet } from './wallets.js'
import {
  beginWorld,
  dropSnapshot,
  forkWorld,
  restoreSnapshot,
  takeSnapshot,
} from './world-lifecycle.js'

export const commands = {
  'fixtures.load': loadFixtures,
  'world.begin': beginWorld,
  'clock.set': setClock,
  'timer.fire': fireTimer,
  'timer.cancel': cancelTimer,
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
  'transfer.resume': resumeTransfer,
  'transfer.read': recordPoll,
  'payout.create': createPayout,
  'payout.move': transitionPayout,
  'scenario.post': uploadScenario,
  'scenarios.activate': activateScenarios,
  'next.arm': armNextCall,
  'next.disarm': disarmNextCalls,
  'rate.set': setRate,
  'reading.choose': chooseReading,
  'rule.fire': fireRule,
  'snapshot.take': takeSnapshot,
  'snapshot.drop': dropSnapshot,
  'snapshot.restore': restoreSnapshot,
  'world.fork': forkWorld,
}

export type Commands = typeof commands
export type CommandName = keyof Commands
export type World = Kernel<Tables, Commands, Readings>

export const createReadings = ({ readings }: Tables, cause: Cause | RuleCause): Readings =>
  new Readings(readings, 'readings' in cause ? cause.readings : undefined)

/** Empty tables, a layer over immutable tables, or a copy that shares records. */
const createTables = (from?: Tables, start?: Start): Tables => {
  const balances = new Balances(from?.balances, start)
  const table = <R extends Row, Index extends string>(
    layout: TableLayout<R, Index>,
    base: Table<R, Index> | undefined,
    derived?: readonly DerivedIndex<R>[],
  ) => new Table(layout, base, derived, start)
  // Written out: an object filled by name would be larger and slower to read.
  return {
    balances,
    chains: table(layouts.chains, from?.chains),
    tokens: table(layouts.tokens, from?.tokens),
    rails: table(layouts.rails, from?.rails),
    rates: table(layouts.rates, from?.rates),
    api_keys: table(layouts.api_keys, from?.api_keys),
    consents: table(layouts.consents, from?.consents),
    users: table(layouts.users, from?.users),
    accounts: table(layouts.accounts, from?.accounts),
    wallets: table(layouts.wallets, from?.wallets),
    instructions: table(layouts.instructions, from?.instructions),
    offramps: table(layouts.offramps, from?.offramps),
    transfers: table(layouts.transfers, from?.transfers),
    payouts: table(layouts.payouts, from?.payouts),
    deposits: table(layouts.deposits, from?.deposits),
    ledger: table(layouts.ledger, from?.ledger, [balances]),
    clock: table(layouts.clock, from?.clock),
    posted: table(layouts.posted, from?.posted),
    playlist: table(layouts.playlist, from?.playlist),
    next_calls: table(layouts.next_calls, from?.next_calls),
    readings: table(layouts.readings, from?.readings),
    rule_counts: table(layouts.rule_counts, from?.rule_counts),
    timers: table(layouts.timers, from?.timers),
  }
}

export type Recorder = KernelOptions<Tables, Commands, Readings>['record']

export type WorldOptions = Omit<
  KernelOptions<Tables, Commands, Readings>,
  'tables' | 'commands' | 'createReadings'
> & {
  /** The world underneath, which never changes. */
  readonly base?: World
}

export const createWorld = ({ base, ...options }: WorldOptions): World =>
  new Kernel<Tables, Commands, Readings>({
    ...options,
    tables: loadTables(base?.tables),
    commands,
    createReadings,
    count: base?.seq ?? 0,
  })

/** The state of a world, without its rules and its recorder. */
export interface WorldState {
  readonly tables: Tables
  readonly seed: string
  readonly now: Instant
  readonly seq: number
  readonly count: number
}

type WorldHost = Pick<WorldOptions, 'evaluateRules' | 'record'>

/** For worlds that only readers use. */
const NO_HOST: WorldHost = { evaluateRules: () => undefined, record: () => {} }

/** Takes over the state. */
export const openWorld = (state: WorldState, host = NO_HOST): World =>
  new Kernel<Tables, Commands, Readings>({ ...state, ...host, commands, createReadings })

/** Empty tables, or a layer over `base`. */
export const loadTables = (base?: Tables): Tables => createTables(base)

export const copyTables = (tables: Tables): Tables => createTables(tables, 'copy')

/** An independent world with the same records. Costs a shallow copy. */
export const copyWorld = (
  { tables, seed, now, count, seq }: WorldState,
  host?: WorldHost & { readonly seq?: number },
): World => openWorld({ tables: copyTables(tables), seed, now, count, seq: host?.seq ?? seq }, host)
