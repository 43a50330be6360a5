import type { Account } from './accounts.js'
import { addressKey, isAddress } from './addresses.js'
import type { ApiKey } from './api-keys.js'
import { type Token, toAsset } from './chains.js'
import { type Deposit, UNKNOWN_DECIMALS } from './deposits.js'
import { assertRate, fiatAsset, parseFixtureAmount, tokenAsset, ZERO_TOO } from './fixture-money.js'
import { assertChanged, assertNew, assertReview, invalidValue } from './fixture-validation.js'
import { assertDepositRoute, assertDestination, assertOfframpTransfer } from './invariants.js'
import type { Row } from './kernel/table.js'
import type { DepositAddress, Offramp } from './offramps.js'
import type { Payout } from './payouts.js'
import type { Rail, Rate } from './rails.js'
import type { User } from './users.js'
import type { Wallet } from './wallets.js'
import type { Tables, Tx } from './world.js'

export type Given<R extends Row> = Omit<R, 'n'>

/** Checks one record of the fixtures, and answers it as it is kept. */
type Fit<R extends Row> = (tx: Tx, record: Given<R>, path: string) => Given<R>

export const passThrough = <R>(_: Tx, record: R): R => record

export const normalizeToken: Fit<Token> = ({ tables }, token, path) => {
  assertNew(tables.tokens.get(token.id) ? 1 : 0, `${token.symbol} on ${token.chain}`, path)
  assertChain(tables, token.chain, `${path}.chain`)
  return token
}

const assertChain = (tables: Tables, name: string, path: string): void => {
  if (!tables.chains.get(name)) throw invalidValue(path, name, 'the id of one in chains.json')
}

export const normalizeRail: Fit<Rail> = (_, rail, path) => {
  const asset = fiatAsset(rail.currency, `${path}.currency`)
  return {
    ...rail,
    payout_fee: parseFixtureAmount(rail.payout_fee, asset, `${path}.payout_fee`, ZERO_TOO),
    transfer_fee: parseFixtureAmount(rail.transfer_fee, asset, `${path}.transfer_fee`, ZERO_TOO),
  }
}

export const normalizeRate: Fit<Rate> = ({ tables }, rate, path) => {
  assertRate(tables, rate, path)
  return rate
}

export const normalizeKey: Fit<ApiKey> = ({ tables }, key, path) => {
  assertNew(tables.api_keys.count('hash', key.hash), 'the same key', `${path}.key`)
  return key
}

export const normalizeUser: Fit<User> = (tx, user, path) => {
  const { email_address } = user
  assertReview(user, path)
  assertChanged(tx, user, path)
  const others = tx.tables.users.count('email', email_address.toLowerCase())
  assertNew(others, JSON.stringify(email_address), `${path}.email_address`)
  return user
}

export const normalizeAccount: Fit<Account> = ({ tables }, account, path) => {
  const { currency, crypto, chain } = account
  if (tables.rails.count('currency', currency) === 0) {
    throw invalidValue(`${path}.currency`, currency, 'the currency of one in rails.json')
  }
  if (chain !== null) assertChain(tables, chain, `${path}.chain`)
  if (crypto !== null && chain !== null) tokenAsset(tables, { crypto, chain }, `${path}.crypto`)
  else if (crypto !== chain)
    throw invalidValue(`${path}.crypto`, crypto, 'crypto and chain, or neither')
  return account
}

export const normalizeWallet: Fit<Wallet> = ({ tables }, wallet, path) => {
  const { blockchain, wallet_address, customer_wallet_ref: ref } = wallet
  assertAddress(tables, wallet_address, blockchain, `${path}.wallet_address`)
  const others = tables.wallets.count('ref', ref)
  assertNew(others, JSON.stringify(ref), `${path}.customer_wallet_ref`)
  return wallet
}

export const normalizeDepositAddress: Fit<DepositAddress> = ({ tables }, instruction, path) => {
  const { address, chain } = instruction
  assertChain(tables, chain, `${path}.chain`)
  tokenAsset(tables, instruction, `${path}.crypto`)
  assertAddress(tables, address, chain, `${path}.address`)
  return instruction
}

/** What comes to an address belongs to the one wallet or the one offramp that has it. */
const assertAddress = (tables: Tables, address: string, chain: string, path: string): void => {
  const { family = 'evm' } = tables.chains.get(chain) ?? {}
  if (!isAddress(family, address)) {
    throw invalidValue(path, address, `an address of ${chain}, with its checksum`)
  }
  const key = addressKey(address)
  const others = tables.wallets.count('address', key) + tables.instructions.count('address', key)
  assertNew(others, JSON.stringify(address), path)
}

export const normalizeOfframp: Fit<Offramp> = ({ tables }, offramp, path) => {
  const { transfer_id: id } = offramp
  assertNew(tables.offramps.count('transfer', id), JSON.stringify(id), `${path}.transfer_id`)
  assertOfframpTransfer(tables, offramp, path)
  return offramp
}

export const normalizePayout: Fit<Payout> = (tx, payout, path) => {
  const { currency, rail, customer_payout_id: id } = payout
  const asset = fiatAsset(currency, `${path}.currency`)
  if (tx.tables.rails.get(rail)?.currency !== currency) {
    throw invalidValue(`${path}.rail`, rail, `the id of one in rails.json for ${currency}`)
  }
  const others = tx.tables.payouts.count('customer_id', id)
  assertNew(others, JSON.stringify(id), `${path}.customer_payout_id`)
  assertChanged(tx, payout, path)
  return {
    ...payout,
    amount: parseFixtureAmount(payout.amount, asset, `${path}.amount`),
    rail_fee: parseFixtureAmount(payout.rail_fee, asset, `${path}.rail_fee`, ZERO_TOO),
  }
}

export const normalizeDeposit: Fit<Deposit> = ({ tables }, deposit, path) => {
  assertDestination(deposit, path)
  const asset =
    deposit.matched === 'unmatched'
      ? unmatchedAsset(tables, deposit)
      : tokenAsset(tables, deposit, `${path}.crypto`)
  const kept = { ...deposit, amount: parseFixtureAmount(deposit.amount, asset, `${path}.amount`) }
  assertDepositRoute(tables, kept, path)
  return kept
}

const unmatchedAsset = (tables: Tables, { crypto, chain }: Given<Deposit>) => {
  const name = toAsset(crypto, chain)
  return { name, decimals: tables.tokens.get(name)?.decimals ?? UNKNOWN_DECIMALS }
}
