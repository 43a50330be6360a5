import type { ReadingLookup, ReadingOf } from '../assumptions/ids.js'
import { getOldestAccount, getUserAccount } from './accounts.js'
import { deriveAddress } from './addresses.js'
import { findChain } from './chains.js'
import { type Amount, round, ZERO } from './money.js'
import type {
  Account,
  DepositAddress,
  Offramp,
  Tables,
  Token,
  Transfer,
  Tx,
  User,
} from './schema.js'
import { assertMayTransact, resolveUser } from './users.js'

export interface OfframpInput {
  readonly user_id: string
  /** The user's oldest account if absent (required.fields). */
  readonly account_id?: string | undefined
}

/** Expected if the account does not say (offramp.asset). */
const DEFAULT_CRYPTO = 'USDC'
const DEFAULT_CHAIN = 'polygon'
/** The chain of the reading `solana`. */
const READ_CHAIN = 'solana'

/**
 * Returns the same address each time, unless offramp.address says otherwise. Refusals in order:
 * unknown user, unknown or foreign account, user not active (error.order).
 */
export const initiateOfframp = (tx: Tx, input: OfframpInput): DepositAddress => {
  const user = resolveUser(tx.tables, input.user_id, (it) => tx.useReading(it))
  if (isUserFirst(tx, user, input)) assertMayTransact(tx, user, 'offramp')
  const account =
    input.account_id === undefined
      ? getOldestAccount(tx.tables, user.id)
      : getUserAccount(tx, user.id, input.account_id)
  assertMayTransact(tx, user, 'offramp')
  const asset = hasFixedAsset(account) ? 'account' : tx.useReading('offramp.asset')
  const known = tx.tables.instructions
    .list('account', account.id)
    .find(({ asset_read = 'account' }) => asset_read === asset)
  const isSame = known && tx.useReading('offramp.address') === 'same'
  const instruction = isSame ? applyScenarios(tx, known) : createDepositAddress(tx, account, asset)
  tx.emit({ type: 'offramp.initiated', id: instruction.id })
  return instruction
}

/** Every reading expects the same asset here (offramp.asset). */
const hasFixedAsset = ({ crypto, chain }: Account): boolean =>
  crypto === DEFAULT_CRYPTO && chain === READ_CHAIN

/** Only a user with a wrong account leaves the order of refusals open (error.order). */
const isUserFirst = (tx: Tx, { id, status }: User, { account_id }: OfframpInput): boolean => {
  if (status === 'active') return false
  const { accounts } = tx.tables
  const account = account_id === undefined ? accounts.first('user', id) : accounts.get(account_id)
  return account?.user_id !== id && tx.useReading('error.order') === 'user_first'
}

const applyScenarios = (tx: Tx, known: DepositAddress): DepositAddress =>
  tx.activeScenarios
    ? tx.replace('instructions', known, { ...known, scenarios: tx.activeScenarios })
    : known

const createDepositAddress = (
  tx: Tx,
  account: Account,
  asset: ReadingOf<'offramp.asset'>,
): DepositAddress => {
  const isRead = asset === 'solana'
  const chain = findChain(tx.tables, isRead ? READ_CHAIN : (account.chain ?? DEFAULT_CHAIN))
  return tx.add('instructions', {
    id: tx.uuid(),
    n: tx.tables.instructions.next,
    user_id: account.user_id,
    account_id: account.id,
    address: deriveAddress(chain.family, tx.bytes()),
    crypto: isRead ? DEFAULT_CRYPTO : (account.crypto ?? DEFAULT_CRYPTO),
    chain: chain.id,
    ...(isRead && { asset_read: asset }),
    created_at: tx.at,
  })
}

/** Deposit addresses without a deposit, oldest first. */
export const pendingAddresses = (tables: Tables, user_id: string): DepositAddress[] =>
  tables.accounts
    .list('user', user_id)
    .flatMap(({ id }) => tables.instructions.list('account', id))
    .filter(({ id }) => tables.offramps.count('instruction', id) === 0)

/** An offramp in a list that starts with the initiation (offramp.listed). */
export type OfframpListing =
  | { readonly initiation: DepositAddress; readonly offramp?: undefined }
  | { readonly initiation: DepositAddress | Offramp; readonly offramp: Offramp }

/**
 * Oldest first. The first offramp of an address counts as the initiated one; later ones start with
 * their deposit.
 */
export const listFromInitiation = (tables: Tables, user_id: string): OfframpListing[] => {
  const { instructions, offramps } = tables
  const listings = offramps.list('user', user_id).map((offramp): OfframpListing => {
    const isFirst = offramps.first('instruction', offramp.instruction_id) === offramp
    return {
      initiation: (isFirst && instructions.get(offramp.instruction_id)) || offramp,
      offramp,
    }
  })
  for (const initiation of pendingAddresses(tables, user_id)) listings.push({ initiation })
  return listings.sort((a, b) => byTime(a.initiation, b.initiation))
}

/** At one instant initiations precede deposits, so that a new deposit moves no listed item. */
const byTime = (a: DepositAddress | Offramp, b: DepositAddress | Offramp): number => {
  if (a.created_at !== b.created_at) return a.created_at < b.created_at ? -1 : 1
  return Number('transfer_id' in a) - Number('transfer_id' in b) || a.n - b.n
}

/** When an offramp started: with its deposit or its initiation (offramp.created_at). */
export const listedStart = (
  tables: Tables,
  offramp: Offramp,
  initiation: DepositAddress | Offramp,
  read: ReadingLookup,
): string => {
  const initiated = tables.instructions.get(offramp.instruction_id)?.created_at
  const isOpen =
    initiation === offramp && initiated !== undefined && initiated !== offramp.created_at
  return isOpen && read('offramp.created_at') === 'initiation' ? initiated : initiation.created_at
}

/** Deposits of a token that are not converted yet. */
export const inFlightTransfers = (tables: Tables, user_id: string, token: Token): Transfer[] =>
  tables.transfers.list('unconverted', `${user_id} ${token.id}`)

/** Undefined without such deposits. */
export const inFlightAmount = (
  tables: Tables,
  user_id: string,
  token: Token,
): Amount | undefined => {
  const transfers = inFlightTransfers(tables, user_id, token)
  if (transfers.length === 0) return undefined
  let sum = ZERO
  for (const { source_amount } of transfers) sum = sum.plus(source_amount)
  return round(sum, token.decimals)
}
