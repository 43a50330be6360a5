import { type Account, accountFor } from './accounts.js'
import type { ApiKey } from './api-keys.js'
import { decimalsOf } from './balances.js'
import { assetOf, type Chain, type Token } from './chains.js'
import type { Consent } from './consents.js'
import type { Deposit } from './deposits.js'
import {
  assertNoDebts,
  assertPast,
  assertReferences,
  assertReview,
  assertWay,
  wrong,
} from './fixture-rules.js'
import { Refusal } from './kernel/refusal.js'
import type { Row } from './kernel/table.js'
import type { Instant } from './kernel/time.js'
import { type Movement, post } from './ledger.js'
import type { Instruction, Offramp } from './offramps.js'
import { expectedPayoutMovements, type Payout } from './payouts.js'
import type { Rail, Rate } from './rails.js'
import { expectedMovements, quote, type Transfer } from './transfers.js'
import type { User } from './users.js'
import type { Wallet } from './wallets.js'
import type { TableName, Tables, Tx } from './world.js'

type Given<R extends Row> = Omit<R, 'n'>

/** A transfer as fixtures give it: rate, fee and target amount follow from rates and rails. */
export type FixtureTransfer = Pick<
  Transfer,
  | 'id'
  | 'kind'
  | 'account_id'
  | 'source_currency'
  | 'source_amount'
  | 'source'
  | 'status'
  | 'reached'
> &
  Pick<Transfer, 'reason' | 'bank_txn_reference'> & { readonly chain: string | null }

export interface FixtureBalance {
  readonly user_id: string
  readonly currency: string
  readonly amount: string
}

/** The seed data of a world, file by file. */
export interface FixtureSet {
  /** The instant at which a world with a manual clock begins. */
  readonly now: Instant
  readonly chains: readonly Given<Chain>[]
  readonly tokens: readonly Given<Token>[]
  readonly rails: readonly Given<Rail>[]
  readonly rates: readonly Given<Rate>[]
  readonly api_keys: readonly Given<ApiKey>[]
  readonly consents: readonly Given<Consent>[]
  readonly users: readonly Given<User>[]
  readonly accounts: readonly Given<Account>[]
  readonly balances: readonly FixtureBalance[]
  readonly wallets: readonly Given<Wallet>[]
  readonly instructions: readonly Given<Instruction>[]
  readonly transfers: readonly FixtureTransfer[]
  readonly offramps: readonly Given<Offramp>[]
  readonly payouts: readonly Given<Payout>[]
  readonly deposits: readonly Given<Deposit>[]
}

/** Tables whose fixtures are whole records, each before those that refer to it. */
const AS_GIVEN = [
  'chains',
  'tokens',
  'rails',
  'rates',
  'api_keys',
  'consents',
  'users',
  'accounts',
  'wallets',
  'instructions',
] as const

/** Fills an empty world. States no facts, so that no rule fires, and draws no dice. */
export const loadFixtures = (tx: Tx, set: FixtureSet): void => {
  // What is there already would have its money posted a second time.
  if (AS_GIVEN.some((name) => tx.tables[name].size > 0)) {
    throw new Refusal('rule', 'fixtures fill an empty world; this one holds records')
  }
  set.users.forEach((user, i) => {
    assertReview(user, `users.json[${i}]`)
  })
  for (const name of AS_GIVEN) putAll<{ readonly id: string }>(tx, name, set[name])
  set.balances.forEach((balance, i) => {
    creditFrom(tx, balance, `balances.json[${i}]`, i)
  })
  putAll(tx, 'transfers', set.transfers, (transfer, path) => wholeTransfer(tx, transfer, path))
  putAll(tx, 'offramps', set.offramps)
  putAll(tx, 'payouts', set.payouts)
  putAll(tx, 'deposits', set.deposits)
  postMoney(tx)
  assertNoDebts(tx.tables)
}

const putAll = <G extends { readonly id: string }>(
  tx: Tx,
  name: TableName,
  given: readonly G[],
  whole: (record: G, path: string) => object = (record) => record,
): void => {
  const table = tx.tables[name]
  const placed = given.map((record, i) => ({
    record,
    path: `${name.replace('_', '-')}.json[${i}]`,
  }))
  placed.sort((a, b) =>
    madeAt(a.record) < madeAt(b.record) ? -1 : madeAt(a.record) > madeAt(b.record) ? 1 : 0,
  )
  for (const { record, path } of placed) {
    if (table.get(record.id)) throw wrong(`${path}.id`, `${record.id} is there twice`)
    assertReferences(tx.tables, record, path)
    assertPast(tx, madeAt(record), `${path}.${'reached' in record ? 'reached' : 'created_at'}`)
    tx.add(name, { n: table.next, ...whole(record, path) } as never)
  }
}

const madeAt = (record: object): string => {
  const { created_at, reached } = record as { created_at?: string; reached?: { PENDING?: string } }
  return created_at ?? reached?.PENDING ?? ''
}

const creditFrom = (
  tx: Tx,
  { user_id, currency, amount }: FixtureBalance,
  path: string,
  i: number,
) => {
  assertReferences(tx.tables, { user_id }, path)
  decimalsOf(currency, `${path}.currency`)
  post(tx, `credit:fixture-${i + 1}`, [
    { from: 'outside', to: `user:${user_id}`, asset: currency, amount },
  ])
}

const wholeTransfer = (tx: Tx, given: FixtureTransfer, path: string): Given<Transfer> => {
  const { chain, ...transfer } = given
  const account = accountFor(tx.tables, given.account_id)
  assertWay(given, `${path}.reached`)
  const times = Object.values(given.reached).sort()
  assertPast(tx, times.at(-1) ?? '', `${path}.reached`)
  return {
    ...transfer,
    source_asset: chain ? assetOf(given.source_currency, chain) : given.source_currency,
    user_id: account.user_id,
    target_currency: account.currency,
    ...quoteAt(tx.tables, account, given, path),
    created_at: times[0] ?? '',
    updated_at: times.at(-1) ?? '',
  }
}

/** What the transfer costs; a rate or rail that is missing is told with the transfer's place. */
const quoteAt = (tables: Tables, account: Account, given: FixtureTransfer, path: string) => {
  try {
    return quote(tables, account, given.source_currency, given.source_amount)
  } catch (error) {
    throw error instanceof Refusal ? wrong(path, error.message) : error
  }
}

/** Posts what the statuses of the records say has happened to money. */
const postMoney = (tx: Tx): void => {
  for (const transfer of tx.tables.transfers.list('all', '')) {
    post(tx, `transfer:${transfer.id}`, expectedMovements(transfer))
  }
  for (const payout of tx.tables.payouts.list('all', '')) {
    post(tx, `payout:${payout.id}`, expectedPayoutMovements(payout))
  }
  for (const deposit of tx.tables.deposits.list('all', '')) {
    if (deposit.matched !== 'offramp') post(tx, `deposit:${deposit.id}`, [depositMovement(deposit)])
  }
}

const depositMovement = ({ crypto, chain, amount, wallet_id }: Deposit): Movement => ({
  from: 'outside',
  to: wallet_id ? `wallet:${wallet_id}` : 'unmatched',
  asset: assetOf(crypto, chain),
  amount,
})
