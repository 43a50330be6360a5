import type { Account } from './accounts.js'
import type { ApiKey } from './api-keys.js'
import type { Chain, Token } from './chains.js'
import type { Consent } from './consents.js'
import { type Deposit, expectedDepositPostings } from './deposits.js'
import { assertRates, fiatAsset, parseFixtureAmount } from './fixture-money.js'
import {
  type Given,
  normalizeAccount,
  normalizeDeposit,
  normalizeDepositAddress,
  normalizeKey,
  normalizeOfframp,
  normalizePayout,
  normalizeRail,
  normalizeRate,
  normalizeToken,
  normalizeUser,
  normalizeWallet,
  passThrough,
} from './fixture-records.js'
import { type FixtureTransfer, normalizeTransfer } from './fixture-transfers.js'
import {
  assertNew,
  assertNoDebts,
  assertPast,
  assertReferences,
  fixtureFile,
  invalidValue,
} from './fixture-validation.js'
import { Refusal } from './kernel/refusal.js'
import type { Instant } from './kernel/time.js'
import { post } from './ledger.js'
import type { DepositAddress, Offramp } from './offramps.js'
import { expectedPayoutPostings, type Payout } from './payouts.js'
import type { Rail, Rate } from './rails.js'
import { expectedTransferPostings } from './transfers.js'
import type { User } from './users.js'
import type { Wallet } from './wallets.js'
import type { TableName, Tables, Tx } from './world.js'

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
  readonly instructions: readonly Given<DepositAddress>[]
  readonly transfers: readonly FixtureTransfer[]
  readonly offramps: readonly Given<Offramp>[]
  readonly payouts: readonly Given<Payout>[]
  readonly deposits: readonly Given<Deposit>[]
}

/** Fills an empty world. States no facts, so that no rule fires, and draws no dice. */
export const loadFixtures = (tx: Tx, set: FixtureSet): void => {
  // What is there already would have its money posted a second time.
  if (tx.tables.chains.size > 0 || tx.tables.users.size > 0) {
    throw new Refusal('rule', 'fixtures fill an empty world; this one holds records')
  }
  // Each table before those that refer to it.
  putAll(tx, 'chains', set.chains, passThrough)
  putAll(tx, 'tokens', set.tokens, normalizeToken)
  putAll(tx, 'rails', set.rails, normalizeRail)
  putAll(tx, 'rates', set.rates, normalizeRate)
  assertRates(tx.tables, 'rates.json')
  putAll(tx, 'api_keys', set.api_keys, normalizeKey)
  putAll(tx, 'consents', set.consents, normalizeConsent)
  putAll(tx, 'users', set.users, normalizeUser)
  assertConsents(tx.tables, set)
  putAll(tx, 'accounts', set.accounts, normalizeAccount)
  putAll(tx, 'wallets', set.wallets, normalizeWallet)
  putAll(tx, 'instructions', set.instructions, normalizeDepositAddress)
  set.balances.forEach((balance, i) => {
    creditFrom(tx, balance, `balances.json: ${i}`, i)
  })
  putAll(tx, 'transfers', set.transfers, normalizeTransfer)
  putAll(tx, 'offramps', set.offramps, normalizeOfframp)
  putAll(tx, 'payouts', set.payouts, normalizePayout)
  putAll(tx, 'deposits', set.deposits, normalizeDeposit)
  postMoney(tx)
  assertNoDebts(tx.tables)
}

/** Tables whose ids are made of other fields. */
const COMPOSED: readonly TableName[] = ['tokens', 'rates']

const putAll = <G extends { readonly id: string }>(
  tx: Tx,
  name: TableName,
  given: readonly G[],
  whole: (tx: Tx, record: G, path: string) => object,
): void => {
  const table = tx.tables[name]
  const placed = given.map((record, i) => ({ record, path: `${fixtureFile(name)}: ${i}` }))
  placed.sort((a, b) =>
    madeAt(a.record) < madeAt(b.record) ? -1 : madeAt(a.record) > madeAt(b.record) ? 1 : 0,
  )
  for (const { record, path } of placed) {
    if (!COMPOSED.includes(name)) {
      assertNew(table.get(record.id) ? 1 : 0, JSON.stringify(record.id), `${path}.id`)
    }
    assertReferences(tx.tables, record, path)
    assertPast(tx, madeAt(record), `${path}.${'reached' in record ? 'reached' : 'created_at'}`)
    tx.add(name, { n: table.next, ...whole(tx, record, path) } as never)
  }
}

const madeAt = (record: object): string => {
  const { created_at, reached } = record as { created_at?: string; reached?: { PENDING?: string } }
  return created_at ?? reached?.PENDING ?? ''
}

const normalizeConsent = (tx: Tx, consent: Given<Consent>, path: string): Given<Consent> => {
  assertPast(tx, consent.accepted_at, `${path}.accepted_at`)
  return consent
}

/** A consent serves one user, and both say so. */
const assertConsents = ({ users, consents }: Tables, set: FixtureSet): void => {
  set.users.forEach(({ id, consent_id }, i) => {
    if (consent_id === null || consents.get(consent_id)?.used_by === id) return
    const accepted = `one in consents.json with used_by ${id}`
    throw invalidValue(`users.json: ${i}.consent_id`, consent_id, accepted)
  })
  set.consents.forEach(({ id, used_by }, i) => {
    if (used_by === null || users.get(used_by)?.consent_id === id) return
    const accepted = `null, or the id of one in users.json with consent_id ${id}`
    throw invalidValue(`consents.json: ${i}.used_by`, used_by, accepted)
  })
}

const creditFrom = (
  tx: Tx,
  { user_id, currency, amount }: FixtureBalance,
  path: string,
  i: number,
) => {
  assertReferences(tx.tables, { user_id }, path)
  const asset = fiatAsset(currency, `${path}.currency`)
  const kept = parseFixtureAmount(amount, asset, `${path}.amount`)
  post(tx, `credit:fixture-${i + 1}`, [
    { from: 'outside', to: `user:${user_id}`, asset: currency, amount: kept },
  ])
}

/** Posts what the statuses of the records say has happened to money. */
const postMoney = (tx: Tx): void => {
  for (const transfer of tx.tables.transfers.list('all', '')) {
    post(tx, `transfer:${transfer.id}`, expectedTransferPostings(transfer))
  }
  for (const payout of tx.tables.payouts.list('all', '')) {
    post(tx, `payout:${payout.id}`, expectedPayoutPostings(payout))
  }
  for (const deposit of tx.tables.deposits.list('all', '')) {
    post(tx, `deposit:${deposit.id}`, expectedDepositPostings(deposit))
  }
}
