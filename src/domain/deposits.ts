import type { ReadingOf } from '../assumptions/ids.js'
import { getAccount } from './accounts.js'
import { addressKey, isAddress, maskAddress } from './addresses.js'
import type { Posting } from './balance-index.js'
import { toAsset } from './chains.js'
import { quote, roundingReading } from './conversion.js'
import { post, UNMATCHED } from './ledger.js'
import { type Amount, Decimal, isZero, parseAmount } from './money.js'
import { findRate } from './rails.js'
import type {
  Deposit,
  DepositAddress,
  RoutingReason,
  Tables,
  Transfer,
  Tx,
  User,
  Wallet,
} from './schema.js'
import { createTransfer, transitionTransfer } from './transfers.js'
import { fullName, getUser } from './users.js'

/** Whether a reading decided where a deposit to this user's address went. */
export const hasDepositsRoutedBy = (
  { deposits }: Tables,
  user_id: string,
  by: RoutingReason,
): boolean => deposits.count('kept', `${user_id} ${by}`) > 0

export const depositsRoutedBy = (
  { deposits }: Tables,
  user_id: string,
  by: RoutingReason,
): Deposit[] => deposits.list('kept', `${user_id} ${by}`)

export interface DepositInput {
  readonly address: string
  readonly amount: string
  readonly crypto?: string | undefined
  readonly chain?: string | undefined
}

/** Decimals of tokens that the world does not know. */
export const UNKNOWN_DECIMALS = 6
const DEFAULT_CRYPTO = 'USDC'

/** Routes crypto to an offramp or a wallet, else stores it as unmatched. */
export const receiveDeposit = (tx: Tx, input: DepositInput): Deposit => {
  const key = addressKey(input.address)
  const instruction = tx.tables.instructions.first('address', key)
  const wallet = instruction ? undefined : tx.tables.wallets.first('address', key)
  const crypto = (input.crypto ?? instruction?.crypto ?? DEFAULT_CRYPTO).toUpperCase()
  const chain = (
    input.chain ??
    instruction?.chain ??
    wallet?.blockchain ??
    guessChain(tx.tables, input.address)
  ).toLowerCase()
  const decimals = tx.tables.tokens.get(toAsset(crypto, chain))?.decimals ?? UNKNOWN_DECIMALS
  const arrival = {
    address: input.address,
    crypto,
    chain,
    amount: parseAmount(input.amount, decimals, crypto),
  }
  if (instruction) return depositToAddress(tx, instruction, arrival)
  return wallet
    ? depositToWallet(tx, wallet, arrival)
    : recordUnmatched(tx, arrival, 'no offramp and no wallet has this address')
}

type IncomingDeposit = Pick<Deposit, 'address' | 'crypto' | 'chain' | 'amount'>

const depositToAddress = (
  tx: Tx,
  instruction: DepositAddress,
  arrival: IncomingDeposit,
): Deposit => {
  const unmatched = (reason: string, by?: RoutingReason) =>
    recordUnmatched(tx, arrival, reason, by && { user_id: instruction.user_id, by })
  if (!isAccepted(tx, instruction, arrival)) {
    const { crypto, chain } = instruction
    const reason = `the address expects ${crypto} on ${chain}, not ${describeIncoming(arrival)}`
    return unmatched(
      reason,
      isConvertible(tx.tables, instruction, arrival) ? 'offramp.other_token' : undefined,
    )
  }
  const limits = isBeyondLimits(arrival.amount) ? tx.useReading('deposit.limits') : undefined
  if (limits === 'unmatched') {
    const reason = `the address expects ${MIN_DEPOSIT} to ${MAX_DEPOSIT} ${arrival.crypto}, not ${arrival.amount}`
    return unmatched(reason, 'deposit.limits')
  }
  return shouldHoldUnmatched(tx, instruction, arrival)
    ? unmatched('the amount is below the fee', 'offramp.below_fee')
    : depositToOfframp(tx, instruction, arrival)
}

/** In units of the token (deposit.limits). */
const MIN_DEPOSIT = 10
const MAX_DEPOSIT = 10_000

const isBeyondLimits = (text: Amount): boolean => {
  const amount = new Decimal(text)
  return amount.lt(MIN_DEPOSIT) || amount.gt(MAX_DEPOSIT)
}

/** Whether some reading converts the deposit: its token is known and has a rate. */
const isConvertible = (
  tables: Tables,
  { account_id }: DepositAddress,
  { crypto, chain }: IncomingDeposit,
): boolean =>
  tables.tokens.get(toAsset(crypto, chain)) !== undefined &&
  findRate(tables, crypto, getAccount(tables, account_id).currency) !== undefined

/** A deposit of another token than expected may still be converted (offramp.other_token). */
const isAccepted = (tx: Tx, expected: DepositAddress, arrival: IncomingDeposit): boolean => {
  const { crypto, chain } = arrival
  if (expected.crypto === crypto && expected.chain === chain) return true
  return (
    isConvertible(tx.tables, expected, arrival) &&
    tx.useReading('offramp.other_token') === 'converted'
  )
}

/** The fee would exceed the deposit (offramp.below_fee). */
const shouldHoldUnmatched = (
  tx: Tx,
  { account_id }: DepositAddress,
  { crypto, amount }: IncomingDeposit,
): boolean => {
  const account = getAccount(tx.tables, account_id)
  const { destination_amount } = quote(tx.tables, account, crypto, amount, roundingReading(tx))
  return isZero(destination_amount) && tx.useReading('offramp.below_fee') === 'unmatched'
}

const NOWHERE = {
  reason: null,
  user_id: null,
  wallet_id: null,
  offramp_id: null,
  transfer_id: null,
}

const depositToOfframp = (
  tx: Tx,
  instruction: DepositAddress,
  arrival: IncomingDeposit,
): Deposit => {
  inheritFrom(tx, instruction)
  const account = getAccount(tx.tables, instruction.account_id)
  const user = getUser(tx.tables, instruction.user_id)
  const offramp_id = tx.uuid()
  const transfer = createTransfer(tx, {
    kind: 'offramp',
    account,
    source_currency: arrival.crypto,
    source_asset: toAsset(arrival.crypto, arrival.chain),
    source_amount: arrival.amount,
    source: {
      sender_name: fullName(user),
      account_type: 'crypto_wallet',
      masked_details: maskAddress(instruction.address),
      payment_rail: arrival.chain,
    },
  })
  const inactive_user = inactiveUserPolicy(tx, user, transfer)
  if (inactive_user === 'failed') {
    transitionTransfer(tx, { id: transfer.id, to: 'FAILED', reason: USER_NOT_ACTIVE })
  }
  tx.add('offramps', {
    id: offramp_id,
    n: tx.tables.offramps.next,
    user_id: user.id,
    account_id: account.id,
    instruction_id: instruction.id,
    transfer_id: transfer.id,
    blockchain: arrival.chain,
    ...(inactive_user && { inactive_user }),
    ...(isBeyondLimits(arrival.amount) && { beyond_limits: true }),
    created_at: tx.at,
  })
  return recordDeposit(tx, {
    ...arrival,
    ...NOWHERE,
    matched: 'offramp',
    user_id: user.id,
    offramp_id,
    transfer_id: transfer.id,
  })
}

/** An armed call is about one deposit, the scenarios of a header about all. */
const inheritFrom = (tx: Tx, instruction: DepositAddress): void => {
  tx.inheritScenarios(instruction)
  const { scenarios = [] } = instruction
  const lasting = scenarios.filter((name) => !tx.tables.next_calls.get(name))
  if (lasting.length < scenarios.length)
    tx.replace('instructions', instruction, { ...instruction, scenarios: lasting })
}

const USER_NOT_ACTIVE = 'user_not_active'

/** Undefined for an active user, and for a transfer that has failed anyway. */
const inactiveUserPolicy = (
  tx: Tx,
  user: User,
  transfer: Transfer,
): ReadingOf<'deposit.inactive_user'> | undefined =>
  user.status === 'active' || transfer.status === 'FAILED'
    ? undefined
    : tx.useReading('deposit.inactive_user')

const depositToWallet = (tx: Tx, wallet: Wallet, arrival: IncomingDeposit): Deposit => {
  const { crypto, chain } = arrival
  return wallet.blockchain === chain && tx.tables.tokens.get(toAsset(crypto, chain))
    ? holdInWallet(tx, wallet, arrival)
    : recordUnmatched(tx, arrival, unheldReason(arrival, wallet))
}

const holdInWallet = (tx: Tx, wallet: Wallet, arrival: IncomingDeposit): Deposit => {
  tx.inheritScenarios(wallet)
  return recordDeposit(tx, {
    ...arrival,
    ...NOWHERE,
    matched: 'wallet',
    user_id: wallet.user_id,
    wallet_id: wallet.id,
  })
}

const recordUnmatched = (
  tx: Tx,
  arrival: IncomingDeposit,
  reason: string,
  kept?: Deposit['kept'],
): Deposit =>
  recordDeposit(tx, { ...arrival, ...NOWHERE, matched: 'unmatched', reason, ...(kept && { kept }) })

const recordDeposit = (tx: Tx, deposit: Omit<Deposit, 'id' | 'n' | 'created_at'>): Deposit => {
  const kept = tx.add('deposits', {
    id: tx.uuid(),
    n: tx.tables.deposits.next,
    ...deposit,
    created_at: tx.at,
  })
  post(tx, `deposit:${kept.id}`, expectedDepositPostings(kept))
  tx.emit({ type: 'deposit.received', id: kept.id, matched: kept.matched })
  return kept
}

/** The postings that the audit expects. Deposits to offramps have none: their transfers do. */
export const expectedDepositPostings = (deposit: Omit<Deposit, 'n'>): Posting[] => {
  const { matched, wallet_id, crypto, chain, amount } = deposit
  if (matched === 'offramp') return []
  const to = matched === 'wallet' ? `wallet:${wallet_id}` : UNMATCHED
  return [{ from: 'outside', to, asset: toAsset(crypto, chain), amount }]
}

const unheldReason = (arrival: IncomingDeposit, { blockchain }: Wallet): string =>
  `the wallet expects known tokens on ${blockchain}, not ${describeIncoming(arrival)}`

const describeIncoming = ({ crypto, chain }: IncomingDeposit): string => `${crypto} on ${chain}`

/** The first chain whose addresses have this form. */
const guessChain = (tables: Tables, address: string): string => {
  const chains = tables.chains.list('all', '')
  return chains.find((chain) => isAddress(chain.family, address))?.id ?? 'unknown'
}
